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

/// The beginning and the end of a text that is written in pieces. Uses memory for at most 1.5 times its limit.
class bounded_output {
public:
    /// `limit` is the maximum of kept bytes.
    explicit bounded_output(std::size_t limit) : half_(limit / 2) {}

    void append(std::string_view text);

    /// The text, or its beginning and its end with a note between them that says how many bytes are left out.
    [[nodiscard]] std::string text() const;

private:
    const std::size_t half_;
    std::string head_;
    bool head_is_full_ = false;
    std::string tail_;  ///< at most twice `half_`; `text` uses its last half
    std::size_t dropped_ = 0;
};

/// Collects the output of one command. Thread-safe. Call its functions without the GIL: the observer belongs to the host and may need it.
class output_sink {
public:
    using observer = std::function<void(output_stream, std::string_view)>;

    /// `limit` is the maximum of kept bytes per stream. The observer gets all output.
    explicit output_sink(observer observe = {}, std::size_t limit = max_kept_output)
        : observe_(std::move(observe)), out_(limit), err_(limit) {}

    /// Whether an observer gets the output. Until `close`.
    [[nodiscard]] bool is_observed() const;
    /// Returns false, and keeps nothing, after `finish`.
    bool write(output_stream stream, std::string_view text);
    /// Waits for a running `write` and refuses later ones: the text is complete.
    void finish();
    /// Replaces the observer, by default with none. The old one is not called after this returns, so its owner may be destroyed.
    void close(observer next = {});

    /// The output so far: all of it, or its beginning and its end.
    [[nodiscard]] std::string text(output_stream stream) const;

private:
    mutable std::mutex mutex_;
    observer observe_;
    bool finished_ = false;
    bounded_output out_;
    bounded_output err_;
};

/// Routes `sys.stdout` and `sys.stderr` to the sink of the current command. What a background thread writes between two commands goes to
/// the next command, also bounded, or to the background observer. Thread-safe; call it without the GIL.
class output_switch {
public:
    void write(output_stream stream, std::string_view text);

    /// Sends the output between two commands to `observe`, at once. Call it before the first command.
    void observe_background(output_sink::observer observe);
    /// That observer, which also gets what a command writes after its caller has stopped waiting; empty if there is none.
    [[nodiscard]] output_sink::observer background() const;

    /// Sends all further output to `sink`, which must live as long as the process. Only for a forked child: another thread of the parent
    /// may have held the locks of the previous sink.
    void use_only(output_sink& sink) noexcept { only_.store(&sink); }

    /// Redirects the output to `sink` during its own lifetime. There is one at a time.
    class redirection {
    public:
        redirection(output_switch& target, const std::shared_ptr<output_sink>& sink);
        ~redirection() { target_.exchange(std::move(next_))->finish(); }
        redirection(const redirection&) = delete;
        redirection& operator=(const redirection&) = delete;

    private:
        output_switch& target_;
        std::shared_ptr<output_sink> next_;
    };

private:
    [[nodiscard]] std::shared_ptr<output_sink> exchange(std::shared_ptr<output_sink> sink);

    std::atomic<output_sink*> only_ = nullptr;
    mutable std::mutex mutex_;
    output_sink::observer background_;
    std::shared_ptr<output_sink> current_ = std::make_shared<output_sink>();  ///< between two commands: what the next one gets
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
