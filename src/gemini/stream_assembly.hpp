#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/response.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Puts the chunks of a stream together to the response that `generateContent` would have given (wire document, sections 12.2, 12.3 and
/// 16.5): parts in the order in which they come, neighbouring texts without a signature joined, empty texts without one left out, of
/// everything else the last word.
class stream_assembly {
public:
    /// Takes a `GenerateContentResponse` in, which is an object, and shows what is new in its first candidate.
    void add(json chunk, const delta_sink& sink);

    /// Whether anything has come.
    [[nodiscard]] bool started() const noexcept { return started_; }
    /// Whether candidates have begun and none has come to its end: the stream was interrupted.
    [[nodiscard]] bool interrupted() const noexcept;

    /// The whole `GenerateContentResponse`.
    [[nodiscard]] json take();

private:
    struct candidate_parts {
        json members = json::object();  ///< of the candidate, but for the content
        json content = {};              ///< of the content, but for the parts; null = no content has come
        json parts = json::array();
    };

    bool started_ = false;
    json envelope_ = json::object();
    std::map<std::int64_t, candidate_parts> candidates_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
