#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Assembles the events of a stream of the Responses API into the response that the service would have sent at once.
class responses_assembly {
public:
    /// Adds an event, or a whole response, and passes new text and reasoning to the sink. Returns the error document if the event is an
    /// error or a failed response.
    [[nodiscard]] std::optional<json> add(json event, const delta_sink& sink);

    /// Whether the last event of a response was received.
    [[nodiscard]] bool complete() const noexcept { return complete_; }

    /// Returns the response and resets the object.
    [[nodiscard]] json take();

private:
    [[nodiscard]] std::optional<json> finish(json response);

    json response_ = {};
    std::map<std::int64_t, json> items_ = {};  ///< finished output items by their index
    std::set<std::int64_t> commentary_ = {};   ///< the indices of messages that are not the answer
    bool complete_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
