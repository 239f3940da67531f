#include "schema/unicode_property.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Maps long names and aliases of general categories to the short names of PCRE2.
constexpr std::string_view categories =
    " Letter=L Cased_Letter=L& LC=L& Uppercase_Letter=Lu Lowercase_Letter=Ll Titlecase_Letter=Lt Modifier_Letter=Lm Other_Letter=Lo "
    "Mark=M Combining_Mark=M Nonspacing_Mark=Mn Spacing_Mark=Mc Enclosing_Mark=Me "
    "Number=N Decimal_Number=Nd digit=Nd Letter_Number=Nl Other_Number=No "
    "Punctuation=P punct=P Connector_Punctuation=Pc Dash_Punctuation=Pd Open_Punctuation=Ps Close_Punctuation=Pe Initial_Punctuation=Pi "
    "Final_Punctuation=Pf Other_Punctuation=Po "
    "Symbol=S Math_Symbol=Sm Currency_Symbol=Sc Modifier_Symbol=Sk Other_Symbol=So "
    "Separator=Z Space_Separator=Zs Line_Separator=Zl Paragraph_Separator=Zp "
    "Other=C Control=Cc cntrl=Cc Format=Cf Private_Use=Co Unassigned=Cn ";

std::string category(std::string_view name) {
    const std::size_t found = categories.find(" " + std::string(name) + "=");
    if (found == categories.npos) {
        return std::string(name);
    }
    const std::size_t begin = found + name.size() + 2;
    return std::string(categories.substr(begin, categories.find(' ', begin) - begin));
}

}  // namespace

std::string pcre_property(std::string_view name) {
    if (!std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '='; })) {
        return {};
    }
    const std::size_t equals = name.find('=');
    if (equals == name.npos) {
        return name == "Assigned" ? "^Cn" : category(name);
    }
    const std::string_view kind = name.substr(0, equals);
    const std::string_view value = name.substr(equals + 1);
    if (value.empty() || value.find('=') != value.npos) {
        return {};
    }
    if (kind == "General_Category" || kind == "gc") {
        return category(value);
    }
    if (kind == "Script" || kind == "sc") {
        return "sc:" + std::string(value);
    }
    return kind == "Script_Extensions" || kind == "scx" ? "scx:" + std::string(value) : std::string();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
