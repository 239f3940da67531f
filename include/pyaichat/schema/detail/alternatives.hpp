#pragma once
#include <pyaichat/schema/detail/kinds.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

/// How the alternatives of a `std::variant` are told apart.

namespace pyaichat::inline PYAICHAT_ABI::detail {

template <class A, class B>
[[nodiscard]] consteval bool hides();

/// Whether the field `I` of `B` has a field of the same name in `A` that takes its values.
template <class A, class B, std::size_t I>
[[nodiscard]] consteval bool hides_field() {
    return [&]<std::size_t... J>(std::index_sequence<J...>) {
        const auto takes = []<std::size_t K>(std::integral_constant<std::size_t, K>) {
            if constexpr (field_name<A, K> == field_name<B, I>) {
                using taken = field_type<A, K>;
                using given = field_type<B, I>;
                return (is_optional<taken>::value || !is_optional<given>::value) &&
                       hides<without_optional<taken>, without_optional<given>>();
            } else {
                return false;
            }
        };
        return (takes(std::integral_constant<std::size_t, J>()) || ...);
    }(field_indices<A>());
}

/// Whether `T` has a required field with this name.
template <class T>
[[nodiscard]] consteval bool requires_field(std::string_view name) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return ((field_name<T, I> == name && !is_optional<field_type<T, I>>::value) || ...);
    }(field_indices<T>());
}

/// Whether each value of the struct `B` is one of the struct `A`: `A` knows the fields of `B`, and requires none that `B` may lack.
template <class A, class B>
[[nodiscard]] consteval bool hides_struct() {
    const bool known = []<std::size_t... I>(std::index_sequence<I...>) { return (hides_field<A, B, I>() && ...); }(field_indices<B>());
    return known && []<std::size_t... I>(std::index_sequence<I...>) {
        return ((is_optional<field_type<A, I>>::value || requires_field<B>(field_name<A, I>)) && ...);
    }(field_indices<A>());
}

/// Whether all that is encoded from a `B` is taken by `A`, so that a `B` behind an `A` would never be decoded.
template <class A, class B>
[[nodiscard]] consteval bool hides() {
    if constexpr (std::same_as<A, B> || std::same_as<A, json>) {
        return true;
    } else if constexpr (reflected<A>) {
        return hides<typename reflect<A>::form, B>();
    } else if constexpr (reflected<B>) {
        return hides<A, typename reflect<B>::form>();
    } else if constexpr (is_chrono<A>::value) {
        return hides<typename A::rep, B>();
    } else if constexpr (is_chrono<B>::value) {
        return hides<A, typename B::rep>();
    } else if constexpr (whole_number<A>) {
        return whole_number<B>;
    } else if constexpr (std::floating_point<A>) {
        return whole_number<B> || std::floating_point<B>;
    } else if constexpr (text<A>) {
        return text<B> || std::is_enum_v<B>;
    } else if constexpr (plain_struct<A> && plain_struct<B>) {
        return hides_struct<A, B>();
    } else if constexpr (string_map<A> && string_map<B>) {
        return hides<typename A::mapped_type, typename B::mapped_type>();
    } else if constexpr ((list_like<A> && (list_like<B> || set_like<B>)) || (set_like<A> && set_like<B>)) {
        return hides<std::ranges::range_value_t<A>, std::ranges::range_value_t<B>>();
    } else {
        return false;
    }
}

/// Does not compile if an alternative could never be decoded.
template <class... Each>
constexpr void check_alternatives() {
    constexpr bool all_reached = []<std::size_t... I>(std::index_sequence<I...>) {
        using list = std::tuple<Each...>;
        const auto reached = []<std::size_t K>(std::integral_constant<std::size_t, K>) {
            return []<std::size_t... Before>(std::index_sequence<Before...>) {
                return (!hides<std::tuple_element_t<Before, list>, std::tuple_element_t<K, list>>() && ...);
            }(std::make_index_sequence<K>());
        };
        return (reached(std::integral_constant<std::size_t, I>()) && ...);
    }(std::index_sequence_for<Each...>());
    static_assert(all_reached,
                  "an alternative of a std::variant could never be decoded, because one before it takes all its values: give each struct a "
                  "required field of its own, and put the more special alternative first");
}

/// How near a value is to a type: 0 if its kind is another one; else the more of a struct's members it has, and no others, the nearer.
template <class T>
[[nodiscard]] int nearness(const json& value) {
    if constexpr (reflected<T>) {
        return nearness<typename reflect<T>::form>(value);
    } else if ((kinds_of<T>() & kind_of(value)) == 0) {
        return 0;
    } else if constexpr (plain_struct<T>) {
        const int known = [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (static_cast<int>(find_member(value, field_name<T, I>) != nullptr) + ...);
        }(field_indices<T>());
        const int members = static_cast<int>(std::min<std::size_t>(value.size(), 1000));
        return 2000 + 2 * known - members - static_cast<int>(count_fields<T>());
    } else {
        return 1;
    }
}

/// Whether an object has only members that `T` knows. True for what is not a struct.
template <class T>
[[nodiscard]] bool knows_members(const json& value) {
    if constexpr (reflected<T>) {
        return knows_members<typename reflect<T>::form>(value);
    } else if constexpr (plain_struct<T>) {
        const std::size_t known = [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (static_cast<std::size_t>(find_member(value, field_name<T, I>) != nullptr) + ...);
        }(field_indices<T>());
        return !value.is_object() || known == value.size();
    } else {
        return true;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
