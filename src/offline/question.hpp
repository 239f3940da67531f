#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The kinds of question that the offline provider understands. `question_table()` has the phrasings, `answers.hpp` the answers.
enum class question_form : unsigned char {
    unknown,
    // help
    greeting,
    thanks,
    farewell,
    abilities,
    identity,
    // listing
    variables,  ///< `subject` is a noun such as "function", or empty for all variables
    variable_count,
    existence,
    // objects
    value,
    type,
    type_check,  ///< is `subject` a `other`
    members,
    attributes,
    methods,
    contents,
    documentation,
    signature,
    location,
    source,
    base_classes,
    version,
    // computed values
    computation,
    operation,  ///< `name` is the name of an entry in `operations()`
    membership,
    lookup,     ///< the attribute, item or column `other` of `subject`
    key_check,  ///< has `subject` the key `other`
    // tables
    columns,
    column_types,
    missing_values,
    description,
    head,
    tail,
    // failures and changes
    failure,
    failure_value,  ///< the value of `subject` when it failed
    situation,
    changes,
    last_entry,
    // two objects
    comparison,
    equality,
    identity_check,
    order,  ///< `name` is the operator
    // an earlier question with another subject: "and y?"
    follow_up
};

struct question {
    question_form form = question_form::unknown;
    std::string subject = {};  ///< the expression asked about; empty for forms without one
    std::string other = {};    ///< the second expression; empty for forms with one subject
    std::string count = {};    ///< a number in digits; empty for forms without one
    std::string name = {};     ///< which operation or operator
};

/// Reads a question. Its form is `unknown` if no phrasing fits.
[[nodiscard]] question recognise(std::string_view text);

/// Whether the text stands for an object that was mentioned before: "it", "this list".
[[nodiscard]] bool is_pronoun(std::string_view subject);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
