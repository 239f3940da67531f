#pragma once
#include <pyaichat/lua/plugins.hpp>
#include <pyaichat/policy/run_hooks.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua {

/// The hooks of plugins, for a run. Models `run_hooks`: called on the pumping thread. Cheap to copy.
/// Plugins that are loaded later are included.
///
/// Plugins are called in load order. Each sees the changes of those before it, and the first denial is final. If a `before_call` fails,
/// exceeds a limit or returns an invalid value, the call is denied. Any other hook that fails is reported and has no effect. With
/// `run_on::worker`, deciding hooks do not block the thread of the run. Observing hooks are queued; if 1,000 are queued, further ones are
/// skipped.
class hooks {
public:
    /// Shares the state of `loaded`, which may be destroyed before this object.
    explicit hooks(const plugins& loaded) : state_(loaded.state_) {}

    /// Passes a new question to the plugins, and may reload changed files first (`plugins_options::reload_on_change`).
    void on_question(std::string_view question);
    /// Passes a model request to the plugins.
    void before_model(const model_request& request);
    /// Asks the plugins about a call, and passes their merged decision to `responder`.
    void before_call(const proposed_call& call, hook_responder<call_decision> responder);
    /// Lets the plugins change the reply to a call, and passes it to `responder`.
    void after_call(const capability_call& call, capability_reply reply, hook_responder<capability_reply> responder);
    /// Asks the plugins for notes about the answer, and passes them to `responder`, one per line.
    void on_answer(const closing_answer& closing, hook_responder<std::string> responder);
    /// Passes an event to the plugins.
    void on_event(const event& happened);

private:
    std::shared_ptr<detail::plugins_state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua
