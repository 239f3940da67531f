#include "process/child_process.hpp"
#include "process/child_setup.hpp"
#include "process/child_streams.hpp"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::process {

namespace {

/// The paths at which a program may be, in the order in which to try them.
std::vector<std::string> paths_of(const std::string& program, const std::vector<std::string>& environment) {
    if (program.find('/') != std::string::npos) {
        return {program};
    }
    constexpr std::string_view name = "PATH=";
    const auto found =
        std::find_if(environment.begin(), environment.end(), [&](const std::string& each) { return each.starts_with(name); });
    std::string_view folders = found == environment.end() ? "/usr/local/bin:/usr/bin:/bin" : std::string_view(*found).substr(name.size());
    std::vector<std::string> paths;
    for (;;) {
        const std::size_t end = std::min(folders.find(':'), folders.size());
        paths.push_back((end == 0 ? "." : std::string(folders.substr(0, end))) + "/" + program);
        if (end == folders.size()) {
            return paths;
        }
        folders.remove_prefix(end + 1);
    }
}

template <class Pointer>
std::vector<Pointer> pointers_to(const std::vector<std::string>& texts) {
    std::vector<Pointer> out;
    for (const std::string& each : texts) {
        out.push_back(const_cast<char*>(each.c_str()));  // `execve` takes them so, and changes nothing
    }
    out.push_back(nullptr);
    return out;
}

void add_limit(child_plan& plan, int resource, std::uint64_t soft, std::uint64_t hard) {
    rlimit value = {};
    // NOLINTNEXTLINE(bugprone-narrowing-conversions)
    ::getrlimit(static_cast<decltype(RLIMIT_CPU)>(resource), &value);
    value.rlim_cur = std::min<rlim_t>(soft, value.rlim_max);
    value.rlim_max = std::min<rlim_t>(hard, value.rlim_max);
    plan.limits[plan.limit_count++] = {.resource = resource, .value = value};
}

void add_limits(child_plan& plan, const resource_limits& limits) {
    add_limit(plan, RLIMIT_CORE, 0, 0);
    if (limits.cpu_seconds) {
        add_limit(plan, RLIMIT_CPU, *limits.cpu_seconds, *limits.cpu_seconds + 1);  // SIGXCPU, and a second later SIGKILL
    }
    if (limits.address_space) {
        add_limit(plan, RLIMIT_AS, *limits.address_space, *limits.address_space);
    }
    if (limits.file_size) {
        add_limit(plan, RLIMIT_FSIZE, *limits.file_size, *limits.file_size);
    }
    if (limits.processes) {
        add_limit(plan, RLIMIT_NPROC, *limits.processes, *limits.processes);
    }
    plan.nice = limits.nice;
}

/// Starts the process with all signals blocked: a handler of the host must not run in the memory that both share.
pid_t start_process(const child_plan& plan) {
    sigset_t all;
    sigfillset(&all);
    sigset_t before;
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t id = ::vfork();  // NOLINT(bugprone-unsafe-functions): posix_spawn sets no limits and no controlling terminal
    if (id == 0) {
        become_program(plan);
    }
    const int error = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return id;
}

failure start_failure(const std::string& program, int error) {
    const bool missing = error == ENOENT || error == ENOTDIR;
    const bool refused = error == EACCES || error == EPERM;
    const std::string why = "`" + program + "` could not be started: " + std::strerror(error);
    return {.code = missing                                                       ? errc::not_found
                    : refused                                                     ? errc::not_allowed
                    : error == E2BIG || error == ENOEXEC || error == ENAMETOOLONG ? errc::invalid_argument
                                                                                  : errc::internal,
            .message = why,
            .hint = why + "."};
}

}  // namespace

result<child_process> child_process::start(const child_options& options) {
    if (options.arguments.empty()) {
        return failure{.code = errc::invalid_argument, .message = "a process needs a program", .hint = "Name a program."};
    }
    auto streams = make_child_streams(options);
    if (!streams) {
        return streams.error();
    }
    auto report = make_pipe();
    if (!report) {
        return report.error();
    }
    const std::vector<std::string> paths = paths_of(options.arguments.front(), options.environment);
    const auto programs = pointers_to<const char*>(paths);
    const auto arguments = pointers_to<char*>(options.arguments);
    const auto environment = pointers_to<char*>(options.environment);
    const descriptor& output = streams->its.output;
    child_plan plan{.programs = programs.data(),
                    .arguments = arguments.data(),
                    .environment = environment.data(),
                    .folder = options.folder,
                    .input = streams->its.input.number(),
                    .output = output.number(),
                    .errors = options.terminal ? output.number() : streams->its.errors.number(),
                    .report = report->write.number(),
                    .terminal = options.terminal.has_value()};
    add_limits(plan, options.limits);

    child_process child;
    const pid_t id = start_process(plan);
    if (id < 0) {
        return system_failure("no process could be started");
    }
    child.id_ = id;
    report->write.close();
    int error = 0;
    if (::read(report->read.number(), &error, sizeof error) == static_cast<ssize_t>(sizeof error)) {
        child.reap();
        return start_failure(options.arguments.front(), error);
    }
#ifdef SYS_pidfd_open
    child.end_ = descriptor(static_cast<int>(::syscall(SYS_pidfd_open, id, 0U)));
#endif
    child.input = std::move(streams->ours.input);
    child.output = std::move(streams->ours.output);
    child.errors = std::move(streams->ours.errors);
    return child;
}

child_process::child_process(child_process&& other) noexcept
    : input(std::move(other.input)),
      output(std::move(other.output)),
      errors(std::move(other.errors)),
      id_(std::exchange(other.id_, -1)),
      end_(std::move(other.end_)) {}

child_process::~child_process() {
    if (id_ > 0) {
        send(signal::kill);
        reap();
    }
}

bool child_process::has_ended() const noexcept {
    siginfo_t info = {};
    // The status stays, so that the id stays reserved until `reap`.
    return id_ <= 0 || ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

void child_process::send(signal number) const noexcept {
    siginfo_t info = {};
    // Without the entry of the process, its id may be that of another group.
    if (id_ <= 0 || ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
        return;
    }
    const auto group = -static_cast<pid_t>(id_);
    ::kill(group, number == signal::kill ? SIGKILL : number == signal::terminate ? SIGTERM : SIGHUP);
    if (number != signal::kill) {
        ::kill(group, SIGCONT);  // a stopped process sees other signals only when it continues
    }
}

child_end child_process::reap() noexcept {
    siginfo_t info = {};
    int outcome = -1;
    do {
        outcome = ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED);
    } while (outcome != 0 && errno == EINTR);
    id_ = -1;
    if (outcome != 0) {
        return {};
    }
    return {.what = info.si_code == CLD_EXITED ? child_end::kind::exited : child_end::kind::signalled, .code = info.si_status};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::process
