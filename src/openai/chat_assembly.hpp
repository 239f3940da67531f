#pragma once
#include "openai/call_assembly.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Assembles the chunks of a stream into the chat completion that the service would have sent at once.
class chat_assembly {
public:
    /// Adds a chunk, which must be an object, and passes the new text and reasoning of the first choice to the sink. A choice may also be
    /// whole, with `message` in place of `delta`.
    void add(json chunk, const delta_sink& sink);

    /// Whether no choice has a finish reason.
    [[nodiscard]] bool unfinished() const noexcept;

    /// Returns the chat completion and resets the object.
    [[nodiscard]] json take();

private:
    struct choice {
        json members = json::object();  ///< of the message, except those that are joined from pieces
        std::string text = {};
        json pieces = json::array();                     ///< a content that is a list, instead of `text`
        std::map<std::string, std::string> joined = {};  ///< `refusal` and the reasoning
        json details = json::array();                    ///< `reasoning_details`, joined by index
        bool has_content = false;
        call_assembly calls = {};
        std::string finish = {};
    };

    void add_message(choice& into, json& delta, const delta_sink& sink);
    static void add_content(choice& into, json& content, const delta_sink& sink);

    json envelope_ = json::object();  ///< the members of the response that are used; `choices` is empty
    std::map<std::int64_t, choice> choices_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
