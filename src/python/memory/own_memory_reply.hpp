#pragma once
#include "python/memory/hidden_texts_in_memory.hpp"
#include "python/memory/memory_layout.hpp"
#include "python/memory/memory_stack.hpp"

#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/python/interpreter.hpp>

#include <optional>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Where the variables of a session are. 0 stands for a dict that does not exist.
struct session_addresses {
    address globals = 0;
    address builtins = 0;
};

/// Answers a call from the memory of this process while Python is busy. `running` is the code that keeps Python. Needs no GIL; takes about
/// 20 ms at most. Replies `busy` if the system does not allow reading the memory.
[[nodiscard]] capability_reply answer_without_python(const session_addresses& session, std::string_view capability, const json& arguments,
                                                     const std::optional<running_work>& running);

/// `hidden_texts_in_memory` for a session of this process.
[[nodiscard]] std::optional<std::vector<std::string>> own_hidden_texts(const privacy_rules& rules, const session_addresses& session);

/// Answers `get_stack` with the GIL held: no Python code runs meanwhile, so the answer is exact. The frames are read like memory, because
/// the C API creates objects and changes the dicts of live frames.
[[nodiscard]] capability_reply exact_stack(const stack_limits& limits);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
