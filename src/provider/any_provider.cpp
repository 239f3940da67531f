#include <pyaichat/provider/any_provider.hpp>

#include <condition_variable>
#include <mutex>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Shared with the provider, which may reply after the caller has stopped waiting.
struct reply_box {
    std::mutex mutex;
    std::condition_variable_any replied;
    std::optional<result<model_response>> outcome;
    bool closed = false;  // the caller has returned, and the sink may be gone
};

}  // namespace

result<model_response> wait_for_reply(unique_function<void(const delta_sink&, model_reply)> start, const delta_sink& sink,
                                      const cancel_token& cancel) {
    const auto box = std::make_shared<reply_box>();
    const delta_sink shown([box, out = sink](delta_sink::kind what, std::string_view piece) {
        const std::lock_guard lock(box->mutex);
        if (!box->closed) {
            out(what, piece);
        }
    });
    start(shown, model_reply([box](result<model_response> outcome) {
              {
                  const std::lock_guard lock(box->mutex);
                  box->outcome = std::move(outcome);
              }
              box->replied.notify_one();
          }));
    std::unique_lock lock(box->mutex);
    const bool replied = box->replied.wait(lock, cancel, [&] { return box->outcome.has_value(); });
    box->closed = true;
    if (!replied) {
        return failure{.code = errc::cancelled, .message = "cancelled while the provider was working"};
    }
    return *std::move(box->outcome);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
