#pragma once
#include "python/memory/bounded_memory.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include <optional>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The memory that calls are answered from.
struct memory_view {
    memory_source& source;
    const memory_map& map;
    address globals = 0;   ///< a dict; 0 if there are none yet
    address builtins = 0;  ///< the dict of the built-in names; 0 if it is not known
    read_limits limits = {};
};

/// Whether calls of the capability can be answered from memory: `list_globals get_repr get_type inspect get_stack situation`.
[[nodiscard]] bool has_memory_answer(std::string_view capability);

/// Answers a call without Python's help: nothing waits for the GIL and no code runs. The results have the form of the exact ones, with
/// `"best_effort": true`. What changed in every pass while it was read is shown as `<changing>` and marked with `"torn": true`. Other
/// capabilities are `unknown_function`.
[[nodiscard]] capability_reply answer_from_memory(const memory_view& view, std::string_view capability, const json& arguments);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
