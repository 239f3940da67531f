#pragma once
#include <pyaichat/core/detail/names.hpp>
#include <pyaichat/schema/schema_error.hpp>
#include <pyaichat/schema/schema_of.hpp>

#include <algorithm>
#include <limits>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

[[nodiscard]] std::string pointer_token(std::string_view key);
[[nodiscard]] schema_error wrong_type(std::string_view wanted, const json& found);
[[nodiscard]] schema_error missing_member(std::string_view name, std::string_view description);
[[nodiscard]] schema_error out_of_range(std::string_view name, std::string_view keyword, std::string_view relation, std::int64_t bound);
/// Says that what `error` is about is below the member or element `key`. Always false.
bool below(schema_error& error, std::string_view key);

/// Durations that are read are no longer ago than this (31 years), so that a damaged document cannot make arithmetic overflow.
inline constexpr duration longest_ago = duration(-1'000'000'000'000'000'000);

template <class Form, class T>
[[nodiscard]] bool decode_as(const json& value, T& into, schema_error& error);

/// Compares an integer of any type, or a floating-point number, with a bound.
template <class Left, class Right>
[[nodiscard]] constexpr bool is_less(Left left, Right right) noexcept {
    if constexpr (std::integral<Left> && std::integral<Right>) {
        return std::cmp_less(left, right);
    } else {
        return static_cast<double>(left) < static_cast<double>(right);
    }
}

/// Reads the members of an object, up to the first that does not fit. One that is optional and not there is left as it is.
template <class Form>
struct member_reader {
    static constexpr bool reads = true;
    const json& object;
    schema_error& error;
    bool fits = true;

    template <class T>
    void operator()(std::string_view name, T& into, std::string_view description = {}) {
        if (!fits) {
            return;
        }
        if (const json* member = find_member(object, name)) {
            fits = decode_as<Form>(*member, into, error) || below(error, name);
        } else if constexpr (!is_optional<T>::value) {
            refuse(missing_member(name, description));
        }
    }
    /// Refuses a number outside the range of its member.
    template <class T>
    void keep_within(const about& member, const T& field) {
        if constexpr (is_optional<T>::value) {
            if (field) {
                keep_within(member, *field);
            }
        } else if (fits && member.minimum && is_less(field, *member.minimum)) {
            refuse(out_of_range(member.field, "minimum", "at least", *member.minimum));
        } else if (fits && member.maximum && is_less(*member.maximum, field)) {
            refuse(out_of_range(member.field, "maximum", "at most", *member.maximum));
        }
    }
    [[nodiscard]] bool has(std::string_view name) const noexcept { return find_member(object, name) != nullptr; }
    void refuse(schema_error why) {
        if (std::exchange(fits, false)) {
            error = std::move(why);
        }
    }
};

template <class Form, class T>
bool decode_as(const json& value, T& into, schema_error& error) {
    const auto fits = [&](bool right, std::string_view wanted) {
        if (!right) {
            error = wrong_type(wanted, value);
        }
        return right;
    };
    if constexpr (is_optional<T>::value) {
        if (value.is_null()) {
            into.reset();
            return true;
        }
        return decode_as<Form>(value, into.emplace(), error);
    } else if constexpr (std::same_as<T, json>) {
        into = value;
        return true;
    } else if constexpr (std::same_as<T, bool>) {
        const auto read = as_bool(value);
        into = read.value_or(false);
        return fits(read.has_value(), "true or false");
    } else if constexpr (std::same_as<T, duration>) {
        duration::rep read = 0;
        const bool right = decode_as<Form>(value, read, error);
        into = std::max(duration(read), longest_ago);
        return right;
    } else if constexpr (named_enum<T>) {
        const auto word = as_string(value);
        if (!fits(word.has_value(), "a string")) {
            return false;
        }
        if (!read_word(*word, into)) {
            error = {{}, "enum", "is a word that is not known here"};
            return false;
        }
        return true;
    } else if constexpr (std::integral<T>) {
        const auto read = as_integer(value);
        if (read && std::in_range<T>(*read)) {
            into = static_cast<T>(*read);
            return true;
        }
        if (const auto* large = value.get_ptr<const json::number_unsigned_t*>(); large != nullptr && std::in_range<T>(*large)) {
            into = static_cast<T>(*large);
            return true;
        }
        if (fits(value.is_number(), "an integer")) {
            error = {{},
                     "type",
                     "must be an integer from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                         std::to_string(std::numeric_limits<T>::max())};
        }
        return false;
    } else if constexpr (std::floating_point<T>) {
        const auto read = as_number(value);
        into = static_cast<T>(read.value_or(0));
        if (read && (*read < std::numeric_limits<T>::lowest() || *read > std::numeric_limits<T>::max())) {
            error = {{}, "type", "is too large a number"};
            return false;
        }
        return fits(read.has_value(), "a number");
    } else if constexpr (std::same_as<T, std::string>) {
        const auto read = as_string(value);
        into = read.value_or("");
        return fits(read.has_value(), "a string");
    } else if constexpr (is_string_map<T>::value) {
        if (!fits(value.is_object(), "an object")) {
            return false;
        }
        into.clear();
        for (auto member = value.begin(); member != value.end(); ++member) {
            if (!decode_as<Form>(member.value(), into[member.key()], error)) {
                return below(error, member.key());
            }
        }
        return true;
    } else if constexpr (range_of_others<T>) {
        if (!fits(value.is_array(), "an array")) {
            return false;
        }
        into = T{};
        std::size_t index = 0;
        for (const json& element : value) {
            std::ranges::range_value_t<T> read{};
            if (!decode_as<Form>(element, read, error)) {
                return below(error, std::to_string(index));
            }
            into.push_back(std::move(read));
            ++index;
        }
        return true;
    } else {
        static_assert(Form::template has_members<T>, "decode knows the types that schema_of knows");
        if (!fits(value.is_object(), "an object")) {
            return false;
        }
        into = T{};
        member_reader<Form> members{value, error};
        Form::members(into, members);
        return members.fits;
    }
}

}  // namespace detail

/// Reads a `T` out of a value, or says why not in `error`. A member of a struct that is optional and not there keeps the value that the
/// struct gives it; members that the struct does not have are passed over. A number with a fraction is no integer, and one that is out of
/// the type's range is refused; an integer that is read as floating point is rounded as C++ does. An enumeration is read from the word that
/// its `to_string` gives, a `duration` from nanoseconds. Terminates on any value: the depth is that of the type.
template <class T>
[[nodiscard]] bool decode(const json& value, T& into, schema_error& error, const std::string& path = {}) {
    const bool fits = detail::decode_as<detail::field_form>(value, into, error);
    if (!fits) {
        error.path.insert(0, path);
    }
    return fits;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
