#pragma once
#include "python/interpreter/process.hpp"

#include <pyaichat/python/session.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Routes reads of `sys.stdin` to the input function of the code that runs. Thread-safe; call it without the GIL.
class input_port {
public:
    using reader = std::function<input_line(const std::string& prompt)>;

    /// Reads a line. Returns nothing if the code that runs has no input, and in a forked child, where nobody answers.
    [[nodiscard]] std::optional<input_line> read(const std::string& prompt) {
        if (process_id() != own_process_) {
            return std::nullopt;
        }
        std::shared_ptr<const reader> current;
        {
            const std::lock_guard lock(mutex_);
            current = current_;
        }
        return current ? std::optional((*current)(prompt)) : std::nullopt;
    }

    /// Connects an input function during its own lifetime. There is one connection at a time.
    class connection {
    public:
        connection(input_port& port, const reader& read) : port_(port) {
            port_.connect(read ? std::make_shared<const reader>(read) : nullptr);
        }
        ~connection() { port_.connect(nullptr); }
        connection(const connection&) = delete;
        connection& operator=(const connection&) = delete;

    private:
        input_port& port_;
    };

private:
    void connect(std::shared_ptr<const reader> read) {
        const std::lock_guard lock(mutex_);
        current_.swap(read);
    }

    const long own_process_ = process_id();
    std::mutex mutex_;
    std::shared_ptr<const reader> current_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
