#pragma once
#include <pyaichat/config/config.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The last name in a text. What a compiler prints of a function ends with its template argument, and that with the name of a field or an
/// enumerator; or with a number when there is no enumerator.
[[nodiscard]] consteval std::string_view last_name(std::string_view text) {
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

/// `auto`, because g++ also prints what another name of the result's type stands for.
template <auto Enumerator>
[[nodiscard]] consteval auto enumerator_name() {
    const std::string_view name = last_name(__PRETTY_FUNCTION__);
    return name[0] >= '0' && name[0] <= '9' ? std::string_view() : name;
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

/// What `to_string` of an enumeration gives.
template <class T>
[[nodiscard]] std::string_view word_of(T value) noexcept {
    const auto index = static_cast<std::size_t>(value);
    return index < enumerator_names<T>.size() ? enumerator_names<T>[index] : "unknown";
}

/// An enumeration whose words are its enumerators' names.
template <class T>
concept named_enum = std::is_enum_v<T> && requires(T value) {
    { to_string(value) } -> std::same_as<std::string_view>;
};

/// Reads the enumerator that `word` names; false when there is none.
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
