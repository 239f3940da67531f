#include <pyaichat/offline/offline.hpp>

#include "offline/question.hpp"

#include <algorithm>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

using detail::question;
using detail::question_form;

/// The declared capability with this name, or with a prefix before it. Null if it is not declared.
const capability_spec* find_declared(const capability_list& declarations, std::string_view capability) {
    if (const capability_spec* exact = declarations.find(capability)) {
        return exact;
    }
    const auto prefixed = std::find_if(declarations.begin(), declarations.end(),
                                       [&](const capability_spec& spec) { return spec.name.ends_with(capability); });
    return prefixed == declarations.end() ? nullptr : &*prefixed;
}

/// The question that is open, and the replies that have come since it was asked.
struct turn {
    std::string question = {};
    std::vector<response_part> replies = {};
};

turn read_turn(const conversation& messages) {
    turn out;
    for (const message& said : messages) {
        if (said.role != role::user) {
            continue;
        }
        bool asks = true;
        for (const part& piece : said.parts) {
            if (const auto* response = piece.as<response_part>()) {
                out.replies.push_back(*response);
                asks = false;
            }
        }
        if (asks) {
            out = {.question = said.text()};
        }
    }
    return out;
}

/// The calls that answer the question, or a sentence that says which capability is missing.
message plan(const question& asked, const capability_list& declarations) {
    const std::string_view needed = detail::capability_for(asked.form);
    const capability_spec* needed_spec = find_declared(declarations, needed);
    if (needed_spec == nullptr) {
        return model_message("I would need the capability `" + std::string(needed) + "` to answer that, and it is not declared here.");
    }
    const bool about_value = asked.form == question_form::value || asked.form == question_form::contents;
    const capability_spec* helpful_spec = about_value ? find_declared(declarations, "inspect") : nullptr;
    message out{.role = role::model};
    for (const capability_spec* spec : {helpful_spec, needed_spec}) {
        if (spec != nullptr) {
            json arguments = asked.subject.empty() ? json::object() : json{{"expr", asked.subject}};
            out.parts.emplace_back(
                call_part{.id = "offline-" + std::to_string(out.parts.size() + 1), .name = spec->name, .arguments = std::move(arguments)});
        }
    }
    return out;
}

message respond(const model_request& request) {
    const turn open = read_turn(request.messages);
    const question asked = detail::recognise(open.question);
    if (asked.form == question_form::unknown) {
        return model_message(std::string(detail::understood_forms()));
    }
    return open.replies.empty() ? plan(asked, request.declarations) : model_message(detail::answer_from(asked, open.replies));
}

}  // namespace

result<model_response> offline::complete(const model_request& request, const delta_sink&, const cancel_token& cancel) const {
    if (cancel.stop_requested()) {
        return failure{.code = errc::cancelled, .message = "cancelled before it began"};
    }
    model_response out{.model = "offline"};
    out.candidates.push_back({.content = respond(request), .finish = finish_reason::stop, .finish_text = "STOP"});
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
