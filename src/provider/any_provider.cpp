#include <pyaichat/provider/any_provider.hpp>

#include "policy/wait_room.hpp"

#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Shared with the provider, which may reply after the caller has stopped waiting.
struct reply_box {
    wait_room room;
    std::optional<result<model_response>> outcome;
    bool cancelled = false;
    bool closed = false;  // the caller has returned, and the sink may be gone
};

}  // namespace

result<model_response> wait_for_reply(unique_function<void(const delta_sink&, model_reply)> start, const delta_sink& sink,
                                      const cancel_token& cancel, std::shared_ptr<event_loop> loop) {
    const auto box = std::make_shared<reply_box>();
    const delta_sink shown([box, out = sink](delta_sink::kind what, std::string_view piece) {
        const auto lock = box->room.lock();
        if (!box->closed) {
            out(what, piece);
        }
    });
    loop_claim claim(std::move(loop));
    static_cast<void>(claim.hold());  // before `start`, so that this thread runs what it starts
    start(shown, model_reply([box](result<model_response> outcome) {
              std::unique_lock lock = box->room.lock();
              box->outcome = std::move(outcome);
              box->room.wake(std::move(lock));
          }));
    const auto give_up = [box] {
        std::unique_lock lock = box->room.lock();
        box->cancelled = true;
        box->room.wake(std::move(lock));
    };
    const cancel_callback<decltype(give_up)> watched(cancel, give_up);
    std::unique_lock lock = box->room.lock();
    const auto is_over = [&] { return box->outcome.has_value() || box->cancelled; };
    while (!is_over()) {
        box->room.wait(lock, longest_wait, claim, is_over);
    }
    box->closed = true;
    std::optional<result<model_response>> outcome = std::move(box->outcome);
    lock.unlock();
    return outcome ? *std::move(outcome) : failure{.code = errc::cancelled, .message = "cancelled while the provider was working"};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
