#pragma once
#include <pyaichat/config/config.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Whether an environment variable holds a secret, judged by its name: `GEMINI_API_KEY`, `github_token`, `DB_PASSWORD`. Allocates nothing.
[[nodiscard]] bool names_secret(std::string_view variable) noexcept;

/// Removes the secrets from `os.environ`, not from the environment of the process. With the GIL held. Leaves no Python error set.
void remove_secrets_from_python();

/// Removes the secrets from the environment of this process and overwrites their values, also in the memory that `/proc/self/environ`
/// shows. Only for a forked child with one thread: it takes no lock and allocates nothing.
void wipe_secrets_of_process() noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
