#include "python/privacy/reply_filter.hpp"

#include "python/look/path.hpp"
#include "python/privacy/key_masks.hpp"
#include "python/privacy/schema_result.hpp"
#include "python/privacy/secret_names.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::string_view hidden_mark = "[withheld: it names something hidden]";
constexpr std::string_view hidden_value_mark = "***(hidden)";

/// Members whose texts are printed values, and may be longer for more items.
constexpr std::array<std::string_view, 6> value_members = {"repr", "value_repr", "summary", "value", "key", "items"};
constexpr std::size_t max_chars_per_item = 40;
constexpr std::size_t max_chars_of_one_value = 400;

/// Calls `edit` for every text in a JSON value, the names of members included.
void edit_texts(json& value, const std::function<std::string(const std::string&)>& edit) {
    if (const std::optional<std::string_view> text = as_string(value)) {
        value = edit(std::string(*text));
    } else if (value.is_array()) {
        for (json& each : value) {
            edit_texts(each, edit);
        }
    } else if (value.is_object()) {
        json edited = json::object();
        for (auto& [name, member] : value.items()) {
            edit_texts(member, edit);
            edited[edit(name)] = std::move(member);
        }
        value = std::move(edited);
    }
}

void edit_texts(capability_reply& reply, const std::function<std::string(const std::string&)>& edit) {
    edit_texts(reply.result, edit);
    edit_texts(reply.details, edit);
    reply.message = edit(reply.message);
    reply.note = edit(reply.note);
}

/// Enforces the number of items on members with values, whatever a capability has made of it.
void cut_to_sample(json& value, std::size_t items, bool is_value) {
    if (const std::optional<std::string_view> text = as_string(value); text && is_value) {
        const std::size_t most = std::max(max_chars_of_one_value, items * max_chars_per_item);
        if (text->size() > most) {
            value = std::string(pyaichat::detail::utf8_prefix(*text, most)) + "...";
        }
    } else if (value.is_array()) {
        if (is_value && value.size() > items) {
            value.erase(value.begin() + static_cast<std::ptrdiff_t>(items), value.end());
        }
        for (json& each : value) {
            cut_to_sample(each, items, is_value);
        }
    } else if (value.is_object()) {
        for (auto& [name, member] : value.items()) {
            const bool has_values = std::find(value_members.begin(), value_members.end(), name) != value_members.end();
            cut_to_sample(member, items, has_values);
        }
    }
}

bool names_hidden(const privacy_rules& rules, std::string_view text, const std::string& asked) {
    return any_name_in(text, [&](std::string_view name) { return rules.hides(name) && asked.find(name) == std::string::npos; });
}

/// Replaces the lines that name something hidden.
std::string without_hidden_lines(const privacy_rules& rules, const std::string& text, const std::string& asked) {
    if (!names_hidden(rules, text, asked)) {
        return text;
    }
    std::string kept;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = std::string_view(text).substr(at, end - at);
        kept += names_hidden(rules, line, asked) ? hidden_mark : line;
        kept += end < text.size() ? "\n" : "";
        at = end + 1;
    }
    return kept;
}

std::string without_texts(std::string text, const std::vector<std::string>& hidden_texts) {
    for (const std::string& each : hidden_texts) {
        for (std::size_t at = text.find(each); at != std::string::npos; at = text.find(each, at + hidden_value_mark.size())) {
            text.replace(at, each.size(), hidden_value_mark);
        }
    }
    return text;
}

}  // namespace

std::optional<capability_reply> refused_by_policy(const privacy_rules& rules, const capability_call& call, bool runs_code) {
    if (!rules.withholds_values()) {
        return std::nullopt;
    }
    const std::string_view expression = string_member(call.arguments, "expr").value_or("");
    if (!runs_code && (pyaichat::detail::is_blank(expression) || parse_path(expression))) {
        return std::nullopt;
    }
    // Operators, calls and comparisons would tell values bit by bit.
    return reply_error(reply_code::not_allowed,
                       std::string("the session's policy for values is schema: ") +
                           (runs_code ? "expressions are not evaluated. Use inspect, get_type or get_dir with a path"
                                      : "only a path can be looked up: a name with attributes and items by literal keys, like a.b[0]"),
                       json::object({{"policy", "schema"}}));
}

capability_reply released(const privacy_rules& rules, const capability_call& call, capability_reply reply,
                          const std::vector<std::string>& hidden_texts) {
    if (rules.withholds_values()) {
        reply = without_values(std::move(reply));
    } else if (rules.values.what == values_policy::kind::sample) {
        cut_to_sample(reply.result, rules.values.items, false);
    }
    if (!rules.hidden.empty()) {
        // An error may repeat the names that the model wrote, as it does for names that are not defined.
        const std::string asked = reply.ok() ? std::string() : dump_json(call.arguments);
        edit_texts(reply, [&](const std::string& text) { return without_hidden_lines(rules, without_texts(text, hidden_texts), asked); });
    }
    if (rules.mask_secrets) {
        edit_texts(reply, [](const std::string& text) { return mask_keys(text); });
    }
    return reply;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
