#include "python/interpreter/interpreter_slot.hpp"

#include <atomic>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

enum class slot_state : unsigned char { free, taken, left };

std::atomic<slot_state> process_slot = slot_state::free;

}  // namespace

result<void> interpreter_slot::take() {
    slot_state seen = slot_state::free;
    if (process_slot.compare_exchange_strong(seen, slot_state::taken)) {
        return {};
    }
    if (seen == slot_state::left) {
        return failure{.code = errc::invalid_state,
                       .message =
                           "the previous Python interpreter of this process was destroyed while its code was running, and that code "
                           "did not end in time",
                       .hint = "Restart the program. Before you destroy an interpreter, wait until `running()` is empty."};
    }
    return failure{.code = errc::invalid_state,
                   .message = "this process already has a Python interpreter",
                   .hint = "Create more sessions on it instead of a second interpreter."};
}

void interpreter_slot::free() noexcept {
    process_slot.store(slot_state::free);
}

void interpreter_slot::leave() noexcept {
    process_slot.store(slot_state::left);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
