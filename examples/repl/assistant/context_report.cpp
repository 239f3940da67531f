#include "assistant/context_report.hpp"

#include "terminal/screen.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/message/capability_call.hpp>

#include <algorithm>
#include <variant>

namespace repl {

namespace {

constexpr std::size_t max_row_length = 110;

struct describe_part {
    std::string operator()(const ai::text_part& part) const { return part.text; }
    std::string operator()(const ai::thought_part&) const { return "(a thought)"; }
    std::string operator()(const ai::call_part& part) const { return "call " + ai::describe_call(part.name, part.arguments); }
    std::string operator()(const ai::response_part& part) const { return "reply to " + part.name + ": " + ai::dump_json(part.response); }
    std::string operator()(const ai::image_part& part) const { return "(an image of type " + part.image.mime_type() + ")"; }
    std::string operator()(const ai::opaque_part&) const { return "(data for its provider only)"; }
};

bool requires_member(const ai::json& parameters, const std::string& name) {
    const ai::json* required = ai::find_member(parameters, "required");
    return required != nullptr && required->is_array() && std::find(required->begin(), required->end(), ai::json(name)) != required->end();
}

std::string row(std::string_view text) {
    return "  " + ai::detail::one_line(text, max_row_length) + "\n";
}

}  // namespace

std::string signature_of(const ai::capability_spec& spec) {
    std::string text = spec.name + "(";
    const ai::json* properties = ai::find_member(spec.parameters, "properties");
    if (properties != nullptr && properties->is_object()) {
        bool first = true;
        for (auto member = properties->begin(); member != properties->end(); ++member) {
            text += (first ? "" : ", ") + member.key() + (requires_member(spec.parameters, member.key()) ? "" : "?");
            first = false;
        }
    }
    return text + ")";
}

std::string context_report(std::string_view prompt, std::span<const ai::capability_spec> functions, const ai::conversation& kept) {
    std::string text = "instructions\n";
    while (!prompt.empty()) {
        const std::size_t end = std::min(prompt.find('\n'), prompt.size());
        text += "  " + std::string(prompt.substr(0, end)) + "\n";
        prompt.remove_prefix(std::min(end + 1, prompt.size()));
    }
    text += "functions\n";
    for (const ai::capability_spec& spec : functions) {
        text += row(signature_of(spec) + " [" + std::string(to_string(spec.from)) + " " + spec.origin + ", " +
                    std::string(to_string(spec.effects)) + "] " + spec.description);
    }
    text += kept.empty() ? "messages\n  only the question\n" : "messages, then the question\n";
    for (const ai::message& message : kept) {
        for (const ai::part& part : message.parts) {
            text += row(std::string(to_string(message.role)) + ": " + std::visit(describe_part{}, part.content));
        }
    }
    return printable(text);
}

}  // namespace repl
