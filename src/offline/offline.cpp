#include <pyaichat/offline/offline.hpp>

#include "offline/offline_answer.hpp"
#include "offline/question.hpp"

#include <array>
#include <optional>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

using detail::question;
using detail::question_form;

/// One capability that helps with a form; the ones without which there is no answer are `needed`.
struct wanted_call {
    std::string_view capability = {};
    bool needed = true;
};

std::vector<wanted_call> calls_for(question_form form) {
    switch (form) {
        case question_form::variables: return {{"list_globals"}};
        case question_form::value:
        case question_form::contents: return {{"inspect", false}, {"get_repr"}};
        case question_form::type: return {{"get_type"}};
        case question_form::members: return {{"get_dir"}};
        case question_form::documentation: return {{"get_doc"}};
        case question_form::failure: return {{"get_last_exception"}};
        case question_form::computation: return {{"eval_expr"}};
        case question_form::unknown: break;
    }
    return {};
}

/// The declared name of a capability: its own, or one with a prefix. Null when it is not declared.
const capability_spec* find_declared(const capability_list& declarations, std::string_view capability) {
    const capability_spec* prefixed = nullptr;
    for (const capability_spec& one : declarations) {
        if (one.name == capability) {
            return &one;
        }
        if (prefixed == nullptr && std::string_view(one.name).ends_with(capability)) {
            prefixed = &one;
        }
    }
    return prefixed;
}

/// The plain name of a capability that was called by its declared one.
std::string_view plain_name(std::string_view declared) {
    for (const std::string_view one :
         {"list_globals", "get_type", "get_repr", "get_dir", "get_doc", "inspect", "eval_expr", "get_last_exception"}) {
        if (declared.ends_with(one)) {
            return one;
        }
    }
    return declared;
}

/// The question that is open, and the replies that have come since it was asked.
struct turn {
    std::string question = {};
    std::vector<detail::plain_reply> replies = {};
};

turn read_turn(const conversation& messages) {
    turn out;
    for (const message& one : messages) {
        if (one.role != role::user) {
            continue;
        }
        std::vector<detail::plain_reply> replies;
        for (const part& piece : one.parts) {
            if (const auto* response = piece.as<response_part>()) {
                replies.push_back({plain_name(response->name), response->response});
            }
        }
        if (replies.empty()) {
            out = {.question = one.text()};
        } else {
            out.replies.insert(out.replies.end(), replies.begin(), replies.end());
        }
    }
    return out;
}

model_response response_of(message content) {
    model_response out;
    candidate one;
    one.content = std::move(content);
    one.finish = finish_reason::stop;
    one.finish_text = "STOP";
    out.candidates.push_back(std::move(one));
    out.model = "offline";
    return out;
}

/// The calls that answer the question, or a sentence that says which capability is missing.
message plan(const question& asked, const capability_list& declarations) {
    message out{.role = role::model};
    for (const wanted_call& wanted : calls_for(asked.form)) {
        const capability_spec* spec = find_declared(declarations, wanted.capability);
        if (spec == nullptr && wanted.needed) {
            return model_message("I would need the capability `" + std::string(wanted.capability) +
                                 "` to answer that, and it is not declared here.");
        }
        if (spec == nullptr) {
            continue;
        }
        json arguments = json::object();
        if (!asked.subject.empty()) {
            arguments["expr"] = asked.subject;
        }
        out.parts.emplace_back(
            call_part{.id = "offline-" + std::to_string(out.parts.size() + 1), .name = spec->name, .arguments = std::move(arguments)});
    }
    return out;
}

}  // namespace

result<model_response> offline::complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) const {
    static_cast<void>(sink);
    if (cancel.stop_requested()) {
        return failure{.code = errc::cancelled, .message = "cancelled before it began"};
    }
    const turn open = read_turn(request.messages);
    const question asked = detail::recognise(open.question);
    if (asked.form == question_form::unknown) {
        return response_of(model_message(std::string(detail::understood_forms())));
    }
    if (!open.replies.empty()) {
        return response_of(model_message(detail::answer_from(asked, open.replies)));
    }
    return response_of(plan(asked, request.declarations));
}

}  // namespace pyaichat::inline PYAICHAT_ABI
