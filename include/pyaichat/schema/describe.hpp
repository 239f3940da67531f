#pragma once
#include <pyaichat/config/config.hpp>
#include <pyaichat/schema/detail/fields.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace pyaichat::inline PYAICHAT_ABI {

/// What a field of a struct means, for the model, and the range of a number or, in its unit, of a duration. A struct that has such a list
/// tells them in its schema:
///
///     struct heal_args {
///         double points = 0;
///         static constexpr pyaichat::about descriptions[] = {{"points", "how much", 1, 100}};
///     };
///
/// `decode` refuses a number outside the range. The entries may be fewer than the fields; an entry that names no field, or that gives a
/// range to a field that is not a number, does not compile.
struct about {
    std::string_view field = {};
    std::string_view text = {};
    std::optional<std::int64_t> minimum = {};
    std::optional<std::int64_t> maximum = {};
};

namespace detail {

template <class T>
[[nodiscard]] consteval bool has_field(std::string_view name) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return ((field_name<T, I> == name) || ...); }(field_indices<T>{});
}

/// Whether a field holds a number or a duration, or may.
template <class T>
struct is_measure : std::bool_constant<std::is_arithmetic_v<T> && !std::same_as<T, bool>> {};
template <class Rep, class Period>
struct is_measure<std::chrono::duration<Rep, Period>> : is_measure<Rep> {};
template <class T>
struct is_measure<std::optional<T>> : is_measure<T> {};

template <class T>
[[nodiscard]] consteval bool has_number(std::string_view name) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return ((field_name<T, I> == name && is_measure<field_type<T, I>>::value) || ...);
    }(field_indices<T>{});
}

template <class T>
[[nodiscard]] consteval bool descriptions_name_fields() {
    for (const about& one : T::descriptions) {
        if (!has_field<T>(one.field)) {
            return false;
        }
    }
    return true;
}

template <class T>
[[nodiscard]] consteval bool ranges_are_of_numbers() {
    for (const about& one : T::descriptions) {
        if ((one.minimum || one.maximum) && !has_number<T>(one.field)) {
            return false;
        }
    }
    return true;
}

template <class List>
concept list_of_about = requires(List& list) { requires std::same_as<std::remove_cvref_t<decltype(list[0])>, about>; };

/// What a struct says about one of its fields; without a text when it says nothing.
template <class T>
[[nodiscard]] constexpr about description_of(std::string_view field) noexcept {
    static_assert(
        !requires { requires list_of_about<decltype(T::description)>; }, "the list of pyaichat::about in a struct is named `descriptions`");
    if constexpr (requires { requires !std::is_member_pointer_v<decltype(&T::descriptions)>; }) {
        static_assert(descriptions_name_fields<T>(), "each entry of `descriptions` names a field of the struct that it is in");
        static_assert(ranges_are_of_numbers<T>(), "only a field that is a number or a duration has a range in `descriptions`");
        for (const about& one : T::descriptions) {
            if (one.field == field) {
                return one;
            }
        }
    }
    return about{.field = field};
}

}  // namespace detail

}  // namespace pyaichat::inline PYAICHAT_ABI
