#include <pyaichat/lua/plugins.hpp>

#include "lua/host/plugin_host.hpp"
#include "lua/manifest/plain_text.hpp"

namespace pyaichat::inline PYAICHAT_ABI::lua {

result<void> check(const sandbox& limits) {
    const auto refused = [](std::string what, std::string hint) {
        return failure{.code = errc::invalid_argument, .message = "lua::sandbox: " + std::move(what), .hint = std::move(hint)};
    };
    if (limits.memory < (std::size_t{256} << 10)) {
        return refused("`memory` is too small for a plugin", "Set `memory` to at least 256 KiB.");
    }
    if (limits.instructions == 0) {
        return refused("`instructions` is zero", "Set `instructions` above zero.");
    }
    if (limits.time <= duration::zero() || limits.hook_time <= duration::zero()) {
        return refused("`time` or `hook_time` is not above zero", "Set both above zero.");
    }
    return {};
}

namespace {

/// Calls `load` on the thread that runs plugins and waits for it.
template <class Load>
auto load_with(detail::plugins_state& state, Load load) {
    decltype(load(*state.host)) loaded = {};
    state.host->post_and_wait([&] { loaded = load(*state.host); });
    state.host->tell();
    return loaded;
}

}  // namespace

plugins::plugins(plugins_options options) : state_(std::make_shared<detail::plugins_state>(std::move(options))) {}

result<void> plugins::add_file(const std::string& path) {
    return load_with(*state_, [&](detail::plugin_host& host) { return host.add_file(path); });
}

result<void> plugins::add_text(std::string name, std::string text) {
    return load_with(*state_, [&](detail::plugin_host& host) { return host.add_text({detail::shown_path(name), std::move(text)}); });
}

std::vector<failure> plugins::add_folder(const std::string& path) {
    return load_with(*state_, [&](detail::plugin_host& host) { return host.add_folder(path); });
}

std::vector<failure> plugins::reload() {
    return load_with(*state_, [](detail::plugin_host& host) { return host.reload(false); });
}

std::vector<failure> plugins::reload_changed() {
    return load_with(*state_, [](detail::plugin_host& host) { return host.reload(true); });
}

void plugins::grant(std::vector<std::string> capabilities) {
    state_->host->grant(std::move(capabilities));
}

result<capability_list> plugins::specs() const {
    if (state_->host->options().reload_on_change) {
        state_->host->look_for_changes();
    }
    return state_->host->offered()->list;
}

void plugins::invoke(const capability_call& call, capability_responder responder) {
    state_->host->post([host = state_->host, call = call, responder = std::move(responder)]() mutable {
        detail::run_call(host, std::move(call), std::move(responder));
    });
}

capability_reply plugins::call(const std::string& name, json arguments, nested_caller others) {
    const auto received = std::make_shared<capability_reply>(  // may be written after this function has returned
        reply_error(reply_code::abandoned, "a capability called with ctx.call did not reply at once"));
    capability_reply reply = *received;
    capability_call request;
    request.name = name;
    request.arguments = std::move(arguments);
    request.others = std::move(others);
    state_->host->post_and_wait([&] {
        detail::run_call(state_->host, std::move(request),
                         capability_responder([received](capability_reply value) { *received = std::move(value); }));
        reply = *received;
    });
    return reply;
}

std::vector<plugin_info> plugins::describe() const {
    return state_->host->describe();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua
