#include "python/python_runner.hpp"

#include "python/timed_statement.hpp"
#include "python/traceback_colors.hpp"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace repl {

namespace {

using namespace std::chrono_literals;

/// Receives the outcome, and requests for input before it. Shared with Python's threads, which may go on after the caller has stopped
/// waiting.
struct inbox {
    std::mutex mutex;
    std::condition_variable arrived;
    std::optional<ai::python::outcome> outcome;
    std::optional<std::string> prompt;             ///< of a request for input that nobody has taken
    std::optional<ai::python::input_line> answer;  ///< to that request
    std::condition_variable answered;
    bool closed = false;  ///< nobody answers requests any more

    std::mutex asking;  ///< held during a request: several threads of Python may read
};

ai::python::input_line request_input(inbox& box, const std::string& prompt) {
    const std::lock_guard one_request(box.asking);
    std::unique_lock lock(box.mutex);
    box.prompt = prompt;
    box.arrived.notify_one();
    box.answered.wait(lock, [&] { return box.answer.has_value() || box.closed; });
    box.prompt = std::nullopt;
    return std::exchange(box.answer, std::nullopt).value_or(ai::python::input_line());
}

constexpr auto patience_after_interrupt = 1s;
constexpr auto patience_when_leaving = 300ms;

}  // namespace

std::optional<std::string> python_runner::busy() const {
    const auto running = python_.running();
    if (!running) {
        return std::nullopt;
    }
    return "Python has been busy with " + running->what + " for " + ai::describe(running->since) + "; Ctrl-C tries to interrupt it";
}

ai::python::outcome python_runner::run(std::string code, ai::python::run_mode mode, std::string file_name) {
    const auto timed = mode == ai::python::run_mode::interactive ? timed_statement(code) : std::nullopt;
    if (!timed) {
        return run(std::move(code), {.mode = mode, .file_name = std::move(file_name)});
    }
    const stopwatch watch;
    ai::python::outcome outcome = run(std::string(*timed), {.mode = mode, .file_name = std::move(file_name)});
    if (outcome.ending != ai::python::ending::incomplete && outcome.ending != ai::python::ending::busy) {
        screen_.fresh_line();
        screen_.notice(watch.describe());
    }
    return outcome;
}

ai::python::outcome python_runner::run_script(std::string code, std::string file_name, bool own_input) {
    return run(std::move(code), {.file_name = std::move(file_name), .process_input = own_input});
}

ai::python::outcome python_runner::run(std::string code, ai::python::run_options options) {
    if (auto sentence = busy()) {
        screen_.err(*sentence + "\n");
        return {.ending = ai::python::ending::busy, .why = *std::move(sentence)};
    }
    const auto box = std::make_shared<inbox>();
    static_cast<void>(interrupts::take());
    options.exception_hooks = true;
    options.top_level_await = true;
    options.number_values = true;
    record_.begin(code, options.file_name);
    options.output = [&to = screen_, &record = record_](ai::python::output_stream stream, std::string_view text) {
        record.add_output(text);
        stream == ai::python::output_stream::out ? to.out(text) : to.err(text);
    };
    if (read_input_ && !options.process_input) {
        options.input = [box](const std::string& prompt) { return request_input(*box, prompt); };
    }
    session_.post(std::move(code), std::move(options), [box](ai::python::outcome outcome) {
        const std::lock_guard lock(box->mutex);
        box->outcome = std::move(outcome);
        box->arrived.notify_one();
    });
    std::optional<std::chrono::steady_clock::time_point> interrupted_at;
    std::unique_lock lock(box->mutex);
    for (;;) {
        // Poll for Ctrl-C, because a signal handler cannot notify a condition variable.
        box->arrived.wait_for(lock, 50ms, [&] { return box->outcome.has_value() || box->prompt.has_value(); });
        if (box->outcome) {
            break;
        }
        if (const auto prompt = std::exchange(box->prompt, std::nullopt)) {
            lock.unlock();
            ai::python::input_line answer = read_input_(*prompt);
            interrupted_at = std::nullopt;
            lock.lock();
            box->answer = std::move(answer);
            box->answered.notify_one();
            continue;
        }
        if (!interrupts::take()) {
            continue;
        }
        const auto now = std::chrono::steady_clock::now();
        if (interrupted_at && now - *interrupted_at > patience_after_interrupt) {
            box->closed = true;
            box->answered.notify_all();
            lock.unlock();
            python_.give_up();  // questions get an answer from memory or `busy` at once, instead of waiting for this code
            const std::string sentence =
                "Python does not react to Ctrl-C (perhaps a loop in C code) and keeps running in the background. /quit still works.";
            screen_.err("\n" + sentence + "\n");
            record_.end({.ending = ai::python::ending::timeout});
            return {.ending = ai::python::ending::timeout, .why = sentence};
        }
        interrupted_at = interrupted_at.value_or(now);
    }
    box->closed = true;
    box->answered.notify_all();
    const ai::python::outcome outcome = *std::exchange(box->outcome, std::nullopt);
    lock.unlock();
    static_cast<void>(interrupts::take());
    show(outcome);
    record_.end(outcome);
    return outcome;
}

void python_runner::show(const ai::python::outcome& outcome) {
    using ai::python::ending;
    switch (outcome.ending) {
        case ending::raised:
            if (outcome.exception && !outcome.exception_shown) {
                const std::string& traceback = outcome.exception->traceback;
                screen_.err((colors_ ? color_traceback(traceback) : traceback) + (traceback.ends_with('\n') ? "" : "\n"));
            }
            break;
        case ending::timeout:
        case ending::busy:
        case ending::unavailable: screen_.err(outcome.why + "\n"); break;
        case ending::exited:
            // sys.exit("text") prints the text, as Python does.
            if (outcome.exception && outcome.exit_status == 1 && !outcome.exception->message.empty() && outcome.exception->message != "1") {
                screen_.err(outcome.exception->message + "\n");
            }
            break;
        case ending::done:
        case ending::incomplete: break;
    }
}

void python_runner::finish() {
    // Not left to the end of Python, which has no time limit there and cannot be interrupted.
    static constexpr const char* code = R"py(
import atexit, sys
if "threading" in sys.modules:
    sys.modules["threading"]._shutdown()
atexit._run_exitfuncs()
)py";
    if (!python_.running()) {
        run(code, ai::python::run_mode::statements, "<end>");
    }
}

bool python_runner::stop() const {
    const auto until = std::chrono::steady_clock::now() + patience_when_leaving;
    while (python_.running()) {
        if (std::chrono::steady_clock::now() > until) {
            return false;
        }
        python_.interrupt();
        std::this_thread::sleep_for(10ms);
    }
    return true;
}

}  // namespace repl
