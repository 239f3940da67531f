#pragma once
#include <pyaichat/policy/model_provider.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

/// Answers a fixed list of question forms without a network, a key or a language model, by real function calls. Models `model_provider`.
///
/// It understands (X is a name or a path such as `df.columns[0]`; case, a final mark and "what's" do not matter):
///
/// | form                                                    | calls                  |
/// |---------------------------------------------------------|------------------------|
/// | which variables are there                               | `list_globals`         |
/// | what is X, show X                                       | `inspect`, `get_repr`  |
/// | what type is X, what is the type of X                   | `get_type`             |
/// | what can X do, what attributes does X have              | `get_dir`              |
/// | how long is X, what is in X                             | `inspect`, `get_repr`  |
/// | documentation of X, what does X do                      | `get_doc`              |
/// | why did it fail, what was the last error                | `get_last_exception`   |
/// | compute EXPR, what is EXPR                              | `eval_expr`            |
///
/// The first response asks for the calls, the second answers from their replies, failures included. Any other question gets a sentence that
/// lists the forms. It looks only at the request: a capability that is not declared (by its name, or by a prefixed one such as
/// `py_get_repr`) is reported as missing. Equal requests get equal responses. Token counts are zero.
class offline {
public:
    /// Returns the response to the last message, without waiting. Fails only with `cancelled`, if `cancel` is already set. Thread-safe.
    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) const;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
