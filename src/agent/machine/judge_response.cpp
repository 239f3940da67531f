#include "agent/machine/judge_response.hpp"

#include "agent/machine/shorten_reply.hpp"
#include "message/value_depth.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

std::string finish_word(const candidate& option) {
    return option.finish_text.empty() ? "no finish reason" : one_line(option.finish_text, 60);
}

/// Removes full stops at the end, for use inside a sentence.
std::string without_full_stop(std::string text) {
    while (text.ends_with('.') && !text.ends_with("...")) {
        text.pop_back();
    }
    return text;
}

/// Returns why a candidate is unusable, or an empty text if it is usable.
std::string objection(const candidate& option) {
    if (option.finish == finish_reason::blocked) {
        return "it was blocked (" + finish_word(option) + ")";
    }
    if (option.finish == finish_reason::malformed) {
        return "it was malformed (" + finish_word(option) + ")" +
               (option.finish_message.empty() ? "" : ": " + without_full_stop(one_line(option.finish_message, 200)));
    }
    std::size_t calls = 0;
    for (const part& piece : option.content.parts) {
        if (const auto* call = piece.as<call_part>()) {
            if (++calls > most_calls_in_response) {
                return "it has more than " + std::to_string(most_calls_in_response) + " function calls";
            }
            if (call->name.empty()) {
                return "a function call in it has no name";
            }
            if (nests_deeper_than(call->arguments, max_value_depth)) {
                return "the arguments of the function call `" + one_line(call->name, 64) + "` nest too deep";
            }
            if (!call->arguments.is_object()) {
                return "the arguments of the function call `" + one_line(call->name, 64) + "` are not a JSON object";
            }
        }
    }
    const bool has_calls = calls > 0;
    if (has_calls && option.finish != finish_reason::stop) {
        return "it ended in the middle of its function calls (" + finish_word(option) + ")";
    }
    if (!has_calls && is_blank(option.content.text())) {
        return option.finish == finish_reason::stop ? "it has neither a function call nor a text"
                                                    : "it has neither a function call nor a text (" + finish_word(option) + ")";
    }
    return {};
}

}  // namespace

void normalise(model_response& response) {
    for (candidate& one : response.candidates) {
        std::size_t calls = 0;
        const auto end = std::find_if(one.content.parts.begin(), one.content.parts.end(), [&](const part& piece) {
            return piece.as<call_part>() != nullptr && ++calls > most_calls_in_response + 1;
        });
        one.content.parts.erase(end, one.content.parts.end());
        for (part& piece : one.content.parts) {
            if (auto* call = std::get_if<call_part>(&piece.content)) {
                normalise(call->arguments);
            }
        }
    }
}

verdict judge(model_response& response) {
    verdict judged;
    if (response.candidates.empty()) {
        judged.why = "it is empty";
        return judged;
    }
    for (candidate& option : response.candidates) {
        std::string found = objection(option);
        if (found.empty()) {
            return {.chosen = &option};
        }
        if (judged.why.empty()) {
            judged.why = std::move(found);
        }
    }
    judged.blocked = std::all_of(response.candidates.begin(), response.candidates.end(),
                                 [](const candidate& option) { return option.finish == finish_reason::blocked; });
    return judged;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
