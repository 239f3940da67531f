#include "shell/exec/exec_call.hpp"

#include "process/folder.hpp"
#include "process/run_process.hpp"
#include "process/signal_name.hpp"
#include "shell/exec/live_output.hpp"
#include "shell/text/head_and_tail.hpp"
#include "shell/text/plain_output.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using clock = std::chrono::steady_clock;

/// Captures the output for the model, and shows it to the person.
class exec_output final : public process::output_listener {
public:
    exec_output(std::size_t budget, const capability_responder& responder)
        : kept_{head_and_tail(budget), head_and_tail(budget)},
          live_([&responder](std::string_view text) { responder.output(text); }, clock::now()) {}

    void receive(process::output_stream stream, std::string_view bytes) override {
        const auto at = static_cast<std::size_t>(stream);
        total_bytes_ += bytes.size();
        plain_[at].feed(bytes, text_);
        kept_[at].append(text_);
        text_.clear();
        live_.feed(at, bytes, clock::now());
    }
    [[nodiscard]] time_point tick(time_point now) override { return live_.tick(now); }

    void finish() {
        for (std::size_t at = 0; at < plain_.size(); ++at) {
            plain_[at].finish(text_);
            kept_[at].append(text_);
            text_.clear();
        }
        live_.finish(clock::now());
    }

    /// Adds the members about the output to the result.
    void add_to(json& result, bool merged) const {
        result["total_bytes"] = total_bytes_;
        result["truncated"] = kept_[0].is_cut() || kept_[1].is_cut();
        result[merged ? "output" : "stdout"] = kept_[0].text();
        if (!merged) {
            result["stderr"] = kept_[1].text();
        }
    }

private:
    std::array<plain_output, 2> plain_ = {};
    std::array<head_and_tail, 2> kept_;
    live_output live_;
    std::string text_ = {};
    std::uint64_t total_bytes_ = 0;
};

bool is_within(const std::string& path, const std::string& root) {
    return path == root || root == "/" || (path.starts_with(root) && path[root.size()] == '/');
}

/// Opens the folder of a call. The check is made with the open folder, so a link that is changed meanwhile makes no difference.
std::variant<process::open_folder, capability_reply> folder_of(const exec_setup& setup, const exec_arguments& arguments) {
    const std::filesystem::path base(setup.folder);
    auto opened = process::open_working_folder((arguments.cwd ? base / *arguments.cwd : base).string());
    if (!opened) {
        return reply_error(arguments.cwd ? reply_code::invalid_args : reply_code::internal, opened.error().hint);
    }
    if (arguments.cwd) {
        const std::vector<std::string> usual = {setup.folder};
        const std::vector<std::string>& roots = setup.options.roots.empty() ? usual : setup.options.roots;
        const bool allowed = std::any_of(roots.begin(), roots.end(), [&](const std::string& root) {
            const auto known = process::open_working_folder((base / root).string());
            return known && is_within(opened->path, known->path);
        });
        if (!allowed) {
            return reply_error(reply_code::invalid_args, "`cwd` must be a folder within the allowed ones; " + *arguments.cwd + " is not");
        }
    }
    return *std::move(opened);
}

process::child_options child_of(const exec_setup& setup, const exec_arguments& arguments, int folder) {
    const shell_options& options = setup.options;
    process::child_options child{.arguments = arguments.program,
                                 .environment = setup.environment,
                                 .folder = folder,
                                 .input = arguments.input.has_value(),
                                 .limits = {.cpu_seconds = options.limits.cpu_seconds,
                                            .address_space = options.limits.address_space,
                                            .file_size = options.limits.file_size,
                                            .processes = options.limits.processes,
                                            .nice = options.limits.nice}};
    if (options.pty) {
        child.terminal = {.columns = options.columns, .rows = options.rows};
    }
    return child;
}

capability_reply start_error(const shell_options& options, const failure& error) {
    const bool of_program = options.shell.empty() && (error.code == errc::not_found || error.code == errc::not_allowed);
    return reply_error(of_program || error.code == errc::invalid_argument ? reply_code::invalid_args : reply_code::internal, error.hint);
}

void add_end(json& result, const process::run_ending& ending) {
    if (ending.end.what == process::child_end::kind::signalled) {
        result["signal"] = process::signal_name(ending.end.code);
    } else {
        const bool known = ending.end.what == process::child_end::kind::exited;
        result["exit_code"] = known ? json(ending.end.code) : json();
    }
    if (ending.left_running) {
        result["left_running"] = true;
    }
}

}  // namespace

capability_reply run_command(const exec_setup& setup, const exec_call& call, const capability_responder& responder) {
    using cause = process::run_ending::cause;
    const auto started = clock::now();
    auto folder = folder_of(setup, call.arguments);
    if (auto* refused = std::get_if<capability_reply>(&folder)) {
        return std::move(*refused);
    }
    const int handle = std::get<process::open_folder>(folder).handle.number();
    auto child = process::child_process::start(child_of(setup, call.arguments, handle));
    if (!child) {
        return start_error(setup.options, child.error());
    }
    exec_output output(setup.options.max_output, responder);
    const std::string none;
    const process::run_ending ending = process::run_to_end(
        *child,
        {.input = call.arguments.input ? std::string_view(*call.arguments.input) : none, .deadline = call.deadline, .cancel = call.cancel},
        output);
    output.finish();

    json result = {{"timed_out", ending.by == cause::deadline},
                   {"ms", std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - started).count()}};
    add_end(result, ending);
    output.add_to(result, setup.options.pty);
    if (ending.by == cause::deadline) {
        return reply_error(reply_code::timeout,
                           "the command was ended after " + describe(call.time) +
                               "; what it printed is in `details`. Give it less to do, "
                               "or more time if `timeout_ms` was set",
                           std::move(result));
    }
    if (ending.by == cause::cancelled) {
        return reply_error(reply_code::cancelled, "the command was cancelled; what it printed is in `details`", std::move(result));
    }
    return reply_with(std::move(result));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
