#pragma once
#include "offline/question.hpp"

#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The phrasings of one form. For the syntax of a phrasing see `match_phrase`.
struct question_row {
    question_form form = question_form::unknown;
    std::string_view name = {};                    ///< becomes `question::name`
    std::string_view shown = {};                   ///< how the form is listed for people; empty: the row is part of another one
    std::vector<std::string_view> sentences = {};  ///< whole questions
    std::vector<std::string_view> things = {};     ///< may also follow "what is", "show me" and the like
};

using question_rows = std::vector<question_row>;

// The phrasings of each group, in files of their own.
[[nodiscard]] question_rows help_rows();
[[nodiscard]] question_rows listing_rows();
[[nodiscard]] question_rows failure_rows();
[[nodiscard]] question_rows change_rows();
[[nodiscard]] question_rows comparison_rows();
[[nodiscard]] question_rows table_rows();
[[nodiscard]] question_rows operation_rows();
[[nodiscard]] question_rows object_rows();
[[nodiscard]] question_rows value_rows();

/// All phrasings. The first that fits wins: more special phrasings come before general ones.
[[nodiscard]] const question_rows& question_table();

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
