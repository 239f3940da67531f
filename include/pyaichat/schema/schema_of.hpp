#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/schema/describe.hpp>

#include <concepts>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

template <class T>
inline constexpr bool always_false = false;

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};

template <class T>
struct is_vector : std::false_type {};
template <class T, class A>
struct is_vector<std::vector<T, A>> : std::true_type {};

template <class T>
struct is_string_map : std::false_type {};
template <class T, class C, class A>
struct is_string_map<std::map<std::string, T, C, A>> : std::true_type {};

/// A range that does not have itself as element, as a file system path has.
template <class T>
concept range_of_others = std::ranges::input_range<T> && !std::same_as<std::ranges::range_value_t<T>, T>;

/// How `encode` and `decode` see structs: by their fields. What the library itself stores has a form of its own, which is not for hosts.
struct field_form {
    static constexpr bool writes_null = true;  ///< for a member that is an empty optional; else it is left out
    template <class T>
    static constexpr bool has_members = plain_struct<T>;
    /// Calls `member(name, field, description)` for each member; `member` is a `member_writer` or a `member_reader`.
    template <class T, class Member>
    static void members(T& value, Member& member) {
        for_each_field(value, [&](std::string_view name, auto& field) {
            const about told = description_of<std::remove_const_t<T>>(name);
            member(name, field, told.text);
            if constexpr (is_number<std::remove_cvref_t<decltype(field)>>::value) {
                member.keep_within(told, field);
            }
        });
    }
};

/// Adds a member to an object schema, which allows no others.
void add_property(json& schema, const about& member, json type, bool required);

}  // namespace detail

/// The JSON Schema of values of `T`, as `decode` takes them: bool, integers, floating point, std::string, json (anything),
/// std::vector, std::map with string keys, and std::optional of those; and plain structs of those, by the names of their fields, of which
/// all but the optional ones are required. `Outer` are the structs that it is a part of.
template <class T, class... Outer>
[[nodiscard]] json schema_of() {
    json schema = json::object();
    if constexpr (detail::is_optional<T>::value) {
        return schema_of<typename T::value_type, Outer...>();
    } else if constexpr (std::same_as<T, json>) {
        return schema;
    } else if constexpr (std::same_as<T, bool>) {
        schema["type"] = "boolean";
    } else if constexpr (std::integral<T> && !std::same_as<T, char>) {
        schema["type"] = "integer";
    } else if constexpr (std::floating_point<T>) {
        schema["type"] = "number";
    } else if constexpr (std::same_as<T, std::string>) {
        schema["type"] = "string";
    } else if constexpr (detail::is_vector<T>::value) {
        schema["type"] = "array";
        schema["items"] = schema_of<typename T::value_type, Outer...>();
    } else if constexpr (detail::is_string_map<T>::value) {
        schema["type"] = "object";
        schema["additionalProperties"] = schema_of<typename T::mapped_type, Outer...>();
    } else if constexpr (detail::plain_struct<T>) {
        static_assert(!(std::same_as<T, Outer> || ...),
                      "a struct in a capability's parameter must not contain itself: take pyaichat::json there and read it yourself");
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (detail::add_property(schema, detail::description_of<T>(detail::field_name<T, I>),
                                  schema_of<detail::field_type<T, I>, T, Outer...>(),
                                  !detail::is_optional<detail::field_type<T, I>>::value),
             ...);
        }(detail::field_indices<T>{});
    } else {
        static_assert(
            detail::always_false<T>,
            "a capability's parameter must be bool, a number, std::string (not a char), pyaichat::json, a std::vector, std::map with "
            "string keys or "
            "std::optional of those, or a struct of those without bases and with at most 32 fields; for anything else take pyaichat::json "
            "and read it yourself");
    }
    return schema;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
