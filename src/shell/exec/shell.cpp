#include <pyaichat/core/detail/quiet_thread.hpp>
#include <pyaichat/core/text.hpp>
#include <pyaichat/shell/shell.hpp>

#include "shell/exec/exec_call.hpp"
#include "shell/rules/visible_text.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <list>
#include <system_error>
#include <thread>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

/// A thread that runs one command.
struct exec_worker {
    std::thread thread = {};
    std::shared_ptr<std::atomic<bool>> done = std::make_shared<std::atomic<bool>>(false);
};

struct request_stop {
    cancel_source source;
    void operator()() { source.request_stop(); }
};

std::string absolute_folder(const std::string& folder) {
    std::error_code ignored;
    return std::filesystem::absolute(folder.empty() ? "." : folder, ignored).lexically_normal().string();
}

/// The time that the command may take: leaves the run the time to get the reply.
duration time_for(const shell_options& options, const detail::exec_arguments& arguments, duration left) {
    const duration spare = std::min<duration>(std::chrono::milliseconds(500), left / 4);
    return std::min({options.timeout, arguments.timeout.value_or(options.timeout), left - spare, longest_wait});
}

/// The input decides what an interpreter does, so it is part of the question.
std::string shown_input(std::string_view input) {
    constexpr std::size_t longest = 2000;
    const std::string_view begin = detail::utf8_prefix(input, longest);
    return "the input " + detail::visible_text(begin) +
           (begin.size() < input.size() ? "... (" + std::to_string(input.size()) + " bytes)" : "");
}

}  // namespace

struct shell::state {
    explicit state(shell_options chosen) {
        setup.folder = absolute_folder(chosen.folder);
        setup.environment = detail::exec_environment(chosen);
        setup.options = std::move(chosen);
        declared = declare({detail::exec_spec(setup.options)});
    }
    ~state() {
        closing.request_stop();
        for (exec_worker& each : workers) {
            each.thread.join();
        }
    }

    void join_finished() {
        std::erase_if(workers, [](exec_worker& each) {
            if (*each.done) {
                each.thread.join();
            }
            return !each.thread.joinable();
        });
    }

    void start(detail::exec_call call, capability_responder responder) {
        exec_worker worker;
        // Only the thread that starts gets the responder.
        const auto shared = std::make_shared<capability_responder>(std::move(responder));
        auto started =
            detail::start_quiet_thread([this, call = std::move(call), shared, done = worker.done, closed = closing.get_token()]() mutable {
                capability_responder reply = std::move(*shared);
                cancel_source either;
                const cancel_callback<request_stop> by_run(call.cancel, request_stop{either});
                const cancel_callback<request_stop> by_source(closed, request_stop{either});
                call.cancel = either.get_token();
                capability_reply outcome =
                    guarded([&] { return detail::run_command(setup, call, reply); },
                            [](std::string_view what) {
                                return reply_error(reply_code::internal, "the command could not be run: " + std::string(what));
                            });
                *done = true;  // before the reply: the next call may come at once
                reply(std::move(outcome));
            });
        if (!started) {
            (*shared)(reply_error(reply_code::internal, started.error().hint));
            return;
        }
        worker.thread = *std::move(started);
        workers.push_back(std::move(worker));
    }

    /// What the person is asked: the whole command, its folder, and why.
    [[nodiscard]] std::string question(const proposed_call& call, const std::string& why) const {
        std::filesystem::path folder(setup.folder);
        if (const auto cwd = string_member(call.arguments, "cwd")) {
            folder /= *cwd;
        }
        const auto input = string_member(call.arguments, "stdin");
        return "it runs " + visible_command(call.arguments) + " in " + detail::visible_text(folder.string()) +
               (input ? " with " + shown_input(*input) : "") + (why.empty() ? "" : ": " + why);
    }

    detail::exec_setup setup;
    result<capability_list> declared = capability_list();
    cancel_source closing;
    std::list<exec_worker> workers;
};

shell::shell(shell_options options) : state_(std::make_unique<state>(std::move(options))) {}
shell::shell(shell&&) noexcept = default;
shell& shell::operator=(shell&&) noexcept = default;
shell::~shell() = default;

result<capability_list> shell::specs() const {
    return state_->declared;
}

void shell::invoke(const capability_call& call, capability_responder responder) {
    state_->join_finished();
    auto arguments = detail::read_exec_arguments(state_->setup.options, call.arguments);
    if (!arguments) {
        responder(reply_error(reply_code::invalid_args, arguments.error().hint));
        return;
    }
    if (state_->workers.size() >= static_cast<std::size_t>(std::max(state_->setup.options.max_running, 1))) {
        responder(reply_error(reply_code::busy, "too many commands are running; wait for one of them to end"));
        return;
    }
    const duration time = time_for(state_->setup.options, *arguments, call.time_left);
    state_->start(
        {.arguments = *std::move(arguments), .deadline = std::chrono::steady_clock::now() + time, .time = time, .cancel = call.cancel},
        std::move(responder));
}

std::vector<call_decision> shell::review(std::span<const proposed_call> batch) {
    const shell_options& options = state_->setup.options;
    std::vector<call_decision> decisions = state_->setup.options.approval.decide(batch);
    decisions.resize(batch.size(), call_decision::deny("the approval policy of the shell did not decide about this call"));
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (decisions[i].what == call_decision::kind::abstain && options.ask) {
            decisions[i].what = call_decision::kind::ask;
        }
        if (decisions[i].what == call_decision::kind::ask) {
            decisions[i].reason = state_->question(batch[i], decisions[i].reason);
        }
    }
    return decisions;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
