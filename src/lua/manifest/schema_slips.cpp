#include "lua/manifest/schema_slips.hpp"

#include "lua/manifest/plain_text.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// What the value of a keyword holds.
enum class holds : unsigned char { data, schema, schemas, named_schemas };

struct keyword {
    std::string_view name;
    holds what = holds::data;
};

constexpr auto keywords = std::to_array<keyword>({
    {"$anchor"},
    {"$comment"},
    {"$defs", holds::named_schemas},
    {"$dynamicAnchor"},
    {"$dynamicRef"},
    {"$id"},
    {"$ref"},
    {"$schema"},
    {"$vocabulary"},
    {"additionalProperties", holds::schema},
    {"allOf", holds::schemas},
    {"anyOf", holds::schemas},
    {"const"},
    {"contains", holds::schema},
    {"contentEncoding"},
    {"contentMediaType"},
    {"contentSchema", holds::schema},
    {"default"},
    {"dependentRequired"},
    {"dependentSchemas", holds::named_schemas},
    {"deprecated"},
    {"description"},
    {"else", holds::schema},
    {"enum"},
    {"examples"},
    {"exclusiveMaximum"},
    {"exclusiveMinimum"},
    {"format"},
    {"if", holds::schema},
    {"items", holds::schema},
    {"maxContains"},
    {"maxItems"},
    {"maxLength"},
    {"maxProperties"},
    {"maximum"},
    {"minContains"},
    {"minItems"},
    {"minLength"},
    {"minProperties"},
    {"minimum"},
    {"multipleOf"},
    {"not", holds::schema},
    {"oneOf", holds::schemas},
    {"pattern"},
    {"patternProperties", holds::named_schemas},
    {"prefixItems", holds::schemas},
    {"properties", holds::named_schemas},
    {"propertyNames", holds::schema},
    {"readOnly"},
    {"required"},
    {"then", holds::schema},
    {"title"},
    {"type"},
    {"unevaluatedItems", holds::schema},
    {"unevaluatedProperties", holds::schema},
    {"uniqueItems"},
    {"writeOnly"},
});

/// Words that resemble a keyword but are not misspelled.
constexpr auto other_words = std::to_array<std::string_view>({"anchor", "comment", "cost", "example", "note", "schema", "when"});

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
            const std::string below = path + "." + member.key();
            const auto known =
                std::find_if(keywords.begin(), keywords.end(), [&](const keyword& each) { return each.name == member.key(); });
            if (known == keywords.end()) {
                check_unknown(member.key(), below);
            } else if (member->is_array() && (known->what == holds::schemas || known->what == holds::schema)) {
                for (std::size_t i = 0; i < member->size() && !found_; ++i) {
                    visit((*member)[i], below + "[" + std::to_string(i + 1) + "]");
                }
            } else if (known->what == holds::schema) {
                visit(*member, below);
            } else if (known->what == holds::named_schemas && member->is_object()) {
                for (auto named = member->begin(); named != member->end() && !found_; ++named) {
                    visit(*named, below + "." + named.key());
                }
            }
        }
        if (!found_) {
            check_required(schema, path);
        }
    }

    void check_unknown(const std::string& name, const std::string& path) {
        constexpr int most = 1000;  // comparing takes time, and so many unknown keywords are not misspellings
        if (++unknown_ > most || std::find(other_words.begin(), other_words.end(), name) != other_words.end()) {
            return;
        }
        const auto near = std::find_if(keywords.begin(), keywords.end(), [&](const keyword& each) { return is_near(name, each.name); });
        if (near != keywords.end()) {
            tell(path, "`" + name + "` is not a keyword of JSON Schema", near->name);
        }
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

std::optional<schema_slip> find_schema_slip(const json& schema, const std::string& path) {
    return slip_finder().run(schema, path);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
