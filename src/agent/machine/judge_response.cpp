#include "agent/machine/judge_response.hpp"

#include "message/value_depth.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

std::string finish_word(const candidate& one) {
    return one.finish_text.empty() ? "no finish reason" : one_line(one.finish_text, 60);
}

/// To be part of a sentence.
std::string without_full_stop(std::string text) {
    while (text.ends_with('.') && !text.ends_with("...")) {
        text.pop_back();
    }
    return text;
}

/// Why a candidate cannot be used; empty when it can.
std::string objection(const candidate& one) {
    if (one.finish == finish_reason::blocked) {
        return "it was blocked (" + finish_word(one) + ")";
    }
    if (one.finish == finish_reason::malformed) {
        return "it was malformed (" + finish_word(one) + ")" +
               (one.finish_message.empty() ? "" : ": " + without_full_stop(one_line(one.finish_message, 200)));
    }
    bool has_calls = false;
    for (const part& piece : one.content.parts) {
        if (const auto* call = piece.as<call_part>()) {
            has_calls = true;
            if (call->name.empty()) {
                return "a function call in it has no name";
            }
            if (nests_deeper_than(call->arguments, max_value_depth)) {
                return "the arguments of the function call `" + one_line(call->name, 64) + "` nest too deep";
            }
            if (!call->arguments.is_object()) {
                return "the arguments of the function call `" + one_line(call->name, 64) + "` are no JSON object";
            }
        }
    }
    if (has_calls && one.finish != finish_reason::stop) {
        return "it ended in the middle of its function calls (" + finish_word(one) + ")";
    }
    if (!has_calls && is_blank(one.content.text())) {
        return one.finish == finish_reason::stop ? "it has neither a function call nor a text"
                                                 : "it has neither a function call nor a text (" + finish_word(one) + ")";
    }
    return {};
}

}  // namespace

verdict judge(model_response& response) {
    verdict made;
    if (response.candidates.empty()) {
        made.why = "it is empty";
        return made;
    }
    for (candidate& one : response.candidates) {
        std::string found = objection(one);
        if (found.empty()) {
            return {.chosen = &one};
        }
        if (made.why.empty()) {
            made.why = std::move(found);
        }
    }
    made.blocked = std::all_of(response.candidates.begin(), response.candidates.end(),
                               [](const candidate& one) { return one.finish == finish_reason::blocked; });
    return made;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
