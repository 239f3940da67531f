#pragma once
#include <pyaichat/config/config.hpp>

#include <array>
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

/// A struct whose fields can be told apart: a plain one, no container.
template <class T>
[[nodiscard]] consteval bool is_plain_struct() {
    if constexpr (std::is_aggregate_v<T> && std::is_class_v<T> && std::is_default_constructible_v<T> && !std::ranges::range<T>) {
        if constexpr (requires { T{any_base_of<T>{}}; }) {
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
    if constexpr (count == 1) {
        auto& [f0] = value;
        return std::tie(f0);
    } else if constexpr (count == 2) {
        auto& [f0, f1] = value;
        return std::tie(f0, f1);
    } else if constexpr (count == 3) {
        auto& [f0, f1, f2] = value;
        return std::tie(f0, f1, f2);
    } else if constexpr (count == 4) {
        auto& [f0, f1, f2, f3] = value;
        return std::tie(f0, f1, f2, f3);
    } else if constexpr (count == 5) {
        auto& [f0, f1, f2, f3, f4] = value;
        return std::tie(f0, f1, f2, f3, f4);
    } else if constexpr (count == 6) {
        auto& [f0, f1, f2, f3, f4, f5] = value;
        return std::tie(f0, f1, f2, f3, f4, f5);
    } else if constexpr (count == 7) {
        auto& [f0, f1, f2, f3, f4, f5, f6] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6);
    } else if constexpr (count == 8) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7);
    } else if constexpr (count == 9) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8);
    } else if constexpr (count == 10) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9);
    } else if constexpr (count == 11) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10);
    } else if constexpr (count == 12) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11);
    } else if constexpr (count == 13) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12);
    } else if constexpr (count == 14) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13);
    } else if constexpr (count == 15) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14);
    } else if constexpr (count == 16) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15);
    } else if constexpr (count == 17) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16);
    } else if constexpr (count == 18) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17);
    } else if constexpr (count == 19) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18);
    } else if constexpr (count == 20) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19);
    } else if constexpr (count == 21) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20);
    } else if constexpr (count == 22) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21);
    } else if constexpr (count == 23) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22);
    } else if constexpr (count == 24) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23);
    } else if constexpr (count == 25) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24);
    } else if constexpr (count == 26) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25);
    } else if constexpr (count == 27) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26);
    } else if constexpr (count == 28) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27);
    } else if constexpr (count == 29) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28);
    } else if constexpr (count == 30) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29);
    } else if constexpr (count == 31) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30);
    } else if constexpr (count == 32) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31] = value;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31);
    }
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

/// The compiler's own text for a function ends with its template argument, and that with the name of the field.
template <field_address Field>
[[nodiscard]] consteval auto name_of() {
    std::string_view text = __PRETTY_FUNCTION__;
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
