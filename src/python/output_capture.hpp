#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/python/session.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// How much of one command's output is kept, per stream.
inline constexpr std::size_t max_kept_output = std::size_t{1} << 20;

/// What one command writes. Written from any of Python's threads (without the GIL), read from any.
class output_sink {
public:
    using observer = std::function<void(output_stream, std::string_view)>;

    explicit output_sink(observer observe = {}) : observe_(std::move(observe)) {}

    void write(output_stream stream, std::string_view text);
    /// The observer is not called any more once this has returned: its owner may be gone.
    void close();

    /// What was written so far; a note says how much is missing.
    [[nodiscard]] std::string text(output_stream stream) const;

private:
    struct kept {
        std::string text;
        std::size_t dropped = 0;
    };
    mutable std::mutex mutex_;
    observer observe_;
    kept out_;
    kept err_;
};

/// Where `sys.stdout` and `sys.stderr` of the interpreter lead to at the moment. What a background thread of Python's writes between two
/// commands goes to the next one.
class output_switch {
public:
    output_switch() : between_(std::make_shared<output_sink>()) {}

    void write(output_stream stream, std::string_view text);

    /// Leads the output to `sink` until it is destroyed.
    class redirection {
    public:
        redirection(output_switch& target, std::shared_ptr<output_sink> sink);
        ~redirection();
        redirection(const redirection&) = delete;
        redirection& operator=(const redirection&) = delete;

    private:
        output_switch& target_;
        std::shared_ptr<output_sink> before_;
    };

private:
    std::mutex mutex_;
    std::shared_ptr<output_sink> current_;
    std::shared_ptr<output_sink> between_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
