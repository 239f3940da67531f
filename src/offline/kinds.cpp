#include "offline/kinds.hpp"

#include <pyaichat/core/text.hpp>

#include "offline/phrase.hpp"
#include "offline/question_text.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

constexpr std::size_t shortest_misspelt_noun = 6;

struct kind_noun {
    string_view noun;
    string_view kind;
    bool is_common_name = false;  ///< people also name variables like this
};

constexpr kind_noun kind_nouns[] = {{"variables", "", false},
                                    {"variable", "", false},
                                    {"vars", "", false},
                                    {"globals", "", false},
                                    {"objects", "", false},
                                    {"names", "", true},
                                    {"values", "", true},
                                    {"things", "", true},
                                    {"everything", "", false},
                                    {"variable names", "", false},
                                    {"stuff", "", true},
                                    {"data", "", true},
                                    {"functions", "function", false},
                                    {"function", "function", false},
                                    {"modules", "module", false},
                                    {"module", "module", false},
                                    {"imports", "module", false},
                                    {"packages", "module", false},
                                    {"libraries", "module", false},
                                    {"libs", "module", true},
                                    {"library", "module", true},
                                    {"package", "module", true},
                                    {"classes", "class", false},
                                    {"class", "class", false},
                                    {"types", "class", true},
                                    {"dataframes", "dataframe", false},
                                    {"dataframe", "dataframe", false},
                                    {"data frames", "dataframe", false},
                                    {"pandas dataframes", "dataframe", false},
                                    {"dfs", "dataframe", true},
                                    {"frames", "dataframe", true},
                                    {"tables", "dataframe", true},
                                    {"arrays", "array", true},
                                    {"numpy arrays", "array", false},
                                    {"ndarrays", "array", false},
                                    {"series", "series", true},
                                    {"lists", "list", true},
                                    {"dicts", "dict", true},
                                    {"dictionaries", "dict", true},
                                    {"tuples", "tuple", true},
                                    {"sets", "set", true},
                                    {"strings", "str", true},
                                    {"texts", "str", true},
                                    {"integers", "int", true},
                                    {"ints", "int", true},
                                    {"floats", "float", true},
                                    {"numbers", "number", true},
                                    {"booleans", "bool", true},
                                    {"bools", "bool", true}};

constexpr string_view skipped[] = {"the",     "my",     "all",       "of",     "these", "those",     "our",     "any",     "some",
                                   "defined", "global", "different", "python", "user",  "available", "current", "existing"};

}  // namespace

std::optional<std::string> read_kind(string_view text, bool sure) {
    const std::vector<question_word> words = words_of(text);
    std::string noun;
    bool determined = false;
    for (const question_word& word : words) {
        if (noun.empty() && std::find(std::begin(skipped), std::end(skipped), word.lower) != std::end(skipped)) {
            determined = true;
            continue;
        }
        noun += (noun.empty() ? "" : " ") + word.lower;
    }
    const auto* found =
        std::find_if(std::begin(kind_nouns), std::end(kind_nouns), [&](const kind_noun& each) { return each.noun == noun; });
    if (found == std::end(kind_nouns) && !sure && noun.size() >= shortest_misspelt_noun) {
        found = std::find_if(std::begin(kind_nouns), std::end(kind_nouns),
                             [&](const kind_noun& each) { return edit_distance(each.noun, noun, 1) == 1; });
    }
    if (found == std::end(kind_nouns) || (sure && found->is_common_name && !determined)) {
        return std::nullopt;
    }
    return std::string(found->kind);
}

bool is_of_kind(string_view type_name, string_view kind) {
    const string_view last = type_name.substr(type_name.rfind('.') + 1);
    if (kind.empty()) {
        return true;
    }
    if (kind == "function") {
        return last == "function" || last == "builtin_function_or_method" || last == "method" || last == "ufunc";
    }
    if (kind == "class") {
        return last == "type" || last.ends_with("Meta") || last == "EnumType";
    }
    if (kind == "number") {
        return last == "int" || last == "float" || last == "complex" || last == "Decimal" || last == "Fraction";
    }
    if (kind == "array") {
        return last == "ndarray";
    }
    return equals_ignoring_case(last, kind);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
