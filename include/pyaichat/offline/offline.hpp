#pragma once
#include <pyaichat/policy/model_provider.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

/// Answers fixed forms of question without a network, a key or a language model, by real function calls. Models `model_provider`.
///
/// It understands many phrasings of these forms. X and Y are names, paths such as `df.columns[0]`, or expressions. Articles, nouns ("the
/// list xs"), quotes, courtesies, case and final marks do not matter, and one misspelt letter in a word is tolerated.
///
/// | form                                                                | calls                                        |
/// |---------------------------------------------------------------------|----------------------------------------------|
/// | which variables, functions, modules, classes, dataframes are there  | `list_globals`                               |
/// | X; what is X; how long is X; what is in X                           | `inspect`, `get_repr`                        |
/// | what type is X; is X defined                                        | `get_type`                                   |
/// | is X a Y; base classes of X; version of X                           | `get_type`, `eval_expr`                      |
/// | what can X do; which attributes, methods does X have                | `get_dir`, `inspect`                         |
/// | what does X do; how do I call X                                     | `get_doc`, `inspect`                         |
/// | where is X defined; show the source of X                            | `inspect`, `get_source`                      |
/// | EXPR; compute EXPR; is Y in X; max, sum, mean, keys, first 3 of X   | `inspect`, `eval_expr`                       |
/// | columns, missing values, first rows of X; describe X                | `inspect`, `eval_expr`                       |
/// | compare X and Y; are X and Y equal; is X bigger than Y              | `inspect`, `eval_expr`                       |
/// | why did it fail; which line failed; what was X when it failed       | `get_last_exception`                         |
/// | what changed; what is going on; what did I run last                 | `situation`, `get_last_entry` if declared    |
/// | it, this; and Y?; what about Y?                                     | as the question before, or `get_last_entry`  |
/// | what can you do                                                     |                                              |
///
/// An answer may take several steps. If a name is missing and exactly one name is nearly the same, the provider takes that name and says
/// so. Any other question gets the three forms that come closest, and the run ends as `unanswered`. The provider looks only at the request:
/// it reports a capability that is not declared (by its name, or by a prefixed one such as `py_get_repr`) as missing. Equal requests get
/// equal responses. Token counts are zero.
///
/// If the answer has a schema, the value is taken from the replies: a number, text, list or dict that Python printed, the number of items,
/// the names of variables or members, whether a name exists; for a schema of texts, else the sentence of the answer. If none of these
/// satisfies the schema, the run ends as `unanswered`.
class offline {
public:
    /// Returns the response to the last message, without waiting. Fails only with `cancelled`, if `cancel` is already set. Thread-safe.
    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) const;
    /// See the function `tells_cost`. It costs nothing.
    [[nodiscard]] static constexpr bool tells_cost() noexcept { return true; }

    /// Takes every schema: see the function `takes_answer_schema`.
    [[nodiscard]] static bool takes_answer_schema(const json&) noexcept { return true; }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
