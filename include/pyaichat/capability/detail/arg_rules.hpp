#pragma once
#include <pyaichat/capability/arg.hpp>
#include <pyaichat/schema/validate.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// What the type of a parameter says about its default and its limits.
struct parameter_traits {
    bool is_measure = false;  ///< a number or a duration
    bool is_whole = false;    ///< one that has no fractions
    bool is_text = false;
    long double unit = 0;  ///< of a duration, in seconds

    template <class T>
    [[nodiscard]] static constexpr parameter_traits of() {
        using type = without_optional<T>;
        if constexpr (is_chrono<type>::value) {
            return {.is_measure = true,
                    .is_whole = std::integral<typename type::rep>,
                    .unit = static_cast<long double>(type::period::num) / static_cast<long double>(type::period::den)};
        } else {
            return {.is_measure = is_measure_v<type>, .is_whole = std::integral<type>, .is_text = text<type>};
        }
    }

private:
    template <class T>
    static constexpr bool is_measure_v = detail::is_measure<T>::value;
};

/// The defaults and limits of the parameters of a capability. The schema shows them, but calls are also made without the loop, which
/// validates them against the schema.
class arg_rules {
public:
    arg_rules() = default;
    /// Adds the defaults and limits to the schema of the parameters. Fails with `invalid_argument` if they do not fit the types, if two
    /// parameters have the same name, or if a pattern is not valid.
    [[nodiscard]] static result<arg_rules> make(std::string_view capability, std::span<const arg> args,
                                                std::span<const parameter_traits> types, json& schema);

    /// Returns the default of a parameter, or null if it has none.
    [[nodiscard]] const json* fallback(std::size_t index) const noexcept;
    /// Returns what is wrong with the arguments. Empty if they keep the limits.
    [[nodiscard]] std::vector<schema_error> check(const json& arguments) const;

private:
    std::vector<std::optional<json>> fallbacks_ = {};
    std::optional<compiled_schema> limits_ = {};
};

/// Returns the failure for a default that cannot be decoded.
[[nodiscard]] failure bad_default(std::string_view capability, std::string_view parameter, const schema_error& why);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
