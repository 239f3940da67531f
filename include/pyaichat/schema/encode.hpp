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
[[nodiscard]] bool encode_as(T&& value, json& into, failure& error);

/// Writes the members of an object, up to the first failure.
template <class Form>
struct member_writer {
    static constexpr bool reads = false;
    json& object;
    failure& error;
    bool fits = true;

    template <class T>
    void operator()(std::string_view name, const T& field, std::string_view = {}) {
        if constexpr (is_optional<T>::value && !Form::writes_null) {
            if (!field) {
                return;
            }
        }
        fits = fits && encode_as<Form>(field, object[std::string(name)], error);
    }
    // What a reader has too, for code that serves both.
    [[nodiscard]] static bool has(std::string_view) noexcept { return true; }
    static void refuse(const schema_error&) noexcept {}
    template <class T>
    static void keep_within(const about&, const T&) noexcept {}
};

template <class Form, class T>
bool encode_as(T&& value, json& into, failure& error) {
    using type = std::remove_cvref_t<T>;
    if constexpr (std::same_as<type, json> || std::same_as<type, bool> || (std::integral<type> && !std::same_as<type, char>) ||
                  std::floating_point<type>) {
        into = std::forward<T>(value);
        return true;
    } else if constexpr (std::same_as<type, duration>) {
        into = value.count();
        return true;
    } else if constexpr (named_enum<type>) {
        into = std::string(to_string(value));
        return true;
    } else if constexpr (std::is_pointer_v<type> && std::convertible_to<T, std::string_view>) {
        into = value != nullptr ? json(std::string(value)) : json();  // a null text is null
        return true;
    } else if constexpr (std::convertible_to<T, std::string_view>) {
        into = std::string(std::string_view(value));
        return true;
    } else if constexpr (requires {
                             typename type::value_type;
                             requires std::same_as<type, result<typename type::value_type>>;
                         }) {
        if (!value) {
            error = std::forward<T>(value).error();
            return false;
        }
        if constexpr (std::is_void_v<typename type::value_type>) {
            return true;
        } else {
            return encode_as<Form>(*std::forward<T>(value), into, error);
        }
    } else if constexpr (is_optional<type>::value) {
        return !value || encode_as<Form>(*std::forward<T>(value), into, error);
    } else if constexpr (is_string_map<type>::value) {
        into = json::object();
        member_writer<Form> members{into, error};
        for (const auto& [key, member] : value) {
            members(key, member);
        }
        return members.fits;
    } else if constexpr (range_of_others<type>) {
        // A proxy, as the elements of `std::vector<bool>` are, stands for its value.
        using reference = std::ranges::range_reference_t<std::remove_reference_t<T>>;
        using element =
            std::conditional_t<std::is_reference_v<reference>, const std::ranges::range_value_t<type>&, std::ranges::range_value_t<type>>;
        into = json::array();
        for (auto&& one : value) {
            if (!encode_as<Form>(static_cast<element>(one), into.emplace_back(), error)) {
                return false;
            }
        }
        return true;
    } else if constexpr (Form::template has_members<type>) {
        into = json::object();
        member_writer<Form> members{into, error};
        Form::members(value, members);
        return members.fits;
    } else {
        static_assert(always_false<T>,
                      "a capability must return void, bool, a number, a text (not a char), pyaichat::json, a range, std::map with string "
                      "keys, std::optional or "
                      "pyaichat::result of those, or a struct of those without bases and with at most 32 fields; for anything else build a "
                      "pyaichat::json yourself");
    }
}

}  // namespace detail

/// A C++ value as JSON: what `schema_of` knows, texts, `result<T>` (a failure stays one), ranges of those, and plain structs by the names
/// of their fields. An enumeration is written as the word that its `to_string` gives, a `duration` as nanoseconds.
template <class T>
[[nodiscard]] result<json> encode(T&& value) {
    json encoded;
    failure error;
    if (detail::encode_as<detail::field_form>(std::forward<T>(value), encoded, error)) {
        return encoded;
    }
    return error;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
