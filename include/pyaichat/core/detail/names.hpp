#pragma once
#include <pyaichat/config/config.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns the last identifier or number in a text. `__PRETTY_FUNCTION__` ends with the template argument: the name of a field or an
/// enumerator, or a number if there is no enumerator with the value.
[[nodiscard]] constexpr std::string_view last_name(std::string_view text) {
    const auto in_name = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               static_cast<unsigned char>(c) >= 0x80;
    };
    while (!in_name(text.back())) {
        text.remove_suffix(1);
    }
    std::size_t begin = text.size();
    while (begin > 0 && in_name(text[begin - 1])) {
        --begin;
    }
    return text.substr(begin);
}

/// Returns the name, or empty for the number of a value without enumerator.
[[nodiscard]] constexpr std::string_view named_or_empty(std::string_view name) {
    return name[0] >= '0' && name[0] <= '9' ? std::string_view() : name;
}

/// Returns the name of an enumerator, or empty. `auto`, because g++ also prints the definition of an alias in the return type.
template <auto Enumerator>
[[nodiscard]] consteval auto enumerator_name() {
    return named_or_empty(last_name(__PRETTY_FUNCTION__));
}

template <class T, std::size_t Counted = 0>
[[nodiscard]] consteval std::size_t count_enumerators() {
    if constexpr (enumerator_name<static_cast<T>(Counted)>().empty()) {
        return Counted;
    } else {
        return count_enumerators<T, Counted + 1>();
    }
}

/// The names of the enumerators of an enumeration that counts from zero.
template <class T>
inline constexpr auto enumerator_names = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string_view, sizeof...(I)>{enumerator_name<static_cast<T>(I)>()...};
}(std::make_index_sequence<count_enumerators<T>()>{});

/// Returns the name of an enumerator, for `to_string`.
template <class T>
[[nodiscard]] std::string_view word_of(T value) noexcept {
    const auto index = static_cast<std::size_t>(value);
    return index < enumerator_names<T>.size() ? enumerator_names<T>[index] : "unknown";
}

/// An enumeration whose `to_string` returns the names of its enumerators.
template <class T>
concept named_enum = std::is_enum_v<T> && requires(T value) {
    { to_string(value) } -> std::same_as<std::string_view>;
};

/// Reads the enumerator with the name `word`. Returns false if there is none.
template <named_enum T>
[[nodiscard]] bool read_word(std::string_view word, T& into) noexcept {
    for (std::size_t i = 0; i < enumerator_names<T>.size(); ++i) {
        if (to_string(static_cast<T>(i)) == word) {
            into = static_cast<T>(i);
            return true;
        }
    }
    return false;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
