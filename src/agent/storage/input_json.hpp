#pragma once
#include "message/json_fields.hpp"

#include <pyaichat/agent/run_machine.hpp>

#include <optional>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// An input of the machine as JSON, for the journal: whoever feeds it again gets the same machine, to the byte.
[[nodiscard]] json written(const machine_input& in);
[[nodiscard]] machine_input read_input(const json_fields& from);

/// What was decided about a nested call, where its record holds that: up to format 2.
[[nodiscard]] std::optional<std::vector<input::opinions::opinion>> read_nested_opinions(const json_fields& from);
[[nodiscard]] json written(const run_setup& setup);
[[nodiscard]] run_setup read_setup(const json_fields& from);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
