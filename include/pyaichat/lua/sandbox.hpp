#pragma once
#include <pyaichat/core/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::lua {

/// Where plugins run.
enum class run_on : unsigned char {
    pump,    ///< on the thread that pumps the run, which a call holds up for at most `sandbox::time`
    worker,  ///< on a thread of the `plugins` object
};

/// What a plugin gets, and no more. One that goes over a limit is stopped, its Lua state is closed, and the next use loads it afresh.
///
/// This contains mistakes and malice in Lua code. It is no security boundary against errors of memory in Lua itself: for that, run plugins
/// of strangers in another process.
struct sandbox {
    std::size_t memory = std::size_t{32} << 20;  ///< bytes of one plugin, at least 256 KiB
    /// Lua instructions of one call, one hook, or of loading the file; work inside of Lua's functions and memory that is moved count as
    /// well.
    std::uint64_t instructions = 10'000'000;
    duration time = std::chrono::milliseconds(50);      ///< of one call, or of loading the file; waiting in `ctx.call` does not count
    duration hook_time = std::chrono::milliseconds(5);  ///< of one hook
    lua::run_on run_on = lua::run_on::pump;

    // What `ctx` has.
    bool log = true;
    bool state = true;
    bool deadline = true;
    bool call = true;  ///< still only what a manifest asks for and `plugins::grant` allows

    friend bool operator==(const sandbox&, const sandbox&) = default;
};

/// Fails with `invalid_argument`, naming the field and what to set it to.
[[nodiscard]] result<void> check(const sandbox& limits);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua
