#pragma once
#include <pyaichat/policy/approval_policy.hpp>
#include <pyaichat/policy/run_hooks.hpp>

#include "object_ref.hpp"

#include <string>
#include <string_view>

namespace bindings {

/// Makes a decision of `(kind, value)`: "abstain", "allow", "change" with arguments, "ask" or "deny" with a reason.
[[nodiscard]] ai::call_decision decision_from_python(py::handle decided);

/// An approval policy in Python: a function of a call that returns `(kind, value)`.
[[nodiscard]] ai::any_approval_policy approval_in_python(object_ref decide);

/// Hooks in Python, as `pyaichat._hooks` makes them. What they raise becomes an exception of C++.
class python_hooks {
public:
    explicit python_hooks(object_ref hooks) : hooks_(std::move(hooks)) {}

    void on_question(std::string_view question) const;
    [[nodiscard]] ai::call_decision before_call(const ai::proposed_call& call) const;
    void after_call(const ai::capability_call& call, ai::capability_reply& reply) const;
    [[nodiscard]] std::string on_answer(const ai::closing_answer& answer) const;

private:
    object_ref hooks_;
};

}  // namespace bindings
