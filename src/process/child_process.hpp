#pragma once
#include <pyaichat/core/result.hpp>

#include "process/descriptor.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::process {

struct terminal_size {
    unsigned short columns = 80;
    unsigned short rows = 24;
};

/// Limits that the kernel enforces for each process. An empty one is that of the host.
struct resource_limits {
    std::optional<std::uint64_t> cpu_seconds = {};
    std::optional<std::uint64_t> address_space = {};  ///< bytes
    std::optional<std::uint64_t> file_size = {};      ///< bytes
    std::optional<std::uint64_t> processes = {};      ///< of the user; does not hold for root
    int nice = 0;                                     ///< added to the host's
};

struct child_options {
    /// The first is the program: a path, or a name that is looked up in the PATH of `environment`.
    std::vector<std::string> arguments = {};
    std::vector<std::string> environment = {};  ///< `NAME=value`
    int folder = -1;                            ///< a descriptor of the working folder; -1 = that of the host
    /// With a terminal, both outputs are one pseudo-terminal, which is also the controlling terminal. Reads from it return end of file.
    std::optional<terminal_size> terminal = {};
    bool input = false;  ///< whether the standard input is a pipe; otherwise it is empty
    resource_limits limits = {};
};

/// How a process has ended.
struct child_end {
    enum class kind : unsigned char {
        exited,
        signalled,
        unknown,  ///< other code of the host has reaped the process, or the host ignores SIGCHLD
    };
    kind what = kind::unknown;
    int code = 0;  ///< the exit status, or the signal
};

/// A child process with a session and a process group of its own. Has no descriptor of the host, no blocked or handled signal, and writes
/// no core. Not thread-safe. The destructor kills the group and reaps the process.
///
/// SIGCHLD belongs to the host: there is no handler, and only this process is waited for.
class child_process {
public:
    enum class signal : unsigned char { hang_up, terminate, kill };

    /// Starts a process. Safe in a host with threads and a large memory: the memory is not copied. Fails with `not_found` (the program),
    /// `not_allowed`, `invalid_argument` or `internal` (no process, no terminal).
    [[nodiscard]] static result<child_process> start(const child_options& options);

    child_process(child_process&&) noexcept;
    child_process& operator=(child_process&&) = delete;
    ~child_process();

    /// Our ends of the streams; they do not block. `errors` is none if there is a terminal.
    descriptor input = {};
    descriptor output = {};
    descriptor errors = {};

    [[nodiscard]] long id() const noexcept { return id_; }
    /// A descriptor that becomes readable when the process ends; -1 if the system has none.
    [[nodiscard]] int end_descriptor() const noexcept { return end_.number(); }
    /// Returns whether the process has ended. It keeps its id until `reap`.
    [[nodiscard]] bool has_ended() const noexcept;
    /// Sends a signal to the processes of the group. Does nothing after `reap`.
    void send(signal number) const noexcept;
    /// Waits for the end, once.
    child_end reap() noexcept;

private:
    child_process() = default;

    long id_ = -1;
    descriptor end_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::process
