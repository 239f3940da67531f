#pragma once
#include "python/capabilities/python_capability.hpp"
#include "python/look/evaluator.hpp"

#include <pyaichat/core/text.hpp>

#include <variant>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Returns the reply for a call without an expression.
[[nodiscard]] inline capability_reply missing_expression() {
    const schema_error error = {"/expr", "required", "is missing: give an expression like \"x\" or \"player.items[0]\""};
    return reply_invalid_args({&error, 1});
}

/// Evaluates an expression without running code, and replies with what `describe` says about the object.
template <class Describe>
[[nodiscard]] capability_reply look_at(capability_context& context, const std::string& expression, Describe describe) {
    if (pyaichat::detail::is_blank(expression)) {
        return missing_expression();
    }
    look_budget budget;
    looked target = evaluate(expression, context.session.globals(), context.session.python().runtime().builtins(), budget);
    if (auto* refused = std::get_if<capability_reply>(&target)) {
        return std::move(*refused);
    }
    return reply_with(describe(std::get<ref>(target).get()));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
