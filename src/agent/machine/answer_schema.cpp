#include "agent/machine/answer_schema.hpp"

#include "agent/machine/partial_json.hpp"
#include "message/value_depth.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/schema/encode.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Limits the validation of an answer to about 50 ms, because it runs on the pumping thread.
constexpr std::uint64_t most_answer_steps = 1'000'000;

constexpr std::string_view wrapped_member = "answer";

/// Makes the references of a schema point to the same places after it was moved below `prefix`.
void move_references(json& schema, const std::string& prefix) {
    if (schema.is_array()) {
        for (json& element : schema) {
            move_references(element, prefix);
        }
    }
    if (!schema.is_object() || find_member(schema, "$id") != nullptr) {
        return;  // within a schema that has an `$id`, references are relative to it
    }
    constexpr std::array<std::string_view, 4> of_values{"const", "default", "enum", "examples"};
    constexpr std::array<std::string_view, 5> of_names{"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"};
    for (auto& member : *schema.get_ptr<json::object_t*>()) {
        const std::string& keyword = member.first;
        json& value = member.second;
        const auto is_in = [&](const auto& names) { return std::find(names.begin(), names.end(), keyword) != names.end(); };
        const auto text = as_string(value);
        if (keyword == "$ref" && text && (*text == "#" || text->starts_with("#/"))) {
            value = "#" + prefix + std::string(text->substr(1));
        } else if (is_in(of_names) && value.is_object()) {
            for (auto& named : *value.get_ptr<json::object_t*>()) {
                move_references(named.second, prefix);
            }
        } else if (!is_in(of_values)) {
            move_references(value, prefix);
        }
    }
}

/// Returns the schema of an object whose only member satisfies `schema`.
json wrap(json schema) {
    json wrapped = json::object();
    if (schema.is_object()) {
        if (const json* dialect = find_member(schema, "$schema")) {
            wrapped["$schema"] = *dialect;
            schema.erase("$schema");
        }
        move_references(schema, "/properties/" + std::string(wrapped_member));
    }
    wrapped["type"] = "object";
    wrapped["properties"][std::string(wrapped_member)] = std::move(schema);
    wrapped["required"] = json::array({std::string(wrapped_member)});
    wrapped["additionalProperties"] = false;
    return wrapped;
}

/// Returns a name that no capability has.
std::string free_name(const capability_list& capabilities) {
    std::string name = "give_answer";
    for (int number = 2; capabilities.find(name) != nullptr; ++number) {
        name = "give_answer_" + std::to_string(number);
    }
    return name;
}

/// Removes a code fence if the whole text is in it.
std::string_view without_fence(std::string_view text) {
    constexpr std::string_view fence = "```";
    text = trimmed(text);
    const std::size_t line = text.find('\n');
    if (!text.starts_with(fence) || !text.ends_with(fence) || line == std::string_view::npos || line + fence.size() >= text.size()) {
        return text;
    }
    return trimmed(text.substr(line, text.size() - line - fence.size()));
}

}  // namespace

answer_schema::answer_schema(const json& schema, const compiled_schema& compiled)
    : schema_(std::make_shared<const json>(schema)), compiled_(compiled), wrapped_(string_member(schema, "type") != "object") {}

result<answer_schema> answer_schema::of(const json& schema) {
    result<compiled_schema> compiled = compile_schema(schema, {.max_steps = most_answer_steps});
    if (!compiled) {
        failure& why = compiled.error();
        why.message = "the JSON Schema of the answer cannot be used: " + why.message;
        return std::move(why);
    }
    return answer_schema(schema, *compiled);
}

result<void> answer_schema::choose_way(const capability_list& capabilities, bool service_takes_it, tool_mode mode) {
    if (service_takes_it) {
        function_.clear();
        offered_ = capabilities_ = capabilities;
        return {};
    }
    if (!function_.empty() && capabilities == capabilities_) {
        return {};
    }
    capability_spec spec{.name = free_name(capabilities),
                         .description = "Gives the final answer and ends the task. Call it once, alone, when the answer is known.",
                         .parameters = wrapped_ ? wrap(*schema_) : *schema_,
                         .effects = effects::read,
                         .origin = "the schema of the answer"};
    const result<capability_list> function = declare({spec});
    if (!function) {
        return function.error();
    }
    const std::array<capability_list, 2> both{capabilities, *function};
    result<capability_list> offered = mode == tool_mode::none ? function : derive(both);
    if (!offered) {
        return std::move(offered.error());
    }
    function_ = std::move(spec.name);
    capabilities_ = capabilities;
    offered_ = std::move(*offered);
    return {};
}

