#include "process/signal_name.hpp"

#include <array>
#include <csignal>

namespace pyaichat::inline PYAICHAT_ABI::process {

std::string signal_name(int number) {
    struct named {
        int number;
        const char* name;
    };
    constexpr auto names = std::to_array<named>({{SIGHUP, "SIGHUP"},
                                                 {SIGINT, "SIGINT"},
                                                 {SIGQUIT, "SIGQUIT"},
                                                 {SIGILL, "SIGILL"},
                                                 {SIGTRAP, "SIGTRAP"},
                                                 {SIGABRT, "SIGABRT"},
                                                 {SIGBUS, "SIGBUS"},
                                                 {SIGFPE, "SIGFPE"},
                                                 {SIGKILL, "SIGKILL"},
                                                 {SIGUSR1, "SIGUSR1"},
                                                 {SIGSEGV, "SIGSEGV"},
                                                 {SIGUSR2, "SIGUSR2"},
                                                 {SIGPIPE, "SIGPIPE"},
                                                 {SIGALRM, "SIGALRM"},
                                                 {SIGTERM, "SIGTERM"},
                                                 {SIGXCPU, "SIGXCPU"},
                                                 {SIGXFSZ, "SIGXFSZ"},
                                                 {SIGSYS, "SIGSYS"}});
    for (const named& each : names) {
        if (each.number == number) {
            return each.name;
        }
    }
    return "signal " + std::to_string(number);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::process
