#include "anthropic/request_encoder.hpp"

#include "anthropic/answer_schema.hpp"
#include "anthropic/declared_tool.hpp"
#include "anthropic/service.hpp"
#include "anthropic/wire.hpp"
#include "core/fingerprint.hpp"
#include "provider/answer_schema.hpp"

#include <pyaichat/anthropic/anthropic_model_info.hpp>
#include <pyaichat/anthropic/codec.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

namespace {

/// Stands for a `tool_choice` that demands a call, on models that refuse one.
constexpr std::string_view demand = "Call at least one of the functions before you answer.";

/// The service accepts no more strict declarations than these in a request.
constexpr std::size_t most_strict_tools = 20;

/// Declares the functions that the history calls. The service refuses a history with calls if the request declares none.
std::string placeholder_tools(const std::set<std::string, std::less<>>& called, const schema_profile& accepted) {
    std::string out;
    for (const std::string& name : called) {
        append_comma(out);
        append_json(out, declared_tool({.name = name, .description = "No longer available."}, accepted, false));
    }
    return out;
}

}  // namespace

std::string wire_writer(const anthropic_options& options) {
    return "anthropic " + base_url(options) + " " + options.model;
}

request_encoder::request_encoder(const anthropic_options& options)
    : writer_(wire_writer(options)),
      strict_(options.strict_tools),
      parallel_(options.parallel_calls),
      parameters_(options.parameters),
      may_force_(may_be_forced(options.model) && (options.thinking.type.empty() || options.thinking.type == "disabled")),
      structured_(has_structured_answers(options.model)),
      settings_(encode_settings(options)) {}

bool request_encoder::takes_answer_schema(const json& schema) const {
    return settings_ && structured_ && is_enforceable(detail::without_dialect(schema));
}

void request_encoder::append_output(std::string& out, const model_request& request) const {
    json output = settings_->output;
    const bool own = request.answer_schema && !request.answer_schema->is_null();
    const json schema = own ? detail::without_dialect(*request.answer_schema) : settings_->answer_schema;
    if (!schema.is_null() && (!own || takes_answer_schema(schema))) {
        output["format"] = {{"type", "json_schema"}, {"schema", schema}};
    }
    if (!output.empty()) {
        append_member(out, "output_config", output);
    }
}

result<request_encoder::declared_tools> request_encoder::tools_of(const capability_list& declared, bool strict) {
    detail::declaration_cache& cache = strict ? strict_tools_ : tools_;
    const result<detail::declaration_cache::text> text = cache.get(declared, [&](std::string& out, const capability_spec& spec) {
        append_comma(out);
        append_json(out, declared_tool(spec, parameters_, strict), max_json_depth + 1);
        return result<void>();
    });
    if (!text) {
        return text.error();
    }
    const std::lock_guard lock(mutex_);
    if (last_tools_.text != *text) {
        last_tools_ = {*text, detail::fingerprint(**text)};
    }
    return last_tools_;
}

std::string request_encoder::tool_choice(const model_request& request, bool answers_calls) const {
    // Demanded after the results, too, the model would call for ever and never answer.
    const bool forced = request.mode == tool_mode::required && may_force_ && !answers_calls;
    json choice = {{"type", request.mode == tool_mode::none || request.declarations.empty() ? "none" : forced ? "any" : "auto"}};
    if (!parallel_ && choice["type"] != "none") {
        choice["disable_parallel_tool_use"] = true;
    }
    std::string out;
    if (choice.size() > 1 || choice["type"] != "auto") {  // the service's default
        append_member(out, "tool_choice", choice);
    }
    return out;
}

std::string request_encoder::instructions_of(const model_request& request) const {
    const bool demands = request.mode == tool_mode::required && !may_force_ && !request.declarations.empty();
    return !demands ? request.instructions : request.instructions + (request.instructions.empty() ? "" : "\n\n") + std::string(demand);
}

void request_encoder::refuse_thinking(std::uint64_t prefix) {
    constexpr std::size_t most = 1000;  // each costs one refused request; forgetting them costs one more
    const std::lock_guard lock(mutex_);
    refused_prefixes next = refused_ && refused_->size() < most ? *refused_ : refused_prefixes();
    next.insert(prefix);
    refused_ = std::make_shared<const refused_prefixes>(std::move(next));
}

result<encoded_request> request_encoder::encode(const model_request& request, bool counting) {
    if (!settings_) {
        return settings_.error();
    }
    const bool strict = (strict_ || request.mode == tool_mode::validated) && request.declarations.size() <= most_strict_tools;
    const result<declared_tools> tools = tools_of(request.declarations, strict);
    if (!tools) {
        return tools.error();
    }
    std::shared_ptr<const refused_prefixes> refused;
    {
        const std::lock_guard lock(mutex_);
        refused = refused_;
    }
    const std::string instructions = instructions_of(request);
    const std::uint64_t start = detail::fingerprint(instructions, tools->hash);
    auto known = histories_.take(request.messages);
    if (!known.text.is_for(start, refused)) {
        known = {};
        known.text = messages_text(start, refused);
    }
    for (std::size_t i = known.messages.size(); i < request.messages.size(); ++i) {
        known.text.add(request.messages[i], writer_);
    }
    known.messages = request.messages;
    if (known.text.empty()) {
        return invalid_request("the conversation has no user text and no reply to send", "Ask a question with text.");
    }
    encoded_request out;
    std::string& body = out.body;
    body.reserve(known.text.size() + tools->text->size() + instructions.size() + 1024);
    body = "{" + settings_->shared;
    if (!counting) {
        body += settings_->generation;
        append_output(body, request);
    }
    if (!instructions.empty()) {
        body += *instructions_.get(instructions, [](const std::string& text) {
            std::string member = R"("system":)";
            append_string(member, text);
            return member + ',';
        });
    }
    const std::string placeholders = request.declarations.empty() ? placeholder_tools(known.text.called(), parameters_) : std::string();
    if (!request.declarations.empty() || !placeholders.empty()) {
        body += tool_choice(request, known.text.answers_calls());
        body += R"("tools":[)";
        body += placeholders.empty() ? *tools->text : placeholders;
        body += "],";
    }
    body += R"("messages":[)";
    out.prefix = known.text.append_to(body);
    body += "]}";
    out.first_thinking = known.text.first_thinking();
    histories_.keep(std::move(known));
    return out;
}

result<std::string> encode_request(const model_request& request, const anthropic_options& options) {
    result<encoded_request> encoded = request_encoder(options).encode(request);
    return encoded ? result<std::string>(std::move(encoded->body)) : encoded.error();
}

result<std::uint64_t> prefix_of(const model_request& request, const anthropic_options& options) {
    const result<encoded_request> encoded = request_encoder(options).encode(request);
    return encoded ? result<std::uint64_t>(encoded->prefix) : encoded.error();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
