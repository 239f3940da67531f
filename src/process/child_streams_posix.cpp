#include "process/child_streams.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace pyaichat::inline PYAICHAT_ABI::process {

namespace {

/// Moves a descriptor above those of the standard streams: a host may have closed its own.
descriptor above_standard(descriptor end) {
    if (end.number() > 2 || !end) {
        return end;
    }
    return descriptor(::fcntl(end.number(), F_DUPFD_CLOEXEC, 3));
}

descriptor open_quietly(const char* path, int flags) {
    return above_standard(descriptor(::open(path, flags | O_CLOEXEC | O_NOCTTY)));
}

/// Without line editing, echo and waiting: a program that asks for a password gets the end of the file. Ends of lines stay as they are.
void set_modes(const descriptor& end) noexcept {
    termios modes = {};
    if (::tcgetattr(end.number(), &modes) != 0) {
        return;
    }
    modes.c_iflag &= ~static_cast<tcflag_t>(ICRNL | IXON);
    modes.c_oflag &= ~static_cast<tcflag_t>(OPOST);
    modes.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ECHOE | ECHOK | ECHONL);
    modes.c_cc[VMIN] = 0;
    modes.c_cc[VTIME] = 0;
    ::tcsetattr(end.number(), TCSANOW, &modes);
}

result<pipe_ends> open_terminal(const terminal_size& size) {
    descriptor ours = above_standard(descriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)));
    if (!ours || ::grantpt(ours.number()) != 0 || ::unlockpt(ours.number()) != 0) {
        return system_failure("no pseudo-terminal could be opened");
    }
#ifdef TIOCGPTPEER
    descriptor its = above_standard(descriptor(::ioctl(ours.number(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC)));
#else
    descriptor its;
#endif
    char name[64] = {};
    if (!its && ::ptsname_r(ours.number(), name, sizeof name) == 0) {
        its = open_quietly(name, O_RDWR);
    }
    if (!its) {
        return system_failure("the pseudo-terminal could not be opened");
    }
    set_modes(its);
    winsize cells = {};
    cells.ws_col = size.columns;
    cells.ws_row = size.rows;
    ::ioctl(its.number(), TIOCSWINSZ, &cells);
    return pipe_ends{.read = std::move(ours), .write = std::move(its)};
}

}  // namespace

failure system_failure(const std::string& what) {
    return {.code = errc::internal,
            .message = what + ": " + std::strerror(errno),
            .hint = "The system refused this (" + what + "). Try again later, with fewer commands at a time."};
}

void unblock(const descriptor& end) noexcept {
    ::fcntl(end.number(), F_SETFL, ::fcntl(end.number(), F_GETFL) | O_NONBLOCK);
}

result<pipe_ends> make_pipe() {
    int numbers[2] = {-1, -1};
    if (::pipe2(numbers, O_CLOEXEC) != 0) {
        return system_failure("no pipe could be opened");
    }
    pipe_ends both{.read = above_standard(descriptor(numbers[0])), .write = above_standard(descriptor(numbers[1]))};
    if (!both.read || !both.write) {
        return system_failure("no pipe could be opened");
    }
    return both;
}

result<child_streams> make_child_streams(const child_options& options) {
    child_streams all;
    if (options.input) {
        auto pipe = make_pipe();
        if (!pipe) {
            return pipe.error();
        }
        all.ours.input = std::move(pipe->write);
        all.its.input = std::move(pipe->read);
        unblock(all.ours.input);
    } else {
        all.its.input = open_quietly("/dev/null", O_RDONLY);
        if (!all.its.input) {
            return system_failure("/dev/null could not be opened");
        }
    }
    auto output = options.terminal ? open_terminal(*options.terminal) : make_pipe();
    if (!output) {
        return output.error();
    }
    all.ours.output = std::move(output->read);
    all.its.output = std::move(output->write);
    unblock(all.ours.output);
    if (!options.terminal) {
        auto errors = make_pipe();
        if (!errors) {
            return errors.error();
        }
        all.ours.errors = std::move(errors->read);
        all.its.errors = std::move(errors->write);
        unblock(all.ours.errors);
    }
    return all;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::process
