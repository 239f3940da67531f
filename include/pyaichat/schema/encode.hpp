#pragma once
#include <pyaichat/core/detail/names.hpp>
#include <pyaichat/core/result.hpp>
#include <pyaichat/schema/detail/kinds.hpp>
#include <pyaichat/schema/detail/unsupported.hpp>
#include <pyaichat/schema/schema_error.hpp>

#include <concepts>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

/// How `encode` and `decode` see structs: by their fields. A form that has members for a std::variant comes before `anyOf`. What the
/// library itself stores has a form of its own, which is not for hosts.
struct field_form {
    template <class T>
    static constexpr bool has_members = plain_struct<T>;
    /// Calls `member(name, field, description)` for each member; `member` is a `member_writer` or a `member_reader`.
    template <class T, class Member>
    static void members(T& value, Member& member) {
        for_each_field(value, [&]<class Field>(std::string_view name, Field& field) {
            const about told = description_of<std::remove_const_t<T>>(name);
            member(name, field, told.text);
            if constexpr (is_measure<std::remove_const_t<Field>>::value) {
                member.keep_within(told, field);
            }
        });
        if constexpr (!Member::reads) {
            write_nulls(value, member);
        }
    }

private:
    /// An empty optional is left out, as the schema says, but not if its struct gives it another value, which decoding would bring back.
    template <class T, class Member>
    static void write_nulls(const T& value, Member& member) {
        constexpr bool has_optional = []<std::size_t... I>(std::index_sequence<I...>) {
            return (is_optional<field_type<T, I>>::value || ...);
        }(field_indices<T>());
        if constexpr (has_optional) {
            const T defaults{};
            const auto given = fields_of(defaults);
            const auto fields = fields_of(value);
            const auto write_null = [&](std::string_view name, const auto& field, const auto& fallback) {
                if constexpr (is_optional<std::remove_cvref_t<decltype(field)>>::value) {
                    if (!field && fallback) {
                        member.object[std::string(name)] = nullptr;
                    }
                }
            };
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (write_null(field_name<T, I>, std::get<I>(fields), std::get<I>(given)), ...);
            }(field_indices<T>());
        }
    }
};

/// Returns the failure for a value that is none of the enumerators.
[[nodiscard]] failure no_enumerator(std::int64_t value);

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
        if constexpr (is_optional<T>::value) {
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

/// Calls `visit` with the alternative that a variant has; none if it has lost its value.
template <class Variant, class Visit, std::size_t... I>
void visit_alternative(const Variant& value, Visit& visit, std::index_sequence<I...>) {
    const auto visit_one = [&](const auto* alternative) {
        if (alternative != nullptr) {
            visit(*alternative);
        }
    };
    (visit_one(std::get_if<I>(&value)), ...);
}

template <class Form, class T>
bool encode_as(T&& value, json& into, failure& error) {
    using type = std::remove_cvref_t<T>;
    if constexpr (reflected<type>) {
        return encode_as<Form>(reflect<type>::write(std::forward<T>(value)), into, error);
    } else if constexpr (std::same_as<type, json> || std::same_as<type, bool> || whole_number<type> || std::floating_point<type>) {
        into = std::forward<T>(value);
        return true;
    } else if constexpr ((std::same_as<type, std::monostate> && !Form::template has_members<type>) || std::same_as<type, std::nullptr_t>) {
        into = nullptr;
        return true;
    } else if constexpr (is_chrono<type>::value) {
        into = value.count();
        return true;
    } else if constexpr (readable_enum<type>) {
        for (const auto& each : enumerators<type>) {
            if (each.value == value) {
                into = std::string(word_for(each));
                return true;
            }
        }
        error = no_enumerator(static_cast<std::int64_t>(value));
        return false;
    } else if constexpr (std::same_as<type, std::filesystem::path>) {
        const std::u8string text = value.u8string();
        into = std::string(text.begin(), text.end());
        return true;
    } else if constexpr (is_variant<type>::value && !Form::template has_members<type>) {
        bool fits = true;
        const auto write = [&](const auto& alternative) { fits = encode_as<Form>(alternative, into, error); };
        visit_alternative(value, write, std::make_index_sequence<std::variant_size_v<type>>());
        return fits;
    } else if constexpr (is_tuple<type>::value) {
        into = json::array();
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (encode_as<Form>(std::get<I>(value), into.emplace_back(), error) && ...);
        }(std::make_index_sequence<std::tuple_size_v<type>>());
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
    } else if constexpr (string_map<type>) {
        into = json::object();
        for (const auto& [key, member] : value) {
            if (!encode_as<Form>(member, into[key], error)) {
                return false;
            }
        }
        return true;
    } else if constexpr (written_as_list<type>) {
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
        explain_unsupported<type>();
        return false;
    }
}

}  // namespace detail

/// Returns a C++ value as JSON. Takes the types that `schema_of` describes, and what cannot be decoded: views of texts and ranges, string
/// literals (a null pointer is null), and `result<T>`, also inside of others. Fails with the failure of such a `result`, or with
/// `internal` for a value of an enumeration that is none of its enumerators.
///
/// An empty optional is null, but is left out as a member of a struct, if the struct does not give it another value by default.
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
