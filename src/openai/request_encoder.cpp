#include "openai/request_encoder.hpp"

#include "openai/declared_schema.hpp"
#include "openai/request_settings.hpp"
#include "openai/wire.hpp"

#include <pyaichat/openai/codec.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

void append_declaration(std::string& out, const capability_spec& spec, const message_style& style, bool strict) {
    json function = json::object({{"description", spec.description}, {"name", spec.name}});
    json parameters = declared_parameters(spec, style.profile, style.responses);
    const bool enforced = strict && is_strict(parameters);
    if (enforced || style.responses) {
        function["strict"] = enforced;  // the Responses API takes a missing member as true
    }
    if (!parameters.is_null()) {
        function["parameters"] = std::move(parameters);
    }
    append_comma(out);
    if (style.responses) {
        function["type"] = "function";
        append_json(out, function, max_json_depth + 2);
    } else {
        append_json(out, json::object({{"function", std::move(function)}, {"type", "function"}}), max_json_depth + 2);
    }
}

}  // namespace

request_encoder::request_encoder(const openai_options& options)
    : style_{.writer = wire_writer(options), .profile = options.profile, .responses = uses_responses(options)},
      settings_(encode_settings(options)),
      answer_(options),
      has_effort_(!options.generation.reasoning_effort.empty()) {}

result<void> request_encoder::append_functions(std::string& out, const model_request& request, const messages_text& messages) {
    if (request.declarations.empty()) {
        return {};
    }
    const bool strict = request.mode == tool_mode::validated && style_.profile.strict_tools;
    detail::declaration_cache& cache = strict ? strict_functions_ : functions_;
    const auto declared = cache.get(request.declarations, [&](std::string& text, const capability_spec& spec) {
        append_declaration(text, spec, style_, strict);
        return result<void>();
    });
    if (!declared) {
        return declared.error();
    }
    out += R"("tools":[)";
    out += **declared;
    out += "],";
    // A model that must call would call after every reply and never answer.
    const bool required = request.mode == tool_mode::required && !messages.answers_calls();
    if (required && !style_.profile.required_choice.empty()) {
        append_member(out, "tool_choice", style_.profile.required_choice);
    } else if (request.mode == tool_mode::none) {
        append_member(out, "tool_choice", "none");
    }
    if (style_.profile.parallel_calls) {
        append_member(out, "parallel_tool_calls", *style_.profile.parallel_calls);
    }
    return {};
}

/// Returns the instructions as a message, or as a member for the Responses API.
detail::text_cache::encoded request_encoder::encoded_instructions(const model_request& request) {
    return instructions_.get(request.instructions, [this](const std::string& text) {
        std::string out;
        if (style_.responses) {
            append_member(out, "instructions", text);
        } else {
            append_json(out, json::object({{"content", text}, {"role", style_.profile.system_role}}));
        }
        return out;
    });
}

result<std::string> request_encoder::encode(const model_request& request, std::string_view effort) {
    if (!settings_) {
        return settings_.error();
    }
    auto known = histories_.take(request.messages);
    for (std::size_t i = known.messages.size(); i < request.messages.size(); ++i) {
        known.text.add(request.messages[i], style_);
    }
    known.messages = request.messages;
    if (known.text.empty()) {
        return failure{.code = errc::invalid_argument,
                       .message = "the conversation has no user text and no reply to send",
                       .hint = "Ask a question with text."};
    }
    std::string body;
    body.reserve(known.text.size() + request.instructions.size() + settings_->size() + 4096);
    body += '{';
    body += *settings_;
    answer_.append_to(body, request);
    if (!effort.empty() && !has_effort_) {
        append_member(body, "reasoning_effort", effort);
    }
    if (const result<void> done = append_functions(body, request, known.text); !done) {
        return done.error();
    }
    const bool instructed = !request.instructions.empty();
    if (style_.responses && instructed) {
        body += *encoded_instructions(request);
    }
    body += style_.responses ? R"("input":[)" : R"("messages":[)";
    if (!style_.responses && instructed) {
        body += *encoded_instructions(request);
    }
    known.text.append_to(body, style_);
    body += "]}";
    histories_.keep(std::move(known));
    return body;
}

result<std::string> encode_request(const model_request& request, const openai_options& options) {
    return request_encoder(options).encode(request);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
