#pragma once
#include <pyaichat/config/config.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

/// Enumerations by the words that their `to_string` gives, without a list of them.

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// An enumeration that counts from zero and whose enumerators have names.
template <class T>
concept named_enum = std::is_enum_v<T> && requires(T value) {
    { to_string(value) } -> std::same_as<std::string_view>;
};

/// Whether a value has an enumerator: the compiler's own text for a function then ends with its name, else with a number.
template <auto Value>
[[nodiscard]] consteval bool is_enumerator() {
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_suffix(1);
    const char first = text[text.find_last_of(": )=") + 1];
    return !(first >= '0' && first <= '9');
}

template <named_enum T, std::size_t Counted = 0>
[[nodiscard]] consteval std::size_t count_enumerators() {
    if constexpr (is_enumerator<static_cast<T>(Counted)>()) {
        return count_enumerators<T, Counted + 1>();
    } else {
        return Counted;
    }
}

/// Reads the enumerator that `word` names; false when there is none.
template <named_enum T>
[[nodiscard]] bool read_word(std::string_view word, T& into) noexcept {
    for (std::size_t i = 0; i < count_enumerators<T>(); ++i) {
        if (to_string(static_cast<T>(i)) == word) {
            into = static_cast<T>(i);
            return true;
        }
    }
    return false;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
