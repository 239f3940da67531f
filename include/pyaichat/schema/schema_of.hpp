#pragma once
#include <pyaichat/schema/detail/alternatives.hpp>
#include <pyaichat/schema/detail/unsupported.hpp>
#include <pyaichat/schema/encode.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

/// Adds a member to an object schema, which allows no others.
void add_property(json& schema, const about& member, json type, bool required);
/// Adds `remark` to the description of a schema, in parentheses if it has one.
void describe_also(json& schema, std::string_view remark);
/// Returns the schema of texts from a list. The descriptions of the words become that of the schema.
[[nodiscard]] json schema_of_words(std::span<const std::string_view> words, std::span<const std::string_view> texts);
/// Returns "in seconds" and the like, for a period in seconds.
[[nodiscard]] std::string in_unit(std::intmax_t numerator, std::intmax_t denominator);
/// Returns the schema of values that fit one of the schemas at least.
[[nodiscard]] json any_of(std::initializer_list<json> schemas);
[[nodiscard]] json list_schema(json element, std::optional<std::size_t> length = {});
[[nodiscard]] json tuple_schema(std::initializer_list<json> elements);

template <class E>
[[nodiscard]] json schema_of_enum() {
    constexpr std::size_t count = enumerators<E>.size();
    std::array<std::string_view, count> words;
    std::array<std::string_view, count> texts;
    for (std::size_t i = 0; i < count; ++i) {
        words[i] = word_for(enumerators<E>[i]);
        texts[i] = enumerators<E>[i].text;
    }
    return schema_of_words(words, texts);
}

}  // namespace detail

/// Returns the JSON Schema of the values of `T`, as `decode` takes them and `encode` gives them:
///
/// - bool, integers, floating point, `std::string`, `std::filesystem::path`, `json` (anything), `std::monostate` (null)
/// - enumerations, by the names of their enumerators (see `describe`)
/// - `std::chrono::duration`: a number, in the unit that the description names
/// - `std::vector` and other containers that grow, `std::set` and the like, `std::array`, `std::pair`, `std::tuple`, and maps with string
///   keys
/// - plain structs, by the names of their fields; all but the optional ones are required. An optional field that has a default value may be
///   null, which means that it is empty.
/// - `std::variant`: a value of one of the alternatives. `std::optional`: a value or null.
/// - types for which `reflect` is specialized
///
/// `Outer` are the structs that `T` is a part of.
template <class T, class... Outer>
[[nodiscard]] json schema_of() {
    json schema = json::object();
    if constexpr (detail::reflected<T>) {
        return schema_of<typename reflect<T>::form, Outer...>();
    } else if constexpr (detail::is_optional<T>::value) {
        return detail::any_of({schema_of<typename T::value_type, Outer...>(), {{"type", "null"}}});
    } else if constexpr (std::same_as<T, json>) {
        return schema;
    } else if constexpr (std::same_as<T, std::monostate>) {
        schema["type"] = "null";
    } else if constexpr (std::same_as<T, bool>) {
        schema["type"] = "boolean";
    } else if constexpr (detail::whole_number<T>) {
        schema["type"] = "integer";
    } else if constexpr (std::floating_point<T>) {
        schema["type"] = "number";
    } else if constexpr (detail::is_chrono<T>::value) {
        schema = schema_of<typename T::rep>();
        detail::describe_also(schema, detail::in_unit(T::period::num, T::period::den));
    } else if constexpr (detail::text<T>) {
        schema["type"] = "string";
    } else if constexpr (detail::readable_enum<T>) {
        return detail::schema_of_enum<T>();
    } else if constexpr (detail::is_variant<T>::value) {
        return [&]<class... Each>(std::variant<Each...>*) {
            detail::check_alternatives<Each...>();
            return detail::any_of({schema_of<Each, Outer...>()...});
        }(static_cast<T*>(nullptr));
    } else if constexpr (detail::is_array<T>::value) {
        return detail::list_schema(schema_of<typename T::value_type, Outer...>(), std::tuple_size_v<T>);
    } else if constexpr (detail::is_tuple<T>::value) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return detail::tuple_schema({schema_of<std::tuple_element_t<I, T>, Outer...>()...});
        }(std::make_index_sequence<std::tuple_size_v<T>>{});
    } else if constexpr (detail::string_map<T>) {
        schema["type"] = "object";
        schema["additionalProperties"] = schema_of<typename T::mapped_type, Outer...>();
    } else if constexpr (detail::list_like<T>) {
        return detail::list_schema(schema_of<std::ranges::range_value_t<T>, Outer...>());
    } else if constexpr (detail::set_like<T>) {
        schema = detail::list_schema(schema_of<typename T::key_type, Outer...>());
        schema["uniqueItems"] = true;
    } else if constexpr (detail::plain_struct<T>) {
        constexpr bool contains_itself = (std::same_as<T, Outer> || ...);
        static_assert(!contains_itself,
                      "a struct in a capability's parameter must not contain itself: take pyaichat::json there and read it yourself");
        if constexpr (!contains_itself) {
            const T defaults{};
            detail::for_each_field(defaults, [&]<class Field>(std::string_view name, const Field& fallback) {
                json type = schema_of<detail::without_optional<Field>, T, Outer...>();
                if constexpr (detail::is_optional<Field>::value) {
                    if (fallback) {
                        type = detail::any_of({std::move(type), {{"type", "null"}}});
                        if (result<json> encoded = encode(*fallback)) {
                            type["default"] = std::move(*encoded);
                        }
                    }
                }
                detail::add_property(schema, detail::description_of<T>(name), std::move(type), !detail::is_optional<Field>::value);
            });
        }
    } else {
        detail::explain_unsupported<T>();
    }
    return schema;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
