#include "python/snapshot/seal.hpp"
#include "python/snapshot/sealed_child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>
#include <system_error>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

using std::chrono::steady_clock;

/// The first byte of a document that names the step of sealing that failed. Other documents begin with `{`.
constexpr char unsealed_mark = '!';

class descriptor {
public:
    explicit descriptor(int number) noexcept : number_(number) {}
    ~descriptor() { reset(); }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;

    [[nodiscard]] int get() const noexcept { return number_; }
    [[nodiscard]] bool open() const noexcept { return number_ >= 0; }
    void reset() noexcept {
        if (const int number = std::exchange(number_, -1); number >= 0) {
            close(number);
        }
    }

private:
    int number_;
};

failure system_failure(const char* what) {
    return failure{.code = errc::internal, .message = std::string(what) + ": " + std::generic_category().message(errno)};
}

/// Blocks all signals of the thread, so that no handler of the host runs in the child before they are reset.
class signal_block {
public:
    signal_block() noexcept {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &previous_);
    }
    ~signal_block() { pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }
    signal_block(const signal_block&) = delete;
    signal_block& operator=(const signal_block&) = delete;

private:
    sigset_t previous_ = {};
};

/// Waits for the parent, which needs a descriptor of the child before the child can end: a host that reaps all its children would leave a
/// number that means nothing, or another process. Leaves if the parent has failed.
void await_parent(int start) {
    char go = 0;
    ssize_t size = 0;
    do {
        size = read(start, &go, 1);
    } while (size < 0 && errno == EINTR);
    if (size != 1) {
        _exit(1);
    }
}

[[noreturn]] void be_child(const seal_options& seal, const std::function<void(int)>& body) {
    if (const char* step = seal_process(seal)) {
        send_document(seal.document, {&unsealed_mark, 1});
        send_document(seal.document, step);
        _exit(1);
    }
    guarded([&] { body(seal.document); }, [](std::string_view) {});
    _exit(0);
}

std::size_t cpu_seconds_until(steady_clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::seconds>(deadline - steady_clock::now()).count();
    return static_cast<std::size_t>(std::clamp<std::int64_t>(left, 0, 86'400)) + 1;
}

int milliseconds_until(steady_clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, INT_MAX));
}

constexpr std::size_t part_size = 16 * 1024;

/// Reads all that is in the pipe, until the document is longer than `most`. Returns false at the end of the pipe.
bool drain(int pipe, std::size_t most, std::string& document) {
    std::array<char, part_size> part = {};
    while (document.size() <= most) {
        const ssize_t size = read(pipe, part.data(), part.size());
        if (size > 0) {
            document.append(part.data(), static_cast<std::size_t>(size));
        } else if (size == 0 || errno != EINTR) {
            return size != 0 && errno == EAGAIN;
        }
    }
    return true;
}

/// Waits for the end of the child. Its end is also visible if another thread of the host inherits the pipe or reaps the child.
child_end::kind watch(int pipe, int process, int cancelled, const child_options& options, std::string& document) {
    std::array<pollfd, 3> sources = {pollfd{process, POLLIN, 0}, pollfd{cancelled, POLLIN, 0}, pollfd{pipe, POLLIN, 0}};
    for (;;) {
        const int ready = poll(sources.data(), sources.size(), milliseconds_until(options.deadline));
        if (ready < 0 && errno == EINTR && options.on_signal && options.on_signal()) {
            return child_end::kind::cancelled;
        }
        if (sources[2].fd >= 0 && !drain(pipe, options.max_document, document)) {
            sources[2].fd = -1;  // the child has closed it
        }
        if (document.size() > options.max_document) {
            return child_end::kind::too_long;
        }
        if (ready > 0 && sources[0].revents != 0) {
            static_cast<void>(drain(pipe, options.max_document, document));
            return child_end::kind::ended;
        }
        if (ready > 0 && sources[1].revents != 0) {
            return child_end::kind::cancelled;
        }
        if (steady_clock::now() >= options.deadline) {
            return child_end::kind::deadline;
        }
    }
}

/// Reaps the child. If the host ignores SIGCHLD or has reaped it, its status is unknown.
void reap(int process, child_end& end) {
    siginfo_t status = {};
    int reaped = 0;
    do {
        reaped = waitid(P_PIDFD, static_cast<id_t>(process), &status, WEXITED);
    } while (reaped != 0 && errno == EINTR);
    if (reaped != 0) {
        return;
    }
    (status.si_code == CLD_EXITED ? end.exit_status : end.signal) = status.si_status;
}

}  // namespace

result<child_end> run_sealed_child(const child_options& options, const cancel_token& cancel, const child_work& work) {
    if (const char* obstacle = sealed_child_obstacle()) {
        return failure{.code = errc::not_allowed, .message = obstacle};
    }
    std::array<int, 2> ends = {-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        return system_failure("pipe");
    }
    const descriptor document(ends[0]);
    // Not one of the standard streams, even if the host has closed these.
    descriptor to_parent(fcntl(ends[1], F_DUPFD_CLOEXEC, 3));
    close(ends[1]);
    std::array<int, 2> start_ends = {-1, -1};
    if (pipe2(start_ends.data(), O_CLOEXEC) != 0) {
        return system_failure("pipe");
    }
    const descriptor start(start_ends[0]);
    descriptor to_child(start_ends[1]);
    const descriptor cancelled(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!to_parent.open() || !cancelled.open() || fcntl(document.get(), F_SETFL, O_NONBLOCK) != 0) {
        return system_failure("no descriptor is free");
    }
    child_end end;
    end.document.reserve(options.max_document + part_size + 1);  // nothing is allocated, and so nothing throws, while the child runs
    const seal_options seal = {
        .document = to_parent.get(), .parent = getpid(), .memory = options.memory, .cpu_seconds = cpu_seconds_until(options.deadline)};

    pid_t child = -1;
    {
        const signal_block blocked;
        child = fork();  // runs the handlers of pthread_atfork, with which libraries protect their locks, but no hook of Python
        if (child == 0) {
            close(to_child.get());
            await_parent(start.get());
            be_child(seal, work.in_child);
        }
    }
    if (child < 0) {
        return system_failure("fork");
    }
    to_parent.reset();
    // The descriptor means this child also after the host has reaped it and its number belongs to another process.
    const descriptor process(static_cast<int>(syscall(SYS_pidfd_open, child, 0U)));
    const char go = 1;
    if (!process.open() || write(to_child.get(), &go, 1) != 1) {
        const failure why = system_failure("a descriptor of the child");
        to_child.reset();  // the child leaves
        waitpid(child, nullptr, 0);
        return why;
    }
    to_child.reset();
    work.in_parent();

    const auto wake = [event = cancelled.get()] {
        const std::uint64_t one = 1;
        static_cast<void>(write(event, &one, sizeof(one)) == sizeof(one));
    };
    const cancel_callback<decltype(wake)> on_cancel(cancel, wake);
    end.what = watch(document.get(), process.get(), cancelled.get(), options, end.document);
    // The filter allows no further process, so the process group of the child has only the child.
    syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0U);
    reap(process.get(), end);
    if (end.what == child_end::kind::ended && end.document.starts_with(unsealed_mark)) {
        end.what = child_end::kind::unsealed;
        end.document.erase(0, 1);
    }
    return end;
}

void send_document(int descriptor, std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t written = write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return;
        }
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
}

const char* sealed_child_obstacle() noexcept {
    static const char* const obstacle = sealing_obstacle();
    return obstacle;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
