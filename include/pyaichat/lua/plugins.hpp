#pragma once
#include <pyaichat/lua/sandbox.hpp>
#include <pyaichat/policy/capability_source.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::lua {

namespace detail {
struct plugins_state;
}

/// A message for the person who runs the plugins. The text is one line without control characters.
struct notice {
    enum class kind : unsigned char {
        log,      ///< a line of `ctx.log`
        failed,   ///< an error in a capability or a hook
        stopped,  ///< the plugin exceeded a limit of the sandbox; its next use loads it again
        changed,  ///< a reload replaced, added or removed the plugin
        broken,   ///< a file cannot be loaded; an old version is kept
    };
    kind what = kind::log;
    std::string plugin = {};  ///< its name, or the file if that cannot be loaded
    std::string text = {};
};

struct plugins_options {
    lua::sandbox sandbox = {};
    /// Check the files for changes before each model call, and at each question if the run has `hooks`. With `run_on::worker` a change
    /// takes effect one model call later.
    bool reload_on_change = false;
    /// Receives the notices, on the thread that runs the plugin. It may use this `plugins` object and must not throw.
    std::function<void(const notice&)> notify = {};
};

/// The state of one plugin.
struct plugin_info {
    std::string name = {};
    std::string version = {};
    std::string file = {};
    std::vector<capability_spec> capabilities = {};
    std::vector<std::string> hooks = {};  ///< "before_call", ...
    std::vector<std::string> uses = {};   ///< other capabilities that it wants to call
    std::optional<failure> problem = {};  ///< why its newest version could not be loaded
    std::size_t memory = 0;               ///< bytes of its Lua state; 0 = stopped, and not used since
    int stops = 0;                        ///< how often it has exceeded a limit
};

/// Lua plugins: files that declare capabilities and hooks (see plugins/README.md). Models `capability_source`. Each plugin has its own Lua
/// state in a sandbox. A cheap handle: copies share the plugins, so a host keeps one copy and gives another to the agent.
///
/// Not thread-safe: call everything on the thread that pumps the runs. With `run_on::worker`, loading and `call` wait for the worker,
/// `invoke` does not.
class plugins {
public:
    /// Loads nothing yet. If `check(options.sandbox)` fails, every load fails with the same error.
    explicit plugins(plugins_options options = {});

    /// Loads a file, a text (`name` stands for the file in messages), or all `*.lua` files of a folder in name order. If a plugin cannot be
    /// loaded, it is not added: the failure's message begins with `file:line:`, its hint says what to change. Fails with `not_found`,
    /// `invalid_argument`, `name_clash` (the name of the plugin or of a capability is in use) or `too_large`.
    result<void> add_file(const std::string& path);
    result<void> add_text(std::string name, std::string text);
    [[nodiscard]] std::vector<failure> add_folder(const std::string& path);

    /// Reloads all files, or only changed files, and scans the folders again. A plugin keeps its `ctx.state`. If a new version cannot be
    /// loaded, the old version stays. Returns why files cannot be loaded; unchanged broken files of a folder are reported each time.
    std::vector<failure> reload();
    std::vector<failure> reload_changed();

    /// Lets plugins call these capabilities with `ctx.call`, if their manifests list them in `uses`. Replaces earlier grants. Such a call
    /// goes through the run's gate (`capability_call::others`): it is approved, counted and limited like a call of the model. The plugin
    /// continues on the thread that delivers the reply, or on the worker.
    void grant(std::vector<std::string> capabilities);

    [[nodiscard]] result<capability_list> specs() const;
    void invoke(const capability_call& call, capability_responder responder);

    /// Runs one capability without a model and waits for its reply, to try a plugin out. Its `ctx.call` goes to `others`, which must reply
    /// before it returns.
    [[nodiscard]] capability_reply call(const std::string& name, json arguments, nested_caller others = {});

    /// Describes the loaded plugins, in load order.
    [[nodiscard]] std::vector<plugin_info> describe() const;

private:
    friend class hooks;
    std::shared_ptr<detail::plugins_state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua
