#pragma once
#include <pyaichat/schema/detail/kinds.hpp>

#include <concepts>
#include <ranges>
#include <type_traits>

namespace pyaichat::inline PYAICHAT_ABI::detail {

template <class T>
concept smart_pointer = requires(const T& pointer) {
    typename T::element_type;
    { pointer.get() } -> std::same_as<typename T::element_type*>;
};

/// Called for a type that is not known: it does not compile, with the one sentence that says what to do. Used by `schema_of`, `decode` and
/// `encode` alike, so that the sentence is there once.
template <class T>
constexpr void explain_unsupported() noexcept {
    constexpr int reason = [] {
        constexpr bool is_struct = std::is_class_v<T> && std::is_aggregate_v<T>;
        if constexpr (std::is_pointer_v<T> || smart_pointer<T>) {
            return 1;
        } else if constexpr (character<T>) {
            return 2;
        } else if constexpr (requires { typename T::traits_type; }) {
            return std::same_as<typename T::value_type, char> ? 3 : 4;
        } else if constexpr (std::is_union_v<T>) {
            return 5;
        } else if constexpr (std::is_enum_v<T>) {
            return has_fixed_underlying_type<T> ? 6 : 7;
        } else if constexpr (map_like<T>) {
            return 8;
        } else if constexpr (std::ranges::range<T>) {
            return character<std::ranges::range_value_t<T>> ? 2 : 9;
        } else if constexpr (is_struct && has_bases<T>()) {
            return 10;
        } else if constexpr (is_struct && !std::is_empty_v<T> && std::is_default_constructible_v<T>) {
            return 11;
        }
        return 0;
    }();
    static_assert(reason != 1, "a pointer is not sent as JSON: use the object itself, std::optional, or std::string for a text");
    static_assert(reason != 2, "a character is neither a number nor a text: use std::string (not a char), or std::int8_t for a number");
    static_assert(reason != 3, "a view of a text would outlive the text: take a std::string");
    static_assert(reason != 4, "a text is UTF-8 in a std::string: convert wide strings before you give them to pyaichat");
    static_assert(reason != 5, "a union does not say which of its members is there: use std::variant");
    static_assert(reason != 6,
                  "this enumeration has no enumerators from -128 to 255: specialize pyaichat::describe for it, with its range or its list");
    static_assert(reason != 7,
                  "an enumeration without an underlying type has no known range: write `enum class`, or give pyaichat::describe its list");
    static_assert(reason != 8, "a map that is sent as JSON has std::string keys: use those, or a std::vector of std::pair");
    static_assert(reason != 9, "a parameter is a container that owns its elements and that can grow: take a std::vector");
    static_assert(reason != 10, "a struct with a base class cannot be taken apart: make the base a field, or specialize pyaichat::reflect");
    static_assert(reason != 11,
                  "a struct has at most 32 fields: group some of them in a struct of their own, or specialize pyaichat::reflect");
    static_assert(
        reason != 0,
        "pyaichat takes and gives bool, numbers, std::string, enumerations, durations, paths, pyaichat::json, and std containers, "
        "std::optional, std::variant, std::tuple and structs of those; for another type specialize pyaichat::reflect");
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
