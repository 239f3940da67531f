#pragma once
#include <pyaichat/core/detail/names.hpp>

#include <cstddef>
#include <cstdlib>
#include <ranges>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// The fields of a struct by their names, without macros: what `schema_of`, `decode` and `encode` make of an aggregate. Works with g++ 12
/// and clang 14, also without RTTI, for structs of 1 to 32 fields and no bases.

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Stands for a value of any type where one is asked for whether it would fit. Never made; the conversion has a body only because clang
/// wants one for types without linkage.
struct anything {
    template <class T>
    operator T() const noexcept {
        std::abort();
    }
};
template <class Derived>
struct any_base_of {
    template <class T>
        requires(std::is_base_of_v<T, Derived> && !std::is_same_v<T, Derived>)
    operator T() const noexcept;
};

template <class T, std::size_t... I>
[[nodiscard]] consteval bool takes_values(std::index_sequence<I...>) {
    return requires { T{(static_cast<void>(I), anything{})...}; };
}

inline constexpr std::size_t max_fields = 32;

/// How many fields an aggregate has; `max_fields + 1` when there are more.
template <class T, std::size_t Tried = max_fields + 1>
[[nodiscard]] consteval std::size_t count_fields() {
    if constexpr (Tried == 0 || takes_values<T>(std::make_index_sequence<Tried>{})) {
        return Tried;
    } else {
        return count_fields<T, Tried - 1>();
    }
}

/// Whether an aggregate has base classes.
template <class T>
[[nodiscard]] consteval bool has_bases() {
    return requires { T{any_base_of<T>{}}; };
}

/// A struct whose fields can be told apart: a plain one, no container.
template <class T>
[[nodiscard]] consteval bool is_plain_struct() {
    if constexpr (std::is_aggregate_v<T> && std::is_class_v<T> && std::is_default_constructible_v<T> && !std::ranges::range<T>) {
        if constexpr (has_bases<T>()) {
            return false;
        } else {
            return count_fields<T>() >= 1 && count_fields<T>() <= max_fields;
        }
    } else {
        return false;
    }
}
template <class T>
concept plain_struct = is_plain_struct<T>();

/// References to all fields, in order.
template <class T>
[[nodiscard]] constexpr auto fields_of(T& value) noexcept {
    constexpr std::size_t count = count_fields<std::remove_const_t<T>>();
    // clang-format off
    #define PYAICHAT_FIELDS(number, ...)   \
        if constexpr (count == (number)) { \
            auto& [__VA_ARGS__] = value;   \
            return std::tie(__VA_ARGS__);  \
        }
    PYAICHAT_FIELDS(1, f0)
    PYAICHAT_FIELDS(2, f0, f1)
    PYAICHAT_FIELDS(3, f0, f1, f2)
    PYAICHAT_FIELDS(4, f0, f1, f2, f3)
    PYAICHAT_FIELDS(5, f0, f1, f2, f3, f4)
    PYAICHAT_FIELDS(6, f0, f1, f2, f3, f4, f5)
    PYAICHAT_FIELDS(7, f0, f1, f2, f3, f4, f5, f6)
    PYAICHAT_FIELDS(8, f0, f1, f2, f3, f4, f5, f6, f7)
    PYAICHAT_FIELDS(9, f0, f1, f2, f3, f4, f5, f6, f7, f8)
    PYAICHAT_FIELDS(10, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9)
    PYAICHAT_FIELDS(11, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10)
    PYAICHAT_FIELDS(12, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11)
    PYAICHAT_FIELDS(13, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12)
    PYAICHAT_FIELDS(14, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13)
    PYAICHAT_FIELDS(15, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14)
    PYAICHAT_FIELDS(16, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15)
    PYAICHAT_FIELDS(17, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16)
    PYAICHAT_FIELDS(18, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17)
    PYAICHAT_FIELDS(19, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18)
    PYAICHAT_FIELDS(20, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19)
    PYAICHAT_FIELDS(21, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20)
    PYAICHAT_FIELDS(22, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21)
    PYAICHAT_FIELDS(23, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22)
    PYAICHAT_FIELDS(24, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23)
    PYAICHAT_FIELDS(25, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24)
    PYAICHAT_FIELDS(26, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25)
    PYAICHAT_FIELDS(27, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26)
    PYAICHAT_FIELDS(28, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27)
    PYAICHAT_FIELDS(29, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28)
    PYAICHAT_FIELDS(30, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29)
    PYAICHAT_FIELDS(31, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30)
    PYAICHAT_FIELDS(32, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31)
    #undef PYAICHAT_FIELDS
    // clang-format on
}

#if defined(__clang__)
    #pragma clang diagnostic push
    #pragma clang diagnostic ignored "-Wundefined-var-template"  // only addresses are taken
    #pragma clang diagnostic ignored "-Wundefined-internal"      // also of structs that have no name outside of their file
#endif

/// An object that is declared and never defined: its fields have addresses, which are known when the program is compiled.
template <class T>
struct nowhere {
    T value;
};
template <class T>
extern const nowhere<T> never_defined;

/// Clang 14 takes a pointer to a field as template argument only inside of a struct.
template <class P>
struct field_address {
    P at;
};
template <class P>
field_address(P) -> field_address<P>;

template <field_address Field>
[[nodiscard]] consteval auto name_of() {
    return last_name(__PRETTY_FUNCTION__);
}

template <class T, std::size_t I>
inline constexpr std::string_view field_name = name_of<field_address{&std::get<I>(fields_of(never_defined<T>.value))}>();

#if defined(__clang__)
    #pragma clang diagnostic pop
#endif

template <class T>
using field_indices = std::make_index_sequence<count_fields<T>()>;

/// Calls `visit(name, field)` for each field, in order.
template <class T, class Visit>
constexpr void for_each_field(T& value, Visit&& visit) {
    const auto fields = fields_of(value);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (visit(field_name<std::remove_const_t<T>, I>, std::get<I>(fields)), ...);
    }(field_indices<std::remove_const_t<T>>{});
}

/// The type of a field.
template <class T, std::size_t I>
using field_type = std::remove_cvref_t<std::tuple_element_t<I, decltype(fields_of(std::declval<T&>()))>>;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
