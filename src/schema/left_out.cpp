#include "schema/left_out.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::size_t longest_quote = 300;

/// The words before and after the value of a keyword. A count has a noun, which gets an "s".
struct phrase {
    std::string_view keyword;
    std::string_view before;
    std::string_view noun = {};
};

constexpr std::array phrases{
    phrase{"type", "must have the type"},
    phrase{"enum", "must be one of"},
    phrase{"const", "must be"},
    phrase{"minimum", "at least"},
    phrase{"maximum", "at most"},
    phrase{"exclusiveMinimum", "more than"},
    phrase{"exclusiveMaximum", "less than"},
    phrase{"multipleOf", "must be a multiple of"},
    phrase{"minLength", "at least", "character"},
    phrase{"maxLength", "at most", "character"},
    phrase{"pattern", "must match the pattern"},
    phrase{"format", "must have the format"},
    phrase{"minItems", "at least", "item"},
    phrase{"maxItems", "at most", "item"},
    phrase{"items", "each item must fit"},
    phrase{"prefixItems", "the first items must fit, in this order,"},
    phrase{"contains", "must contain an item that fits"},
    phrase{"minContains", "must contain at least", "such item"},
    phrase{"maxContains", "must contain at most", "such item"},
    phrase{"unevaluatedItems", "each other item must fit"},
    phrase{"minProperties", "at least", "member"},
    phrase{"maxProperties", "at most", "member"},
    phrase{"properties", "the members must fit"},
    phrase{"required", "must have the members"},
    phrase{"patternProperties", "members must fit by the pattern of their name:"},
    phrase{"additionalProperties", "each other member must fit"},
    phrase{"unevaluatedProperties", "each other member must fit"},
    phrase{"propertyNames", "each name must fit"},
    phrase{"dependencies", "a member demands others:"},
    phrase{"dependentRequired", "a member demands others:"},
    phrase{"dependentSchemas", "if the object has the member, it must fit:"},
    phrase{"allOf", "must fit all of"},
    phrase{"anyOf", "must fit at least one of"},
    phrase{"oneOf", "must fit exactly one of"},
    phrase{"not", "must not fit"},
    phrase{"if", "if it fits"},
    phrase{"then", "then it must fit"},
    phrase{"else", "else it must fit"},
    phrase{"$ref", "must fit the schema"},
    phrase{"$dynamicRef", "must fit the schema"},
    phrase{"$recursiveRef", "must fit the schema"},
};

}  // namespace

std::string in_words(std::string_view keyword, const json& value) {
    if (keyword == "uniqueItems") {
        return as_bool(value).value_or(false) ? "must not repeat an item" : "";
    }
    if ((keyword == "additionalProperties" || keyword == "unevaluatedProperties") && as_bool(value) == false) {
        return "must not have other members";
    }
    if ((keyword == "items" || keyword == "unevaluatedItems") && as_bool(value) == false) {
        return "must not have further items";
    }
    const auto* const found = std::find_if(phrases.begin(), phrases.end(), [&](const phrase& entry) { return entry.keyword == keyword; });
    if (found == phrases.end() || (as_bool(value) == true && keyword != "const")) {
        return {};
    }
    const auto text = as_string(value);
    const bool plain = text && keyword != "const";  // without the escapes of JSON
    std::string words = std::string(found->before) + ' ';
    words += plain ? '"' + one_line(*text, longest_quote) + '"' : one_line(dump_json(value), longest_quote);
    if (!found->noun.empty()) {
        words += ' ' + std::string(found->noun) + (as_integer(value) == 1 ? "" : "s");
    }
    return words;
}

void add_to_description(json& schema, const std::string& words) {
    const std::string_view before = string_member(schema, "description").value_or("");
    schema["description"] = before.empty() ? words : std::string(before) + " (" + words + ')';
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
