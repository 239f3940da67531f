#include <pyaichat/lua/plugins.hpp>

#include "lua/host/plugin_host.hpp"
#include "lua/manifest/plain_text.hpp"

namespace pyaichat::inline PYAICHAT_ABI::lua {

namespace {

/// Loads, wherever loading is done.
template <class Result, class Load>
Result loaded_by(detail::plugins_state& state, Load load) {
    Result made = {};
    state.host->post_and_wait([&] { made = load(*state.host); });
    state.host->tell();
    return made;
}

}  // namespace

plugins::plugins(plugins_options options)
    : state_(new detail::plugins_state{.host = std::make_shared<detail::plugin_host>(std::move(options))}, [](detail::plugins_state* last) {
          last->host->close();
          delete last;
      }) {}

result<void> plugins::add_file(const std::string& path) {
    return loaded_by<result<void>>(*state_, [&](detail::plugin_host& host) { return host.add_file(path); });
}

result<void> plugins::add_text(std::string name, std::string text) {
    return loaded_by<result<void>>(*state_,
                                   [&](detail::plugin_host& host) { return host.add_text({detail::shown_path(name), std::move(text)}); });
}

std::vector<failure> plugins::add_folder(const std::string& path) {
    return loaded_by<std::vector<failure>>(*state_, [&](detail::plugin_host& host) { return host.add_folder(path); });
}

std::vector<failure> plugins::reload() {
    return loaded_by<std::vector<failure>>(*state_, [](detail::plugin_host& host) { return host.reload(false); });
}

std::vector<failure> plugins::reload_changed() {
    return loaded_by<std::vector<failure>>(*state_, [](detail::plugin_host& host) { return host.reload(true); });
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
    const std::shared_ptr<detail::plugin_host> host = state_->host;
    if (host->options().sandbox.run_on == run_on::pump) {
        detail::run_call(host, call, std::move(responder));
        return;
    }
    host->post([host, call, responder = std::move(responder)]() mutable { detail::run_call(host, std::move(call), std::move(responder)); });
}

capability_reply plugins::call(const std::string& name, json arguments, nested_caller others) {
    capability_reply reply = reply_error(reply_code::abandoned, "a capability that was called by ctx.call has not answered at once");
    const auto answer = std::make_shared<std::optional<capability_reply>>();  // written where plugins run, also when nobody waits any more
    capability_call made;
    made.name = name;
    made.arguments = std::move(arguments);
    made.others = std::move(others);
    state_->host->post_and_wait([&] {
        detail::run_call(state_->host, std::move(made),
                         capability_responder([answer](capability_reply value) { answer->emplace(std::move(value)); }));
        if (answer->has_value()) {
            reply = **answer;
        }
    });
    return reply;
}

std::vector<plugin_info> plugins::describe() const {
    return state_->host->describe();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua
