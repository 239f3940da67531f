#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/python/session.hpp>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// How many bytes of a command's output are kept per stream.
inline constexpr std::size_t max_kept_output = std::size_t{1} << 20;

/// Collects the output of one command. Thread-safe; `write` is called without the GIL.
class output_sink {
public:
    using observer = std::function<void(output_stream, std::string_view)>;

    explicit output_sink(observer observe = {}) : observe_(std::move(observe)) {}

    void write(output_stream stream, std::string_view text);
    /// Removes the observer. It is not called after this returns, so its owner may be destroyed.
    void close();

    /// The output so far. A note at its end says how many bytes were dropped.
    [[nodiscard]] std::string text(output_stream stream) const;

private:
    struct stream_text {
        std::string text;
        std::size_t dropped = 0;
    };
    mutable std::mutex mutex_;
    observer observe_;
    stream_text out_;
    stream_text err_;
};

/// Routes `sys.stdout` and `sys.stderr` to the sink of the current command. What a background thread writes between two commands goes to
/// the next command. Thread-safe.
class output_switch {
public:
    void write(output_stream stream, std::string_view text);

    /// Sends all further output to `sink`, which must live as long as the process. Only for a forked child: another thread of the parent
    /// may have held the locks of the previous sink.
    void use_only(output_sink& sink) noexcept { only_.store(&sink); }

    /// Redirects the output to `sink` during its own lifetime. There is one at a time.
    class redirection {
    public:
        redirection(output_switch& target, const std::shared_ptr<output_sink>& sink);
        ~redirection() { static_cast<void>(target_.exchange(std::move(next_))); }
        redirection(const redirection&) = delete;
        redirection& operator=(const redirection&) = delete;

    private:
        output_switch& target_;
        std::shared_ptr<output_sink> next_ = std::make_shared<output_sink>();
    };

private:
    [[nodiscard]] std::shared_ptr<output_sink> exchange(std::shared_ptr<output_sink> sink);

    std::atomic<output_sink*> only_ = nullptr;
    std::mutex mutex_;
    std::shared_ptr<output_sink> current_ = std::make_shared<output_sink>();  ///< between two commands: what the next one gets
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
