#include <pyaichat/provider/any_provider.hpp>

#include <condition_variable>
#include <mutex>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Shared with the provider, which may answer after nobody waits any more.
struct reply_box {
    std::mutex mutex;
    std::condition_variable_any came;
    std::optional<result<model_response>> outcome;
    bool left = false;  // the one who waited has gone, and the sink with it
};

}  // namespace

result<model_response> wait_for_reply(unique_function<void(const delta_sink&, model_reply)> start, const delta_sink& sink,
                                      const cancel_token& cancel) {
    const auto box = std::make_shared<reply_box>();
    const delta_sink shown([box, out = sink](delta_sink::kind what, std::string_view piece) {
        const std::lock_guard lock(box->mutex);
        if (!box->left) {
            out(what, piece);
        }
    });
    start(shown, model_reply([box](result<model_response> outcome) {
              {
                  const std::lock_guard lock(box->mutex);
                  box->outcome = std::move(outcome);
              }
              box->came.notify_one();
          }));
    std::unique_lock lock(box->mutex);
    const bool answered = box->came.wait(lock, cancel, [&] { return box->outcome.has_value(); });
    box->left = true;
    if (!answered) {
        return failure{.code = errc::cancelled, .message = "cancelled while the provider was at work"};
    }
    return *std::move(box->outcome);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