void answer_schema::add_to(model_request& request) const {
    request.declarations = offered_;
    if (function_.empty()) {
        request.answer_schema = schema_;
        return;
    }
    request.answer_function = function_;
    request.instructions += request.instructions.empty() ? "" : "\n\n";
    request.instructions += "Give the final answer only by a call of the function `" + function_ + "`, not as text.";
    if (request.mode == tool_mode::none) {
        request.mode = tool_mode::required;
    }
}

std::string answer_schema::ask_again() const {
    if (function_.empty()) {
        return "Respond again, with well-formed function calls, or with an answer that is one JSON value and satisfies its schema.";
    }
    return "Respond again: call `" + function_ + "` with the answer as its arguments, or another function if something is missing.";
}

answer_schema::reading answer_schema::judged(json value, std::string_view path) const {
    reading read{.errors = validate(compiled_, value)};
    for (schema_error& error : read.errors) {
        error.path.insert(0, path);
        read.why += read.why.empty() ? "the answer does not fit its schema: " : "; ";
        read.why += (error.path.empty() ? "the answer" : "`" + error.path + "`") + ": " + error.message + " (" + error.keyword + ")";
    }
    if (read.errors.empty()) {
        read.value = std::move(value);
    }
    return read;
}

answer_schema::reading answer_schema::read_text(std::string_view text) const {
    const std::string_view content = without_fence(text);
    result<json> value = parse_json(content, max_value_depth);
    if (!value) {
        const std::string found = content.empty() ? "it is empty" : one_line(content, 80);
        return {.why = value.error().code == errc::too_large ? "the answer nests too deep" : "the answer is not one JSON value: " + found};
    }
    partial_json whole;  // the parser would take the last of the members with one name
    whole.add(content);
    if (!whole.repeated_member().empty()) {
        return {.why = "the answer has the member `" + one_line(whole.repeated_member(), 80) + "` twice in one object"};
    }
    return judged(std::move(*value), "");
}

answer_schema::reading answer_schema::read_arguments(const json& arguments) const {
    if (!wrapped_) {
        return judged(arguments, "");
    }
    const json* answer = find_member(arguments, wrapped_member);
    if (answer == nullptr || arguments.size() != 1) {
        const schema_error misfit{.keyword = "required", .message = "must have the member `answer`, and no other"};
        return {.why = "the arguments: " + misfit.message, .errors = {misfit}};
    }
    return judged(*answer, "/" + std::string(wrapped_member));
}

answer_schema::calls answer_schema::read_calls(const message& content) const {
    calls read;
    std::vector<std::size_t> places;
    std::size_t count = 0;
    const call_part* first = nullptr;
    for (const part& piece : content.parts) {
        if (const auto* call = piece.as<call_part>()) {
            if (!function_.empty() && call->name == function_) {
                places.push_back(count);
                first = first == nullptr ? call : first;
            }
            ++count;
        }
    }
    const auto reply_to_all = [&](const capability_reply& reply) {
        for (const std::size_t place : places) {
            read.replies.emplace(place, reply);
        }
    };
    if (places.size() > 1) {
        read.why =
            "it has " + counted(static_cast<std::int64_t>(places.size()), "call") + " of `" + function_ + "`, and there is one answer";
        reply_to_all(reply_error(reply_code::invalid_args, "give one answer: call `" + function_ + "` once, alone"));
    } else if (first != nullptr && count > 1) {
        reply_to_all(reply_error(reply_code::denied,
                                 "this answer was not taken, because it was given before the replies to the other calls "
                                 "were known; read them, then call `" +
                                     function_ + "` alone"));
    } else if (first != nullptr) {
        reading answer = read_arguments(first->arguments);
        if (answer.value) {
            read.value = std::move(answer.value);
        } else {
            reply_to_all(reply_error(reply_code::invalid_args, answer.why, *encode(answer.errors)));
            read.why = std::move(answer.why);
        }
    }
    return read;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
