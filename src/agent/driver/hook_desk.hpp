#pragma once
#include "agent/driver/mailbox.hpp"

#include <pyaichat/policy/run_hooks.hpp>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Calls the hooks of one run. Hooks answer at once, or later through the mailbox. After the last answer, `then` is called on the pumping
/// thread, possibly before the member returns.
class hook_desk {
public:
    template <class T>
    using receiver = unique_function<void(T)>;

    hook_desk(std::vector<any_run_hooks> hooks, std::shared_ptr<mailbox> box) : hooks_(std::move(hooks)), box_(std::move(box)) {}
    hook_desk(const hook_desk&) = delete;
    hook_desk& operator=(const hook_desk&) = delete;

    [[nodiscard]] bool empty() const noexcept { return hooks_.empty(); }

    void before_model(const model_request& request);
    void on_event(const event& happened);

    /// Asks all hooks about all calls. If a hook fails, its decision is to deny.
    void before_call(std::span<const proposed_call> batch, receiver<std::vector<input::opinions::opinion>> then);
    /// Passes a reply through the hooks, in order, beginning at `first`.
    void after_call(capability_call call, capability_reply reply, receiver<capability_reply> then, std::size_t first = 0);
    /// Collects the notes of all hooks, each after an empty line, in order.
    void on_answer(const closing_answer& closing, receiver<std::string> then);

private:
    template <class Answer, class Ask>
    void ask(std::size_t questions, Ask asked, receiver<std::vector<std::optional<Answer>>> then);

    std::vector<any_run_hooks> hooks_;
    std::shared_ptr<mailbox> box_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
