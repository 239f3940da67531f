#pragma once
#include <pyaichat/message/part.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The forms of question that the offline provider understands.
enum class question_form : unsigned char {
    unknown,
    variables,
    value,
    type,
    members,
    contents,
    documentation,
    failure,
    situation,
    computation
};

struct question {
    question_form form = question_form::unknown;
    std::string subject = {};  ///< the path or expression asked about; empty for forms without one
};

/// Reads a question. What is no form, or asks about something that is neither a path nor an expression, is `unknown`.
[[nodiscard]] question recognise(std::string_view text);

/// Whether `text` is a path: names, attributes, and items with literal keys.
[[nodiscard]] bool is_path(std::string_view text) noexcept;

/// The capability whose reply answers a question of this form. Empty for `unknown`.
[[nodiscard]] std::string_view capability_for(question_form form) noexcept;

/// The answer to a question from the replies to its calls. Never empty.
[[nodiscard]] std::string answer_from(const question& asked, const std::vector<response_part>& replies);

/// One sentence that lists the forms.
[[nodiscard]] std::string_view understood_forms() noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
