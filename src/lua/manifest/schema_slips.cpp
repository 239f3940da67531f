#include "lua/manifest/schema_slips.hpp"

#include "lua/manifest/plain_text.hpp"
#include "lua/manifest/schema_keywords.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

using pyaichat::detail::schema_array_keywords;
using pyaichat::detail::schema_keywords;
using pyaichat::detail::schema_map_keywords;

// clang-format off: it would take a line for each
/// The keywords of JSON Schema besides those of `schema_keywords.hpp`, whose values are schemas.
constexpr std::string_view other_keywords[] = {
    "$anchor", "$comment", "$dynamicAnchor", "$dynamicRef", "$id", "$ref", "$schema", "$vocabulary", "const", "contentEncoding",
    "contentMediaType", "default", "dependentRequired", "deprecated", "description", "enum", "examples", "exclusiveMaximum",
    "exclusiveMinimum", "format", "maxContains", "maxItems", "maxLength", "maxProperties", "maximum", "minContains", "minItems",
    "minLength", "minProperties", "minimum", "multipleOf", "pattern", "readOnly", "required", "title", "type", "uniqueItems",
    "writeOnly"};
// clang-format on

/// Words that resemble a keyword but are not misspelled.
constexpr std::string_view no_slips[] = {"anchor", "comment", "cost", "example", "note", "schema", "when"};

/// The keywords whose values are data, in which empty tables are lists.
constexpr std::string_view data_lists[] = {"enum", "examples", "required"};

template <class Words>
bool has_word(const Words& words, std::string_view word) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// Whether the edit distance (insert, delete, replace, transpose) of two words is at most `changes`.
bool within(std::string_view word, std::string_view other, int changes) {
    while (!word.empty() && !other.empty() && word.front() == other.front()) {
        word.remove_prefix(1);
        other.remove_prefix(1);
    }
    if (word.empty() || other.empty()) {
        return static_cast<int>(word.size() + other.size()) <= changes;
    }
    if (changes == 0) {
        return false;
    }
    const bool exchanged = word.size() > 1 && other.size() > 1 && word[0] == other[1] && word[1] == other[0];
    return within(word.substr(1), other.substr(1), changes - 1) || within(word.substr(1), other, changes - 1) ||
           within(word, other.substr(1), changes - 1) || (exchanged && within(word.substr(2), other.substr(2), changes - 1));
}

/// Whether one word may be a misspelling of the other. Short words resemble each other by chance.
bool is_near(std::string_view word, std::string_view other) {
    constexpr std::size_t longest = 64;  // longer than any keyword, and comparing takes time
    const auto [shorter, longer] = std::minmax({word.size(), other.size()});
    return shorter >= 3 && longer <= longest && longer <= shorter + 2 && within(word, other, shorter >= 6 ? 2 : 1);
}

class slip_finder {
public:
    std::optional<schema_slip> run(const json& schema, const std::string& path) {
        visit(schema, path);
        return std::move(found_);
    }

private:
    /// The recursion is limited by the depth of values.
    void visit(const json& schema, const std::string& path) {
        if (!schema.is_object()) {
            return;
        }
        for (auto member = schema.begin(); member != schema.end() && !found_; ++member) {
            const std::string& name = member.key();
            const std::string below = path + "." + name;
            const bool holds_schema = has_word(schema_keywords, name);
            const bool holds_schemas = has_word(schema_array_keywords, name);
            const bool holds_named = has_word(schema_map_keywords, name);
            if (member->is_array() && (holds_schema || holds_schemas)) {
                for (std::size_t i = 0; i < member->size() && !found_; ++i) {
                    visit((*member)[i], below + "[" + std::to_string(i + 1) + "]");
                }
            } else if (member->is_object() && holds_named) {
                for (auto named = member->begin(); named != member->end() && !found_; ++named) {
                    visit(*named, below + "." + named.key());
                }
            } else if (holds_schema) {
                visit(*member, below);
            } else if (!holds_schemas && !holds_named && !has_word(other_keywords, name)) {
                check_unknown(name, below);
            }
        }
        if (!found_) {
            check_required(schema, path);
        }
    }

    void check_unknown(const std::string& name, const std::string& path) {
        constexpr int most = 1000;  // comparing takes time, and so many unknown keywords are not misspellings
        if (++unknown_ > most || has_word(no_slips, name)) {
            return;
        }
        const auto look_in = [&](const auto& keywords) {
            const auto near =
                std::find_if(std::begin(keywords), std::end(keywords), [&](std::string_view each) { return is_near(name, each); });
            if (near != std::end(keywords) && !found_) {
                tell(path, "`" + name + "` is not a keyword of JSON Schema", *near);
            }
        };
        look_in(other_keywords);
        look_in(schema_keywords);
        look_in(schema_array_keywords);
        look_in(schema_map_keywords);
    }

    /// A required name that is not in `properties` is allowed, unless it resembles one of them.
    void check_required(const json& schema, const std::string& path) {
        constexpr std::size_t most = 200;  // names to compare with each other
        const json* const required = find_member(schema, "required");
        const json* const properties = find_member(schema, "properties");
        if (required == nullptr || !required->is_array() || properties == nullptr || !properties->is_object() || required->size() > most ||
            properties->size() > most) {
            return;
        }
        for (const json& word : *required) {
            const auto name = as_string(word);
            if (!name || find_member(*properties, *name) != nullptr) {
                continue;
            }
            for (auto property = properties->begin(); property != properties->end(); ++property) {
                if (is_near(*name, property.key())) {
                    tell(path + ".required", "`" + std::string(*name) + "` in `required` is not in `properties`", property.key());
                    return;
                }
            }
        }
    }

    void tell(const std::string& path, const std::string& what, std::string_view meant) {
        found_ = {.path = path,
                  .what = plain_line(path, 200) + ": " + plain_line(what, 200),
                  .change = "Did you mean `" + plain_line(meant, 100) + "`?"};
    }

    std::optional<schema_slip> found_ = {};
    int unknown_ = 0;
};

}  // namespace

void restore_lists(json& schema) {
    if (!schema.is_object()) {
        return;
    }
    for (auto member = schema.begin(); member != schema.end(); ++member) {
        const std::string& name = member.key();
        json& value = member.value();
        const bool holds_schemas = has_word(schema_array_keywords, name);
        const bool is_data_list = has_word(data_lists, name);
        if ((holds_schemas || is_data_list) && value.is_object() && value.empty()) {
            value = json::array();
        } else if (holds_schemas || has_word(schema_map_keywords, name)) {
            for (json& part : value) {
                restore_lists(part);
            }
        } else if (!is_data_list && name != "const" && name != "default") {
            restore_lists(value);
        }
    }
}

std::optional<schema_slip> find_schema_slip(const json& schema, const std::string& path) {
    return slip_finder().run(schema, path);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
