#pragma once
#include <pyaichat/config/config.hpp>

#include <span>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// How an answer with the value of an operation reads.
enum class operation_style : unsigned char {
    value,    ///< "The maximum of `xs` is 3 (`max(xs)`)."
    yes_no,   ///< "Yes: `len(xs) == 0` is True."
    printed,  ///< the expression prints what is shown
};

/// A computation that questions name by a word. X stands for the subject, Y for the second subject, N for the number. An empty expression
/// means the one of `plain`; "-" means that objects of this kind do not have it.
struct operation {
    std::string_view name;   ///< as in `question_row::name`
    std::string_view label;  ///< what the value is called
    operation_style style = operation_style::value;
    std::string_view plain = {};
    std::string_view dict = {};
    std::string_view array = {};  ///< arrays and series
    std::string_view frame = {};
    std::string_view fact = {};  ///< the member of the `details` of `inspect` with the same value, for a policy that refuses the expression
};

/// Returns all operations.
[[nodiscard]] std::span<const operation> operations() noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
