#pragma once
#include "lua/host/plugin_source.hpp"
#include "lua/manifest/manifest.hpp"
#include "lua/sandbox/guest.hpp"

#include <pyaichat/lua/sandbox.hpp>

#include <memory>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// A loaded plugin: its Lua state and its manifest. It is used until it is replaced or stopped.
class instance {
public:
    /// Loads a plugin in a sandbox. Fails with `invalid_argument` or `too_large`: the message begins with `file:line:`, the hint says what
    /// to change.
    [[nodiscard]] static result<std::shared_ptr<instance>> load(const plugin_source& source, const sandbox& limits);

    [[nodiscard]] const manifest& declared() const noexcept { return declared_; }
    [[nodiscard]] guest_state& state() noexcept { return *state_; }
    [[nodiscard]] const sandbox& limits() const noexcept { return limits_; }
    [[nodiscard]] const std::string& file() const noexcept { return file_; }
    [[nodiscard]] bool usable() const noexcept { return state_->usable(); }

    /// `ctx.state` as JSON, an empty object if it is nil. Fails if JSON cannot hold it (it has a function, or is too large).
    [[nodiscard]] result<json> saved_state();
    /// Sets `ctx.state`. Returns false if the memory limit is too small for it.
    [[nodiscard]] bool restore_state(const json& saved);

private:
    instance(std::unique_ptr<guest_state> state, std::string file, const sandbox& limits)
        : state_(std::move(state)), file_(std::move(file)), limits_(limits) {}

    std::unique_ptr<guest_state> state_;
    manifest declared_ = {};
    std::string file_;
    sandbox limits_;
};

/// Their addresses are the keys in the registry of a state for the functions of its plugin (`run` of capability n at n, hook h at -1 - h)
/// and for its `ctx`.
inline char functions_key = 0;
inline char ctx_key = 0;

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
