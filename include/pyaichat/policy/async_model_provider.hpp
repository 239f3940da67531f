#pragma once
#include <pyaichat/core/task.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <concepts>
#include <utility>

namespace pyaichat::inline v0 {

/// The other end of an attempt at a model call: give it the outcome now or later, from any thread, exactly once. Dropped, it reports that
/// the provider went away. An outcome that comes after the loop has given up is fine and has no effect.
class model_reply {
public:
    using receiver = unique_function<void(result<model_response>)>;

    model_reply() = default;
    explicit model_reply(receiver receive) : receive_(std::move(receive)) {}
    model_reply(model_reply&& other) noexcept : receive_(std::exchange(other.receive_, nullptr)) {}
    model_reply& operator=(model_reply&& other) noexcept {
        if (this != &other) {
            drop();
            receive_ = std::exchange(other.receive_, nullptr);
        }
        return *this;
    }
    ~model_reply() { drop(); }

    void operator()(result<model_response> outcome) {
        PYAICHAT_ASSERT(receive_, "a provider answered one attempt twice");
        if (receive_) {
            std::exchange(receive_, nullptr)(std::move(outcome));
        }
    }

    /// Whether the outcome is still owed.
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(receive_); }

private:
    void drop() noexcept {
        if (receive_) {
            (*this)(failure{.code = errc::invalid_state,
                            .message = "the work for the model call was dropped before it gave a result",
                            .hint = "The agent, or what runs its work, is gone, so the model could not be asked."});
        }
    }

    receiver receive_;
};

/// A provider over an event-driven transport: no thread waits for it.
///
/// `start` is called by the driver on the pumping thread, returns at once, and answers through `reply` later, from any thread. It copies
/// what it needs of the request; sink and token may be copied too. One attempt, no retries, like `model_provider`; may be called again
/// before an earlier attempt has answered. Something thrown by `start` counts as `internal`.
template <class P>
concept async_model_provider = std::move_constructible<P> &&
    requires(P& provider, const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply reply) {
    { provider.start(request, sink, cancel, std::move(reply)) } -> std::same_as<void>;
};

/// What an agent takes: a provider of either form.
template <class P>
concept any_model_provider = model_provider<P> || async_model_provider<P>;

}  // namespace pyaichat::inline v0
