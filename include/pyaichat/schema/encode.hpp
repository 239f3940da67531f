#pragma once
#include <pyaichat/schema/schema_of.hpp>

#include <concepts>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {
/// A range that does not have itself as element, as a file system path has.
template <class T>
concept range_of_others = std::ranges::input_range<T> && !std::same_as<std::ranges::range_value_t<T>, T>;
}  // namespace detail

/// A C++ value as JSON: what `schema_of` knows, texts, `result<T>` (a failure stays one), ranges of those, and plain structs by the names
/// of their fields.
template <class T>
[[nodiscard]] result<json> encode(T&& value) {
    using type = std::remove_cvref_t<T>;
    if constexpr (std::same_as<type, json> || std::same_as<type, bool> || std::integral<type> || std::floating_point<type>) {
        return json(std::forward<T>(value));
    } else if constexpr (std::convertible_to<T, std::string_view>) {
        return json(std::string(std::string_view(value)));
    } else if constexpr (requires {
                             typename type::value_type;
                             requires std::same_as<type, result<typename type::value_type>>;
                         }) {
        if (!value) {
            return std::forward<T>(value).error();
        }
        if constexpr (std::is_void_v<typename type::value_type>) {
            return json();
        } else {
            return encode(*std::forward<T>(value));
        }
    } else if constexpr (detail::is_optional<type>::value) {
        return value ? encode(*std::forward<T>(value)) : result<json>(json());
    } else if constexpr (detail::is_string_map<type>::value) {
        json object = json::object();
        for (const auto& [key, member] : value) {
            result<json> encoded = encode(member);
            if (!encoded) {
                return encoded;
            }
            object[key] = std::move(*encoded);
        }
        return object;
    } else if constexpr (detail::range_of_others<type>) {
        json array = json::array();
        for (const auto& element : value) {
            result<json> encoded = encode(static_cast<std::ranges::range_value_t<type>>(element));
            if (!encoded) {
                return encoded;
            }
            array.push_back(std::move(*encoded));
        }
        return array;
    } else if constexpr (detail::plain_struct<type>) {
        result<json> object = json(json::object());
        detail::for_each_field(value, [&](std::string_view name, const auto& field) {
            if (object) {
                result<json> encoded = encode(field);
                if (encoded) {
                    (*object)[std::string(name)] = std::move(*encoded);
                } else {
                    object = std::move(encoded);
                }
            }
        });
        return object;
    } else {
        static_assert(
            detail::always_false<T>,
            "a capability must return void, bool, a number, a text, pyaichat::json, a range, std::map with string keys, std::optional or "
            "pyaichat::result of those, or a struct of those without bases and with at most 32 fields; for anything else build a "
            "pyaichat::json yourself");
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
