#include "gemini/request_encoder.hpp"

#include "gemini/encode_settings.hpp"
#include "gemini/json_text.hpp"

#include <pyaichat/gemini/closed_schema.hpp>
#include <pyaichat/gemini/codec.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

constexpr std::size_t most_memories = 8;                         // conversations in the cache
constexpr std::size_t most_memory_bytes = std::size_t{8} << 20;  // per conversation; larger ones are not cached

bool same(const capability_list& one, const capability_list& other) noexcept {
    return one.begin() == other.begin() && one.size() == other.size();
}

result<void> append_declaration(std::string& out, const capability_spec& spec, gemini_parameters form) {
    append_comma(out);
    out += R"({"description":)";
    append_string(out, spec.description);
    out += R"(,"name":)";
    append_string(out, spec.name);
    if (spec.parameters.is_object() && form == gemini_parameters::json_schema) {
        out += R"(,"parametersJsonSchema":)";
        append_json(out, spec.parameters);
    } else if (spec.parameters.is_object()) {
        const result<json> closed = closed_schema(spec.parameters);
        if (!closed) {
            failure error = closed.error();
            error.message = "the parameters of `" + spec.name + "` cannot be declared in the closed form: " + error.message;
            return error;
        }
        if (!closed->is_null()) {
            out += R"(,"parameters":)";
            append_json(out, *closed);
        }
    }
    out += '}';
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

std::string_view wire_name(gemini_tool_mode mode) noexcept {
    constexpr std::array<std::string_view, 4> names = {"AUTO", "ANY", "NONE", "VALIDATED"};
    return names[static_cast<std::size_t>(mode)];
}

}  // namespace

request_encoder::request_encoder(const gemini_options& options)
    : style_{.writer = wire_writer(options.model), .call_ids = options.call_ids == gemini_call_ids::automatic},
      parameters_(options.parameters),
      mode_(options.tool_mode),
      allowed_functions_(options.allowed_functions),
      settings_(encode_settings(options)) {}

request_encoder::memory request_encoder::take(const model_request& request) {
    const std::lock_guard lock(mutex_);
    auto best = memories_.end();
    for (auto at = memories_.begin(); at != memories_.end(); ++at) {
        const std::size_t length = at->messages.size();
        if (length <= request.messages.size() && at->messages.shared_prefix(request.messages) == length &&
            (best == memories_.end() || length > best->messages.size())) {
            best = at;
        }
    }
    if (best == memories_.end()) {
        return {};
    }
    memory found = std::move(*best);
    memories_.erase(best);
    return found;
}

void request_encoder::keep(memory used) {
    if (used.contents.size() > most_memory_bytes) {
        return;
    }
    const std::lock_guard lock(mutex_);
    if (memories_.size() >= most_memories) {
        memories_.erase(memories_.begin());
    }
    memories_.push_back(std::move(used));
}

result<std::shared_ptr<const std::string>> request_encoder::functions(const capability_list& declared) {
    {
        const std::lock_guard lock(mutex_);
        if (functions_.text && same(functions_.declared, declared)) {
            return functions_.text;
        }
    }
    std::string text;
    for (const capability_spec& spec : declared) {
        if (const result<void> done = append_declaration(text, spec, parameters_); !done) {
            return done.error();
        }
    }
    auto written = std::make_shared<const std::string>(std::move(text));
    const std::lock_guard lock(mutex_);
    functions_ = {.declared = declared, .text = written};
    return written;
}

result<std::string> request_encoder::tool_config(const model_request& request, const contents_text& contents) const {
    gemini_tool_mode mode = mode_of(request.mode, mode_);
    if (mode == gemini_tool_mode::any && contents.answers_calls()) {
        mode = gemini_tool_mode::automatic;  // otherwise the model would call after every reply and never answer
    }
    std::string out = R"("toolConfig":{"functionCallingConfig":{)";
    const bool may_restrict = mode == gemini_tool_mode::any || mode == gemini_tool_mode::validated;
    if (may_restrict && !allowed_functions_.empty()) {
        out += R"("allowedFunctionNames":[)";
        for (const std::string& name : allowed_functions_) {
            if (request.declarations.find(name) == nullptr) {
                return failure{.code = errc::invalid_argument,
                               .message = "the allowed function `" + name + "` is not declared",
                               .hint = "Allow only functions that are declared."};
            }
            append_comma(out);
            append_string(out, name);
        }
        out += "],";
    }
    out += R"("mode":")";
    out += wire_name(mode);
    out += R"("}},)";
    return out;
}

result<std::string> request_encoder::encode(const model_request& request) {
    if (!settings_) {
        return settings_.error();
    }
    const result<std::shared_ptr<const std::string>> declared = functions(request.declarations);
    if (!declared) {
        return declared.error();
    }
    const std::string& functions = **declared;
    memory known = take(request);
    for (std::size_t i = known.messages.size(); i < request.messages.size(); ++i) {
        known.contents.add(request.messages[i], style_);
    }
    known.messages = request.messages;
    if (known.contents.empty()) {
        return failure{.code = errc::invalid_argument,
                       .message = "the conversation has no user text and no reply to send",
                       .hint = "Ask a question with text."};
    }
    std::string body;
    body.reserve(known.contents.size() + functions.size() + request.instructions.size() + settings_->size() + 512);
    body += '{';
    body += *settings_;
    if (!request.instructions.empty()) {
        body += R"("systemInstruction":{"parts":[{"text":)";
        append_string(body, request.instructions);
        body += "}]},";
    }
    if (!request.declarations.empty()) {
        result<std::string> config = tool_config(request, known.contents);
        if (!config) {
            return config.error();
        }
        body += *config;
        body += R"("tools":[{"functionDeclarations":[)";
        body += functions;
        body += "]}],";
    }
    body += R"("contents":[)";
    known.contents.append_to(body, style_);
    body += "]}";
    keep(std::move(known));
    return body;
}

result<std::string> encode_request(const model_request& request, const gemini_options& options) {
    return request_encoder(options).encode(request);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
