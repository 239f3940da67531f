#pragma once
#include <pyaichat/lua/plugins.hpp>
#include <pyaichat/policy/run_hooks.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua {

/// The hooks of plugins, for a run. Models `run_hooks`; a cheap handle, which shares the plugins and sees those that are added later.
///
/// Plugins are asked in the order in which they were loaded; each sees what those before it have changed, and the first denial is the last
/// word. A `before_call` that fails, runs out of its budget or answers something else than it may denies the call; any other hook that
/// fails is reported and has no effect. On the worker, a run waits for the hooks that decide without holding its thread up; the hooks that
/// only look are called when there is time, and left out when a thousand of them wait.
class hooks {
public:
    explicit hooks(const plugins& of) : state_(of.state_) {}

    void on_question(std::string_view question);
    void before_model(const model_request& request);
    void before_call(const proposed_call& call, hook_responder<call_decision> responder);
    void after_call(const capability_call& call, capability_reply reply, hook_responder<capability_reply> responder);
    void on_answer(const closing_answer& made, hook_responder<std::string> responder);
    void on_event(const event& happened);

private:
    std::shared_ptr<detail::plugins_state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua
