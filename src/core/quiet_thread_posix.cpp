#include <pyaichat/core/detail/quiet_thread.hpp>

#include <csignal>
#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

result<std::thread> start_quiet_thread(std::function<void()> body) {
    sigset_t all;
    sigfillset(&all);
    sigset_t before;
    ::pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits the mask
    result<std::thread> started = guarded([&]() -> result<std::thread> { return std::thread(std::move(body)); },
                                          [](std::string_view text) -> result<std::thread> {
                                              return failure{.code = errc::internal,
                                                             .message = "no thread could be started: " + std::string(text),
                                                             .hint = "Run fewer tasks at the same time."};
                                          });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
