#include <pyaichat/python/interpreter.hpp>

#include "python/interpreter_thread.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python {

result<interpreter> interpreter::start(interpreter_options options) {
    result<std::shared_ptr<detail::interpreter_thread>> thread = detail::interpreter_thread::start(options);
    if (!thread) {
        return thread.error();
    }
    return interpreter(std::move(*thread));
}

interpreter::interpreter(std::shared_ptr<detail::interpreter_thread> thread) : thread_(std::move(thread)) {}
interpreter::interpreter(interpreter&&) noexcept = default;

interpreter& interpreter::operator=(interpreter&& other) noexcept {
    if (this != &other) {
        if (thread_) {
            thread_->stop();
        }
        thread_ = std::move(other.thread_);
    }
    return *this;
}

interpreter::~interpreter() {
    if (thread_) {
        thread_->stop();
    }
}

std::string interpreter::version() const {
    return thread_->version();
}

std::optional<running_work> interpreter::running() const {
    return thread_->queue().running();
}

void interpreter::interrupt() const noexcept {
    if (thread_) {
        std::as_const(*thread_).interrupts().interrupt();
    }
}

void interpreter::give_up() const {
    thread_->queue().give_up();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python
