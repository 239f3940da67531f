#include "testing/anthropic_emulator/anthropic_rules.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

using id_set = std::set<std::string, std::less<>>;

bool is_empty_content(const json& message) {
    const json& content = *find_member(message, "content");
    return content.is_array() ? content.empty() : as_string(content) == "";
}

anthropic_violation check_text(const json& block) {
    if (anthropic_type(block) != "text") {
        return std::nullopt;
    }
    const std::string_view text = string_member(block, "text").value_or("");
    if (text.empty()) {
        return "messages: text content blocks must be non-empty";
    }
    return detail::is_blank(text) ? anthropic_violation("messages: text content blocks must contain non-whitespace text")
                                  : anthropic_violation();
}

std::string joined(const id_set& ids) {
    std::string out;
    for (const std::string& id : ids) {
        out += (out.empty() ? "" : ", ") + id;
    }
    return out;
}

/// Checks that a message begins with the results of `due`, one for each, and has no others.
anthropic_violation check_results(const json& message, const std::string& path, std::size_t number, const id_set& due) {
    id_set left = due;
    id_set seen;
    bool after_results = false;
    auto wrong = each_anthropic_block(message, path, [&](const json& block, const std::string& at) -> anthropic_violation {
        if (anthropic_type(block) != "tool_result") {
            after_results = true;
            return std::nullopt;
        }
        const std::string id(*string_member(block, "tool_use_id"));
        if (seen.contains(id)) {
            return at + ": each tool_use must have a single result. Found multiple `tool_result` blocks with id: " + id;
        }
        if (!due.contains(id)) {
            return at + ": unexpected `tool_use_id` found in `tool_result` blocks: " + id +
                   ". Each `tool_result` block must have a corresponding `tool_use` block in the previous message.";
        }
        if (after_results) {
            return std::nullopt;  // stays in `left`
        }
        const json* content = find_member(block, "content");
        if (bool_member(block, "is_error").value_or(false) && (content == nullptr || content->empty() || as_string(*content) == "")) {
            return at + ".tool_result: content cannot be empty if `is_error` is true";
        }
        seen.insert(id);
        left.erase(id);
        return std::nullopt;
    });
    if (!wrong && !left.empty()) {
        wrong = "messages." + std::to_string(number - 1) +
                ": `tool_use` ids were found without `tool_result` blocks immediately after: " + joined(left) +
                ". Each `tool_use` block must have a corresponding `tool_result` block in the next message.";
    }
    return wrong;
}

}  // namespace

anthropic_violation check_anthropic_history(const json& request) {
    const json& messages = *find_member(request, "messages");
    if (messages.empty()) {
        return "messages: at least one message is required";
    }
    if (string_member(messages.front(), "role") != "user") {
        return "messages: first message must use the \"user\" role";
    }
    id_set all;
    id_set due;
    bool has_tool_blocks = false;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const std::string path = "messages." + std::to_string(i);
        if (is_empty_content(messages[i])) {
            return path + ": all messages must have non-empty content except for the optional final assistant message";
        }
        if (auto wrong = each_anthropic_block(messages[i], path, [](const json& block, const std::string&) { return check_text(block); })) {
            return wrong;
        }
        if (auto wrong = check_results(messages[i], path, i, due)) {
            return wrong;
        }
        has_tool_blocks = has_tool_blocks || !due.empty();
        due.clear();
        auto wrong = each_anthropic_block(messages[i], path, [&](const json& block, const std::string& at) -> anthropic_violation {
            if (anthropic_type(block) != "tool_use") {
                return std::nullopt;
            }
            const std::string id(*string_member(block, "id"));
            if (!is_anthropic_name(id, 1000)) {
                return at + ".tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'";
            }
            if (!is_anthropic_name(*string_member(block, "name"), 128)) {
                return at + ".tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";
            }
            if (!all.insert(id).second) {
                return at + ": `tool_use` ids must be unique";
            }
            due.insert(id);
            return std::nullopt;
        });
        if (wrong) {
            return wrong;
        }
    }
    if (string_member(messages.back(), "role") == "assistant") {
        return "This model does not support assistant message prefill. The conversation must end with a user message.";
    }
    const json* tools = find_member(request, "tools");
    if (has_tool_blocks && (tools == nullptr || tools->empty())) {
        return "Requests which include `tool_use` or `tool_result` blocks must define tools.";
    }
    return std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
