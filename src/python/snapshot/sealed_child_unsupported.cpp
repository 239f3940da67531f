#include "python/snapshot/sealed_child.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

result<child_end> run_sealed_child(const child_options&, const cancel_token&, const child_work&) {
    return failure{.code = errc::not_allowed, .message = sealed_child_obstacle()};
}

void send_document(int, std::string_view) noexcept {}

const char* sealed_child_obstacle() noexcept {
    return "snapshots need Linux";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
