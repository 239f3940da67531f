#pragma once
#include "lua/host/plugin_source.hpp"
#include "lua/manifest/manifest.hpp"
#include "lua/sandbox/guest_state.hpp"

#include <pyaichat/lua/sandbox.hpp>

#include <memory>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// A plugin that has been loaded: its state, and what it declares. It is used until it is replaced or stopped.
class instance {
public:
    /// Loads in a sandbox. Fails with a message that begins with `file:line:`, and the change to make as hint.
    [[nodiscard]] static result<std::shared_ptr<instance>> load(const plugin_source& source, const sandbox& limits);

    [[nodiscard]] const manifest& declared() const noexcept { return declared_; }
    [[nodiscard]] guest_state& state() noexcept { return *state_; }
    [[nodiscard]] const sandbox& limits() const noexcept { return limits_; }
    [[nodiscard]] const std::string& file() const noexcept { return file_; }
    [[nodiscard]] bool usable() const noexcept { return state_->usable(); }

    /// `ctx.state`, read raw: an object when it has nothing. Fails when it cannot be kept (a function in it, too large).
    [[nodiscard]] result<json> kept_state();
    /// Puts it into a fresh plugin. False when its memory is not enough.
    [[nodiscard]] bool restore_state(const json& kept);

private:
    instance(std::unique_ptr<guest_state> state, std::string file, const sandbox& limits)
        : state_(std::move(state)), file_(std::move(file)), limits_(limits) {}

    std::unique_ptr<guest_state> state_;
    manifest declared_ = {};
    std::string file_;
    sandbox limits_;
};

/// What in the registry of a state leads to the functions of its plugin (`run` of capability n at n, hook h at -1 - h) and to its `ctx`.
[[nodiscard]] void* functions_key() noexcept;
[[nodiscard]] void* ctx_key() noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
