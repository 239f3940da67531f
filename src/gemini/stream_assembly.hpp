#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/response.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Assembles the chunks of a stream into the response that `generateContent` would have sent (wire document, sections 12.2, 12.3, 16.5).
/// Parts keep their order. Adjacent texts without a signature are joined, and empty ones dropped. For other members, the last value wins.
class stream_assembly {
public:
    /// Adds a chunk, which must be an object, and passes the new text and thoughts of the first candidate to the sink.
    void add(json chunk, const delta_sink& sink);

    /// Whether a chunk has been added.
    [[nodiscard]] bool started() const noexcept { return started_; }
    /// Whether there are candidates but none has a finish reason, because the stream was interrupted.
    [[nodiscard]] bool interrupted() const noexcept;

    /// Returns the `GenerateContentResponse` and resets the object.
    [[nodiscard]] json take();

private:
    struct candidate_parts {
        json members = json::object();  ///< of the candidate, except `content`
        json content = {};              ///< the content, except `parts`; null = none yet
        json parts = json::array();
    };

    bool started_ = false;
    json envelope_ = json::object();
    std::map<std::int64_t, candidate_parts> candidates_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
