#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/schema/encode.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// A value in the declaration of a parameter: its default, or a bound of its range. A duration is converted to the parameter's unit.
class arg_value {
public:
    arg_value() = default;  ///< no value
    template <class T>
        requires(!std::same_as<std::remove_cvref_t<T>, arg_value>)
    arg_value(T&& value) {
        if constexpr (detail::is_chrono<std::remove_cvref_t<T>>::value) {
            seconds_ = std::chrono::duration<long double>(value).count();
            value_ = json();
        } else {
            value_ = encode(std::forward<T>(value));
        }
    }

    [[nodiscard]] bool has_value() const noexcept { return value_.has_value(); }
    /// Returns the value as JSON, in units of `unit` seconds. Fails if the value cannot be encoded, if it is a duration and `unit` is 0, or
    /// if it is not a whole number of units although `whole` says that it must be.
    [[nodiscard]] result<json> in_units(long double unit, bool whole) const;

private:
    std::optional<result<json>> value_ = {};
    std::optional<long double> seconds_ = {};
};

/// One parameter of a capability, as the model sees it: its name and description, a default value, and what values it may have.
///
///     ai::arg{"level", "how loud"}.between(0, 100).or_else(50)
///     ai::arg{"n", "how many", 10}
///
/// A parameter with a default value is not required. If the default or a limit does not fit the parameter's type, the capability cannot be
/// declared: its `specs` fail.
struct arg {
    std::string name = {};
    std::string description = {};
    arg_value fallback = {};  ///< the value if the model gives none; shown in the schema
    arg_value minimum = {};   ///< of a number or a duration
    arg_value maximum = {};
    std::optional<std::size_t> shortest = {};  ///< length of a text, in code points
    std::optional<std::size_t> longest = {};
    std::string pattern = {};  ///< ECMA regular expression of a text; matches anywhere if it is not anchored

    [[nodiscard]] arg or_else(arg_value value) const { return changed(&arg::fallback, std::move(value)); }
    [[nodiscard]] arg at_least(arg_value least) const { return changed(&arg::minimum, std::move(least)); }
    [[nodiscard]] arg at_most(arg_value most) const { return changed(&arg::maximum, std::move(most)); }
    [[nodiscard]] arg between(arg_value least, arg_value most) const { return at_least(std::move(least)).at_most(std::move(most)); }
    [[nodiscard]] arg min_length(std::size_t length) const { return changed(&arg::shortest, length); }
    [[nodiscard]] arg max_length(std::size_t length) const { return changed(&arg::longest, length); }
    [[nodiscard]] arg matching(std::string regex) const { return changed(&arg::pattern, std::move(regex)); }

private:
    template <class T>
    [[nodiscard]] arg changed(T arg::* member, std::type_identity_t<T> value) const {
        arg copy = *this;
        copy.*member = std::move(value);
        return copy;
    }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
