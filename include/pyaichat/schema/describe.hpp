#pragma once
#include <pyaichat/config/config.hpp>
#include <pyaichat/schema/detail/reflect.hpp>

#include <string_view>

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

/// What a struct says about one of its fields; empty when it says nothing.
template <class T>
[[nodiscard]] constexpr std::string_view description_of(std::string_view field) noexcept {
    if constexpr (requires { T::descriptions; }) {
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
