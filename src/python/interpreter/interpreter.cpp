#include <pyaichat/python/interpreter.hpp>

#include "python/interpreter/adopted_interpreter.hpp"
#include "python/interpreter/interpreter_thread.hpp"

#include <pyaichat/python/adapter.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python {

result<interpreter> interpreter::start(interpreter_options options) {
    result<std::shared_ptr<detail::interpreter_thread>> thread = detail::interpreter_thread::start(options);
    if (!thread) {
        return thread.error();
    }
    return interpreter(std::move(*thread));
}

result<interpreter> interpreter::adopt(adopt_options options) {
    result<std::shared_ptr<detail::adopted_interpreter>> adopted = detail::adopted_interpreter::adopt(std::move(options));
    if (!adopted) {
        return adopted.error();
    }
    return interpreter(std::move(*adopted));
}

interpreter::interpreter(std::shared_ptr<detail::interpreter_core> core) : core_(std::move(core)) {}
interpreter::interpreter(interpreter&&) noexcept = default;

interpreter& interpreter::operator=(interpreter&& other) noexcept {
    interpreter(std::move(other)).core_.swap(core_);  // the temporary stops the previous one
    return *this;
}

interpreter::~interpreter() {
    if (core_) {
        core_->stop();
    }
}

std::string interpreter::version() {
    return std::to_string(Py_Version >> 24) + "." + std::to_string(Py_Version >> 16 & 0xFF) + "." + std::to_string(Py_Version >> 8 & 0xFF);
}

std::optional<running_work> interpreter::running() const {
    return core_->queue().running();
}

void interpreter::interrupt() const noexcept {
    if (core_) {
        core_->interrupt();
    }
}

std::size_t interpreter::run_pending(duration budget) {
    return core_->run_pending(budget);
}

void interpreter::give_up() const {
    core_->queue().give_up();
}

result<void> describe_type(const interpreter& python, std::string type_name, describe_function describe) {
    if (type_name.empty() || !describe) {
        return failure{.code = errc::invalid_argument,
                       .message = "a description of Python objects needs the name of a type and a function"};
    }
    python.core_->host_types().add(std::move(type_name), std::move(describe));
    return {};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python
