#include "policies.hpp"

#include "errors.hpp"
#include "gil.hpp"
#include "json_values.hpp"
#include "messages.hpp"

namespace bindings {

ai::call_decision decision_from_python(py::handle decided) {
    const auto pair = py::reinterpret_borrow<py::tuple>(decided);
    const std::string kind = text_of(pair[0]);
    if (kind == "allow") {
        return ai::call_decision::allow();
    }
    if (kind == "change") {
        return ai::call_decision::allow_with(from_python(pair[1]));
    }
    if (kind == "ask") {
        return ai::call_decision::ask(text_of(pair[1]));
    }
    return kind == "deny" ? ai::call_decision::deny(text_of(pair[1])) : ai::call_decision();
}

ai::any_approval_policy approval_in_python(object_ref decide) {
    return [decide = std::move(decide)](const ai::proposed_call& call) {
        const with_gil held;
        return without_traceback([&] { return decision_from_python(decide.get()(call_to_python(call))); });
    };
}

void python_hooks::on_question(std::string_view question) const {
    const with_gil held;
    without_traceback([&] { hooks_.get().attr("on_question")(to_str(question)); });
}

ai::call_decision python_hooks::before_call(const ai::proposed_call& call) const {
    const with_gil held;
    return without_traceback([&] { return decision_from_python(hooks_.get().attr("before_call")(call_to_python(call))); });
}

void python_hooks::after_call(const ai::capability_call& call, ai::capability_reply& reply) const {
    const with_gil held;
    without_traceback([&] {
        const py::object changed = hooks_.get().attr("after_call")(call_to_python(call), to_python(reply.envelope()));
        if (!changed.is_none()) {
            reply = reply_from_python(py::reinterpret_borrow<py::dict>(changed));
        }
    });
}

std::string python_hooks::on_answer(const ai::closing_answer& answer) const {
    const with_gil held;
    return without_traceback([&] {
        return text_of(hooks_.get().attr("on_answer")(to_str(answer.question), to_str(answer.text), to_str(ai::to_string(answer.reason))));
    });
}

}  // namespace bindings
