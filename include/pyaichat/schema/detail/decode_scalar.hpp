#pragma once
#include <pyaichat/schema/detail/kinds.hpp>
#include <pyaichat/schema/schema_error.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

[[nodiscard]] std::string pointer_token(std::string_view key);
[[nodiscard]] schema_error wrong_type(std::string_view wanted, const json& found);
[[nodiscard]] schema_error missing_member(std::string_view name, std::string_view description);
[[nodiscard]] schema_error out_of_range(std::string_view name, std::string_view keyword, std::string_view relation, std::int64_t bound);
[[nodiscard]] schema_error wrong_length(std::size_t wanted, std::size_t found);
[[nodiscard]] schema_error unknown_word(std::span<const std::string_view> known);
[[nodiscard]] schema_error wrong_integer(std::int64_t least, std::uint64_t most);
/// Says that what `error` is about is below the member or element `key`. Always false.
bool below(schema_error& error, std::string_view key);

/// Durations that are read are no longer ago than this (31 years), so that a damaged document cannot make arithmetic overflow.
inline constexpr duration longest_ago = duration(-1'000'000'000'000'000'000);

/// Keeps the error of the alternative that is nearest to a value.
class nearest_error {
public:
    void add(schema_error misfit, int nearness);
    /// Returns the error, or that the value has none of the kinds.
    [[nodiscard]] schema_error get(unsigned kinds, const json& value) &&;

private:
    schema_error error_;
    std::pair<int, std::ptrdiff_t> nearness_ = {};  ///< that of the alternative, and the depth of the error
};

/// Whether a text can be a path: an embedded zero would hide the rest from the system.
[[nodiscard]] bool is_path(std::string_view text) noexcept;

/// Compares an integer of any type, or a floating-point number, with a bound.
template <class Left, class Right>
[[nodiscard]] constexpr bool is_less(Left left, Right right) noexcept {
    if constexpr (std::integral<Left> && std::integral<Right>) {
        return std::cmp_less(left, right);
    } else {
        return static_cast<double>(left) < static_cast<double>(right);
    }
}

/// Decodes a number, a text, an enumeration or a duration.
template <class T>
[[nodiscard]] bool decode_scalar(const json& value, T& into, schema_error& error) {
    const auto fits = [&](bool right, std::string_view wanted) {
        if (!right) {
            error = wrong_type(wanted, value);
        }
        return right;
    };
    if constexpr (std::same_as<T, bool>) {
        const auto read = as_bool(value);
        into = read.value_or(false);
        return fits(read.has_value(), "true or false");
    } else if constexpr (is_chrono<T>::value) {
        typename T::rep read = 0;
        const bool right = decode_scalar(value, read, error);
        into = T(read);
        if constexpr (std::same_as<T, duration>) {
            into = std::max(into, longest_ago);
        }
        return right;
    } else if constexpr (std::is_enum_v<T>) {
        const auto word = as_string(value);
        if (!fits(word.has_value(), "a string")) {
            return false;
        }
        std::array<std::string_view, enumerators<T>.size()> known;
        for (std::size_t i = 0; i < known.size(); ++i) {
            known[i] = word_for(enumerators<T>[i]);
            if (known[i] == *word) {
                into = enumerators<T>[i].value;
                return true;
            }
        }
        error = unknown_word(known);
        return false;
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
            error = wrong_integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
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
    } else {
        const auto read = as_string(value);
        if (!fits(read.has_value(), "a string")) {
            return false;
        }
        if constexpr (std::same_as<T, std::string>) {
            into = *read;
        } else {
            if (!is_path(*read)) {
                error = {{}, "format", "must be a path, without a zero character"};
                return false;
            }
            into = T(std::u8string(read->begin(), read->end()));
        }
        return true;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
