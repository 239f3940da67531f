#pragma once
#include <pyaichat/core/detail/names.hpp>
#include <pyaichat/schema/describe_enum.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

/// The enumerators of an enumeration by their names, without macros: from `describe<E>`, or from the text in which the compiler prints the
/// values of a range.

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns a text that ends with the list of all values: one instantiation for a whole range. `auto` as in `enumerator_name`.
template <auto... Values>
[[nodiscard]] consteval auto print_values() {
    return std::string_view(__PRETTY_FUNCTION__);
}

/// Splits the list that `print_values` printed. The name of a value without enumerator is empty.
template <std::size_t Count>
[[nodiscard]] constexpr std::array<std::string_view, Count> split_values(std::string_view text) {
    std::array<std::string_view, Count> names{};
    std::size_t begin = text.find(" = ") + 4;
    std::size_t found = 0;
    int depth = 0;  // of brackets in the names of templates and lambdas
    for (std::size_t at = begin; at < text.size() && found < Count; ++at) {
        const char c = text[at];
        if (depth == 0 && (c == ',' || at + 2 == text.size())) {
            names[found++] = named_or_empty(last_name(text.substr(begin, at - begin)));
            begin = at + 1;
        } else if (c == '<' || c == '(' || c == '{') {
            ++depth;
        } else if (c == '>' || c == ')' || c == '}') {
            --depth;
        }
    }
    return names;
}

/// Whether each integer of the underlying type is a value of the enumeration. Otherwise a cast to it may be undefined.
template <class E>
concept has_fixed_underlying_type = requires { E{0}; } || std::same_as<std::underlying_type_t<E>, bool>;

template <class E, std::int64_t First, std::size_t Count>
inline constexpr auto names_in_range = []<std::size_t... I>(std::index_sequence<I...>) {
    return split_values<Count>(print_values<static_cast<E>(First + static_cast<std::int64_t>(I))...>());
}(std::make_index_sequence<Count>{});

template <class E, std::int64_t First, std::int64_t Last>
[[nodiscard]] consteval auto enumerators_in_range() {
    if constexpr (First > Last) {
        return std::array<enumerator<E>, 0>();
    } else {
        constexpr auto& names = names_in_range<E, First, static_cast<std::size_t>(Last - First + 1)>;
        constexpr auto is_named = [](std::string_view name) { return !name.empty(); };
        std::array<enumerator<E>, static_cast<std::size_t>(std::count_if(names.begin(), names.end(), is_named))> found{};
        std::size_t next = 0;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (is_named(names[i])) {
                found[next++] = {static_cast<E>(First + static_cast<std::int64_t>(i)), names[i], {}};
            }
        }
        return found;
    }
}

/// Returns a bound of a range of values, within the underlying type.
template <class E>
[[nodiscard]] consteval std::int64_t within_type(std::int64_t bound) {
    using limits_of_type = std::numeric_limits<std::underlying_type_t<E>>;
    constexpr auto lowest = static_cast<std::int64_t>(limits_of_type::min());
    constexpr auto highest =
        limits_of_type::digits > 63 ? std::numeric_limits<std::int64_t>::max() : static_cast<std::int64_t>(limits_of_type::max());
    return std::clamp(bound, lowest, highest);
}

template <class E>
[[nodiscard]] consteval auto find_enumerators() {
    constexpr auto described = describe<E>();
    if constexpr (std::same_as<std::remove_const_t<decltype(described)>, enum_range>) {
        if constexpr (has_fixed_underlying_type<E>) {
            return enumerators_in_range<E, within_type<E>(described.first), within_type<E>(described.last)>();
        } else {
            return std::array<enumerator<E>, 0>();
        }
    } else {
        auto list = described;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            const auto complete = [](enumerator<E>& entry, std::string_view name) {
                if (entry.name.empty()) {
                    entry.name = name;
                }
            };
            (complete(list[I], enumerator_name<described[I].value>()), ...);
        }(std::make_index_sequence<described.size()>{});
        return list;
    }
}

/// All enumerators with their names.
template <class E>
inline constexpr auto enumerators = find_enumerators<E>();

template <class E>
concept readable_enum = std::is_enum_v<E> && !enumerators<E>.empty();

/// The word for an enumerator: from `describe<E>` if it has a list, else from `to_string` if there is one.
template <class E>
[[nodiscard]] std::string_view word_for(const enumerator<E>& entry) {
    if constexpr (named_enum<E> && std::same_as<decltype(describe<E>()), enum_range>) {
        return to_string(entry.value);
    } else {
        return entry.name;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
