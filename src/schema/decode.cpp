#include <pyaichat/schema/decode.hpp>

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::detail {

std::string pointer_token(std::string_view key) {
    std::string token;
    for (const char c : key) {
        if (c == '~') {
            token += "~0";
        } else if (c == '/') {
            token += "~1";
        } else {
            token += c;
        }
    }
    return token;
}

schema_error wrong_type(std::string_view wanted, const json& found) {
    return {{}, "type", "must be " + std::string(wanted) + ", not " + found.type_name()};
}

schema_error missing_member(std::string_view name, std::string_view description) {
    return {"/" + pointer_token(name), "required", "is required" + (description.empty() ? "" : ": " + std::string(description))};
}

schema_error out_of_range(std::string_view name, std::string_view keyword, std::string_view relation, std::int64_t bound) {
    return {"/" + pointer_token(name), std::string(keyword), "must be " + std::string(relation) + " " + std::to_string(bound)};
}

schema_error wrong_length(std::size_t wanted, std::size_t found) {
    return {{},
            found < wanted ? "minItems" : "maxItems",
            "must have exactly " + std::to_string(wanted) + " elements, not " + std::to_string(found)};
}

schema_error unknown_word(std::span<const std::string_view> known) {
    constexpr std::size_t most = 30;
    std::string list;
    for (const std::string_view word : known.first(std::min(known.size(), most))) {
        list += (list.empty() ? "`" : ", `") + std::string(word) + "`";
    }
    return {{}, "enum", "must be one of " + list + (known.size() > most ? ", ..." : "")};
}

schema_error wrong_integer(std::int64_t least, std::uint64_t most) {
    return {{}, "type", "must be an integer from " + std::to_string(least) + " to " + std::to_string(most)};
}

void nearest_error::add(schema_error misfit, int nearness) {
    const std::pair found(nearness, std::count(misfit.path.begin(), misfit.path.end(), '/'));
    if (found > nearness_) {
        nearness_ = found;
        error_ = std::move(misfit);
    }
}

schema_error nearest_error::get(unsigned kinds, const json& value) && {
    return nearness_.first == 0 ? wrong_type(words_for_kinds(kinds), value) : std::move(error_);
}

bool is_path(std::string_view text) noexcept {
    return text.find('\0') == std::string_view::npos;
}

unsigned kind_of(const json& value) noexcept {
    switch (value.type()) {
        case json::value_t::null: return null_kind;
        case json::value_t::boolean: return bool_kind;
        case json::value_t::string: return text_kind;
        case json::value_t::array: return array_kind;
        case json::value_t::object: return object_kind;
        case json::value_t::number_float: return as_integer(value) ? integer_kind : number_kind;
        default: return integer_kind;
    }
}

std::string words_for_kinds(unsigned kinds) {
    constexpr std::array<std::pair<unsigned, std::string_view>, 7> words{{{bool_kind, "true or false"},
                                                                          {number_kind, "a number"},
                                                                          {integer_kind, "an integer"},
                                                                          {text_kind, "a string"},
                                                                          {array_kind, "an array"},
                                                                          {object_kind, "an object"},
                                                                          {null_kind, "null"}}};
    std::string list;
    for (const auto& [kind, word] : words) {
        const bool implied = kind == integer_kind && (kinds & number_kind) != 0;
        if ((kinds & kind) != 0 && !implied) {
            list += (list.empty() ? "" : " or ") + std::string(word);
        }
    }
    return list;
}

bool below(schema_error& error, std::string_view key) {
    error.path.insert(0, "/" + pointer_token(key));
    return false;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
