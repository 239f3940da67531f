#pragma once
#include <pyaichat/agent/detail/mailbox.hpp>
#include <pyaichat/policy/run_hooks.hpp>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The hooks of one run. Those that answer at once are answered for at once; of the others the answers come through the mailbox, and `then`
/// is called when the last one has come, on the pumping thread in both cases.
class hook_desk {
public:
    using opinion = input::opinions::opinion;

    hook_desk(std::vector<any_run_hooks> hooks, std::shared_ptr<mailbox> box) : hooks_(std::move(hooks)), box_(std::move(box)) {}
    hook_desk(const hook_desk&) = delete;
    hook_desk& operator=(const hook_desk&) = delete;

    [[nodiscard]] bool empty() const noexcept { return hooks_.empty(); }

    void before_model(const model_request& request);
    void on_event(const event& happened);

    /// What all hooks say to all calls; who fails denies.
    void before_call(std::span<const proposed_call> batch, unique_function<void(std::vector<opinion>)> then);
    /// What one hook after the other makes of a reply.
    void after_call(const capability_call& call, capability_reply reply, unique_function<void(capability_reply)> then);
    /// All notes, each behind an empty line, in the order of the hooks.
    void on_answer(const closing_answer& made, unique_function<void(std::string)> then);

private:
    struct redaction;
    void go_on(const std::shared_ptr<redaction>& with);

    std::vector<any_run_hooks> hooks_;
    std::shared_ptr<mailbox> box_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
