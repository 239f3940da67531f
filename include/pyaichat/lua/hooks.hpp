#pragma once
#include <pyaichat/lua/plugins.hpp>
#include <pyaichat/policy/run_hooks.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua {

/// The hooks of plugins, for a run. Models `run_hooks`: see its members there. A cheap handle, which includes plugins that are added later.
///
/// Plugins are called in load order. Each sees the changes of those before it, and the first denial is final. If a `before_call` fails,
/// exceeds a limit or returns an invalid value, the call is denied. Any other hook that fails is reported and has no effect. With
/// `run_on::worker` a run waits for deciding hooks without blocking its thread; observing hooks run later, and are skipped while a thousand
/// of them wait.
class hooks {
public:
    explicit hooks(const plugins& loaded) : state_(loaded.state_) {}

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
