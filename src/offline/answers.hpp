#pragma once
#include "offline/lookups.hpp"
#include "offline/question.hpp"

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

// Each function composes the answer to one group of forms. It returns an empty text if results are missing: `lookups` knows which, and why.

[[nodiscard]] std::string answer_help(const question& asked);
[[nodiscard]] std::string answer_listing(const question& asked, lookups& look);
[[nodiscard]] std::string answer_value(const question& asked, lookups& look);
[[nodiscard]] std::string answer_object(const question& asked, lookups& look);
[[nodiscard]] std::string answer_operation(const question& asked, lookups& look);
[[nodiscard]] std::string answer_membership(const question& asked, lookups& look);
[[nodiscard]] std::string answer_table(const question& asked, lookups& look);
[[nodiscard]] std::string answer_failure(const question& asked, lookups& look);
[[nodiscard]] std::string answer_changes(const question& asked, lookups& look);
[[nodiscard]] std::string answer_comparison(const question& asked, lookups& look);

/// The answer to a question of any form but `unknown` and `follow_up`.
[[nodiscard]] std::string answer_question(const question& asked, lookups& look);

/// A sentence with the exception of a reply of `get_last_exception` or `situation`.
[[nodiscard]] std::string say_failure(const json& reply);

/// The values of a frame's variables, as a sentence that follows another one. Empty if it has none.
[[nodiscard]] std::string say_locals(const json& frame);

/// The kind of an object, as far as expressions about it differ.
enum class object_kind : unsigned char { plain, dict, set, array, series, frame };

/// The expression for the attribute, the item of a dict or the column with a name.
[[nodiscard]] std::string member_expression(const std::string& holder, const std::string& name, object_kind kind);

/// Whether an error says that this name is not defined. Such a word of a question is then taken as a text.
[[nodiscard]] bool is_undefined(const json* error, const std::string& name);

/// Returns the kind from a result of `inspect`; `plain` if there is none.
[[nodiscard]] object_kind kind_of(const json* inspected);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
