// In place of the `*_posix.cpp` files, on systems without POSIX processes.
#include "process/child_process.hpp"
#include "process/folder.hpp"
#include "process/run_process.hpp"
#include "process/signal_name.hpp"

namespace pyaichat::inline PYAICHAT_ABI::process {

namespace {

failure unsupported() {
    return {.code = errc::not_allowed,
            .message = "unsupported: this system has no POSIX processes",
            .hint = "Commands cannot be run on this system."};
}

}  // namespace

void descriptor::close() noexcept {}

result<child_process> child_process::start(const child_options&) {
    return unsupported();
}

child_process::child_process(child_process&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
child_process::~child_process() = default;

bool child_process::has_ended() const noexcept {
    return true;
}

void child_process::send(signal) const noexcept {}

child_end child_process::reap() noexcept {
    return {};
}

result<open_folder> open_working_folder(const std::string&) {
    return unsupported();
}

std::string signal_name(int number) {
    return "signal " + std::to_string(number);
}

run_ending run_to_end(child_process&, const run_terms&, output_listener&) {
    return {};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::process
