#pragma once
#include <pyaichat/core/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::lua {

/// The thread on which plugins run.
enum class run_on : unsigned char {
    pump,    ///< the thread that pumps the run; a call blocks it for at most `sandbox::time`
    worker,  ///< a thread of the `plugins` object
};

/// The limits and permissions of a plugin. If a plugin exceeds a limit, it is stopped, its Lua state is closed, and its next use loads it
/// again.
///
/// The sandbox contains faulty and malicious Lua code. It does not protect against memory errors in Lua itself: run untrusted plugins in
/// another process.
struct sandbox {
    std::size_t memory = std::size_t{32} << 20;  ///< bytes per plugin, at least 256 KiB
    /// Lua instructions per call, per hook and for loading the file. Work inside library functions and moved memory count too.
    std::uint64_t instructions = 10'000'000;
    duration time = std::chrono::milliseconds(50);  ///< per call and for loading the file; waiting in `ctx.call` does not count
    duration hook_time = std::chrono::milliseconds(5);
    lua::run_on run_on = lua::run_on::pump;

    // The members of `ctx`.
    bool log = true;
    bool state = true;
    bool deadline = true;
    bool call = true;  ///< only for capabilities that the manifest lists in `uses` and `plugins::grant` allows

    friend bool operator==(const sandbox&, const sandbox&) = default;
};

/// Checks the limits. Fails with `invalid_argument`: the message names the field, the hint a valid value.
[[nodiscard]] result<void> check(const sandbox& limits);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua
