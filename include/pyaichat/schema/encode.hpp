#pragma once
#include <pyaichat/core/detail/names.hpp>
#include <pyaichat/schema/schema_error.hpp>
#include <pyaichat/schema/schema_of.hpp>

#include <concepts>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

template <class Form, class T>
[[nodiscard]] result<json> encode_as(T&& value);

/// Writes the members of an object, up to the first failure.
template <class Form>
struct member_writer {
    static constexpr bool reads = false;
    result<json> object = json(json::object());

    // What a reader has too, for code that serves both.
    [[nodiscard]] static bool has(std::string_view) noexcept { return true; }
    static void refuse(const schema_error&) noexcept {}

    template <class T>
    void operator()(std::string_view name, const T& field, std::string_view = {}) {
        if constexpr (is_optional<T>::value && !Form::writes_null) {
            if (!field) {
                return;
            }
        }
        if (!object) {
            return;
        }
        if (result<json> encoded = encode_as<Form>(field)) {
            (*object)[std::string(name)] = std::move(*encoded);
        } else {
            object = std::move(encoded);
        }
    }
};

template <class Form, class T>
result<json> encode_as(T&& value) {
    using type = std::remove_cvref_t<T>;
    if constexpr (std::same_as<type, json> || std::same_as<type, bool> || std::integral<type> || std::floating_point<type>) {
        return json(std::forward<T>(value));
    } else if constexpr (std::same_as<type, duration>) {
        return json(value.count());
    } else if constexpr (named_enum<type>) {
        return json(std::string(to_string(value)));
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
            return encode_as<Form>(*std::forward<T>(value));
        }
    } else if constexpr (is_optional<type>::value) {
        return value ? encode_as<Form>(*std::forward<T>(value)) : result<json>(json());
    } else if constexpr (is_string_map<type>::value) {
        member_writer<Form> members;
        for (const auto& [key, member] : value) {
            members(key, member);
        }
        return std::move(members.object);
    } else if constexpr (range_of_others<type>) {
        // A proxy, as the elements of `std::vector<bool>` are, stands for its value.
        using reference = std::ranges::range_reference_t<std::remove_reference_t<T>>;
        using element =
            std::conditional_t<std::is_reference_v<reference>, const std::ranges::range_value_t<type>&, std::ranges::range_value_t<type>>;
        json array = json::array();
        for (auto&& one : value) {
            result<json> encoded = encode_as<Form>(static_cast<element>(one));
            if (!encoded) {
                return encoded;
            }
            array.push_back(std::move(*encoded));
        }
        return array;
    } else if constexpr (Form::template has_members<type>) {
        member_writer<Form> members;
        Form::members(value, members);
        return std::move(members.object);
    } else {
        static_assert(
            always_false<T>,
            "a capability must return void, bool, a number, a text, pyaichat::json, a range, std::map with string keys, std::optional or "
            "pyaichat::result of those, or a struct of those without bases and with at most 32 fields; for anything else build a "
            "pyaichat::json yourself");
    }
}

}  // namespace detail

/// A C++ value as JSON: what `schema_of` knows, texts, `result<T>` (a failure stays one), ranges of those, and plain structs by the names
/// of their fields. An enumeration is written as the word that its `to_string` gives, a `duration` as nanoseconds.
template <class T>
[[nodiscard]] result<json> encode(T&& value) {
    return detail::encode_as<detail::field_form>(std::forward<T>(value));
}

}  // namespace pyaichat::inline PYAICHAT_ABI
