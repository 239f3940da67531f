#include "gemini/request_encoder.hpp"

#include "gemini/abilities.hpp"
#include "gemini/answer_schema.hpp"
#include "gemini/wire.hpp"

#include <pyaichat/gemini/closed_schema.hpp>
#include <pyaichat/gemini/codec.hpp>

#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

/// Whether the models of a writer take images inside of replies. Only the name of an older generation says that they do not.
bool takes_reply_images(std::string_view writer) noexcept {
    return !writer.starts_with("gemini-1") && !writer.starts_with("gemini-2");
}

result<void> append_declaration(std::string& out, const capability_spec& spec, gemini_parameters form) {
    json function = {{"description", spec.description}, {"name", spec.name}};
    if (spec.parameters.is_object() && form == gemini_parameters::json_schema) {
        function["parametersJsonSchema"] = spec.parameters;
    } else if (spec.parameters.is_object()) {
        result<json> closed = closed_schema(spec.parameters);
        if (!closed) {
            failure error = closed.error();
            error.message = "the parameters of `" + spec.name + "` cannot be declared in the closed form: " + error.message;
            return error;
        }
        if (!closed->is_null()) {
            function["parameters"] = *std::move(closed);
        }
    }
    append_comma(out);
    append_json(out, function, max_json_depth + 1);
    return {};
}

gemini_tool_mode mode_of(tool_mode wanted, gemini_tool_mode otherwise) noexcept {
    switch (wanted) {
        case tool_mode::required: return gemini_tool_mode::any;
        case tool_mode::none: return gemini_tool_mode::none;
        case tool_mode::validated: return gemini_tool_mode::validated;
        case tool_mode::automatic: break;
    }
    return otherwise;
}

}  // namespace

request_encoder::request_encoder(const gemini_options& options)
    : style_{.writer = wire_writer(options.model),
             .call_ids = options.call_ids == gemini_call_ids::automatic,
             .signatures = demands_signatures(options.model),
             .reply_images = takes_reply_images(wire_writer(options.model))},
      parameters_(options.parameters),
      mode_(options.tool_mode),
      allowed_functions_(options.allowed_functions),
      sends_answer_schemas_(combines_schema_and_functions(options.model) && options.tool_mode != gemini_tool_mode::validated),
      settings_(read_settings(options)) {}

bool request_encoder::takes_answer_schema(const json& schema) const {
    return sends_answer_schemas_ && answer_schema(schema).has_value();
}

request_encoder::plan request_encoder::plan_of(const model_request& request, const contents_text& contents) const {
    plan out{.mode = mode_of(request.mode, mode_), .has_functions = !request.declarations.empty()};
    if (out.mode == gemini_tool_mode::any && contents.answers_calls()) {
        out.mode = gemini_tool_mode::automatic;  // otherwise the model would call after every reply and never answer
    }
    if (request.answer_schema && sends_answer_schemas_) {
        out.schema = answer_schema(*request.answer_schema);
    }
    if (!out.schema || !out.has_functions) {
        return out;
    }
    // The service takes a schema beside functions in mode AUTO only.
    switch (out.mode) {
        case gemini_tool_mode::automatic: break;
        case gemini_tool_mode::none: out.has_functions = false; break;  // NONE means the same
        case gemini_tool_mode::any: out.schema.reset(); break;          // there is no answer before the call
        case gemini_tool_mode::validated:
            if (allowed_functions_.empty()) {
                out.mode = gemini_tool_mode::automatic;  // the loop validates the arguments
            } else {
                out.schema.reset();
            }
            break;
    }
    return out;
}

result<void> request_encoder::append_calling_config(std::string& body, const model_request& request, gemini_tool_mode mode) const {
    constexpr std::array<std::string_view, 4> names = {"AUTO", "ANY", "NONE", "VALIDATED"};
    body += R"("functionCallingConfig":{)";
    if (!allowed_functions_.empty() && (mode == gemini_tool_mode::any || mode == gemini_tool_mode::validated)) {
        for (const std::string& name : allowed_functions_) {
            if (request.declarations.find(name) == nullptr) {
                return invalid_request("the allowed function `" + name + "` is not declared", "Allow only functions that are declared.");
            }
        }
        append_member(body, "allowedFunctionNames", allowed_functions_);
    }
    body += R"("mode":")";
    body += names[static_cast<std::size_t>(mode)];
    body += R"("})";
    return {};
}

void request_encoder::append_generation(std::string& body, const model_request& request, const plan& planned) const {
    if (!request.answer_schema) {
        body += settings_->generation_text;
        return;
    }
    json generation = settings_->generation;
    for (const char* name : {"responseMimeType", "responseSchema", "responseJsonSchema", "responseFormat"}) {
        generation.erase(name);
    }
    if (planned.schema) {
        generation["responseMimeType"] = "application/json";
        generation["responseJsonSchema"] = *planned.schema;
    }
    if (!generation.empty()) {
        append_member(body, "generationConfig", generation);
    }
}

result<void> request_encoder::append_tools(std::string& body, const model_request& request, const plan& planned) {
    if (planned.has_functions) {
        body += R"("toolConfig":{)";
        body += settings_->tool_members;
        if (const result<void> calling = append_calling_config(body, request, planned.mode); !calling) {
            return calling;
        }
        body += "},";
    } else {
        body += settings_->tool_config;
    }
    if (!planned.has_functions && settings_->tools.empty()) {
        return {};
    }
    body += R"("tools":[)";
    if (planned.has_functions) {
        const result<detail::declaration_cache::text> functions =
            functions_.get(request.declarations,
                           [this](std::string& out, const capability_spec& spec) { return append_declaration(out, spec, parameters_); });
        if (!functions) {
            return functions.error();
        }
        body += R"({"functionDeclarations":[)";
        body += **functions;
        body += "]}";
    }
    if (!settings_->tools.empty()) {
        append_comma(body);
        body += settings_->tools;
    }
    body += "],";
    return {};
}

result<std::string> request_encoder::encode(const model_request& request) {
    if (!settings_) {
        return settings_.error();
    }
    auto known = histories_.take(request.messages);
    for (std::size_t i = known.messages.size(); i < request.messages.size(); ++i) {
        known.text.add(request.messages[i], style_);
    }
    known.messages = request.messages;
    if (known.text.empty()) {
        return invalid_request("the conversation has no user text and no reply to send", "Ask a question with text.");
    }
    const plan planned = plan_of(request, known.text);
    std::string body = "{";
    append_generation(body, request, planned);
    body += settings_->others;
    if (!request.instructions.empty()) {
        body += *instructions_.get(request.instructions, [](const std::string& text) {
            std::string member;
            append_member(member, "systemInstruction", {{"parts", json::array({{{"text", text}}})}});
            return member;
        });
    }
    if (const result<void> tools = append_tools(body, request, planned); !tools) {
        return tools.error();
    }
    body.reserve(body.size() + known.text.size() + 512);
    body += R"("contents":[)";
    known.text.append_to(body, style_);
    body += "]}";
    histories_.keep(std::move(known));
    return body;
}

result<std::string> encode_request(const model_request& request, const gemini_options& options) {
    return request_encoder(options).encode(request);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
