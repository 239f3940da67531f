#pragma once
#include <pyaichat/config/config.hpp>
#include <pyaichat/schema/detail/reflect.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace pyaichat::inline PYAICHAT_ABI {

/// What a field of a struct means, for the model. A struct that has such a list tells them in its schema:
///
///     struct heal_args {
///         double points = 0;
///         static constexpr pyaichat::about descriptions[] = {{"points", "how much"}};
///     };
///
/// The entries may be fewer than the fields; one that names no field does not compile.
struct about {
    std::string_view field = {};
    std::string_view text = {};
};

namespace detail {

template <class T>
[[nodiscard]] consteval bool has_field(std::string_view name) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return ((field_name<T, I> == name) || ...); }(field_indices<T>{});
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

template <class List>
concept list_of_about = requires(List& list) { requires std::same_as<std::remove_cvref_t<decltype(list[0])>, about>; };

/// What a struct says about one of its fields; empty when it says nothing.
template <class T>
[[nodiscard]] constexpr std::string_view description_of(std::string_view field) noexcept {
    static_assert(
        !requires { requires list_of_about<decltype(T::description)>; }, "the list of pyaichat::about in a struct is named `descriptions`");
    if constexpr (requires { requires !std::is_member_pointer_v<decltype(&T::descriptions)>; }) {
        static_assert(descriptions_name_fields<T>(), "each entry of `descriptions` names a field of the struct that it is in");
        for (const about& one : T::descriptions) {
            if (one.field == field) {
                return one.text;
            }
        }
    }
    return {};
}

}  // namespace detail

}  // namespace pyaichat::inline PYAICHAT_ABI
