#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/result.hpp>
#include <pyaichat/message/capability_spec.hpp>
#include <pyaichat/shell/shell_options.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The arguments of one call.
struct exec_arguments {
    std::vector<std::string> program = {};  ///< with its arguments; the command is the last one if there is a shell
    std::optional<std::string> cwd = {};
    std::optional<duration> timeout = {};
    std::optional<std::string> input = {};
};

/// The declaration of the capability.
[[nodiscard]] capability_spec exec_spec(const shell_options& options);

/// Reads arguments that fit the declaration. Fails with `invalid_argument`.
[[nodiscard]] result<exec_arguments> read_exec_arguments(const shell_options& options, const json& arguments);

/// The environment of the commands: `NAME=value`. Reads that of the host.
[[nodiscard]] std::vector<std::string> exec_environment(const shell_options& options);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
