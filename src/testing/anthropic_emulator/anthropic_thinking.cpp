#include "testing/anthropic_emulator/anthropic_rules.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

bool is_thought(const json& block) {
    return anthropic_type(block) == "thinking" || anthropic_type(block) == "redacted_thinking";
}

/// A content as a list, without texts that the service does not accept back, and without cache marks and notes about citations.
json comparable(const json& content) {
    json out = json::array();
    if (const auto text = as_string(content)) {
        out.push_back({{"type", "text"}, {"text", std::string(*text)}});
        return out;
    }
    for (json block : content) {
        const bool blank = anthropic_type(block) == "text" && detail::is_blank(string_member(block, "text").value_or(""));
        if (block.is_object() && !blank) {
            block.erase("cache_control");
            block.erase("citations");
            out.push_back(std::move(block));
        }
    }
    return out;
}

json member_or_null(const json& object, std::string_view name) {
    const json* member = find_member(object, name);
    return member != nullptr ? *member : json();
}

/// Whether the first `count` messages of a request, its instructions and tools are those of an earlier request, and all of it.
bool continues(const json& request, std::size_t count, const json& earlier) {
    if (member_or_null(request, "system") != member_or_null(earlier, "system") ||
        member_or_null(request, "tools") != member_or_null(earlier, "tools")) {
        return false;
    }
    const json& messages = *find_member(request, "messages");
    const json& before = *find_member(earlier, "messages");
    if (before.size() != count) {
        return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (messages[i]["role"] != before[i]["role"] || comparable(messages[i]["content"]) != comparable(before[i]["content"])) {
            return false;
        }
    }
    return true;
}

bool same_mark(const json& a, const json& b) {
    const char* mark = anthropic_type(a) == "thinking" ? "signature" : "data";
    return anthropic_type(a) == anthropic_type(b) && member_or_null(a, mark) == member_or_null(b, mark);
}

/// The service's message for the thinking block `number` of a message.
anthropic_violation check_thought(const json& request, std::size_t message, std::size_t number, const anthropic_service& service) {
    const json content = comparable((*find_member(request, "messages"))[message]["content"]);
    const json& block = content[number];
    const std::string path = "messages." + std::to_string(message) + ".content." + std::to_string(number);
    const std::string kind = "`thinking` block";
    bool known = false;
    bool changed = true;
    for (const anthropic_written_response& one : service.written) {
        const json written = comparable(one.content);
        if (std::none_of(written.begin(), written.end(), [&](const json& other) { return same_mark(block, other); })) {
            continue;
        }
        known = true;
        const bool same_place = number < written.size() && written[number] == block;
        changed = changed && !same_place;
        const bool same_before =
            same_place && std::equal(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(number), written.begin());
        if (same_before && (!service.binds_thinking || continues(request, message, one.request))) {
            return std::nullopt;
        }
    }
    if (!known) {
        return path + ": Invalid `signature` in " + kind;
    }
    if (changed) {
        return path +
               ": `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain "
               "as they were in the original response.";
    }
    return path + ": Invalid `signature` in " + kind +
           ". The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` "
           "to "
           "\"drop_block\".";
}

}  // namespace

anthropic_violation check_anthropic_thinking(const json& request, const anthropic_service& service) {
    const json& messages = *find_member(request, "messages");
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const json content = comparable(messages[i]["content"]);
        for (std::size_t j = 0; j < content.size(); ++j) {
            if (is_thought(content[j])) {
                if (auto wrong = check_thought(request, i, j, service)) {
                    return wrong;
                }
            }
        }
    }
    return std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
