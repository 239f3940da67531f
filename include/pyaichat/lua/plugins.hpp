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

/// Something that a person who runs the plugins should know. The text is one line without control characters.
struct notice {
    enum class kind : unsigned char {
        log,      ///< `ctx.log`
        failed,   ///< an error in a capability or a hook
        stopped,  ///< a limit of the sandbox was violated; the next use loads the plugin afresh
        changed,  ///< a reload has replaced, added or removed it
        broken,   ///< a file cannot be loaded; where there is an old version, it is kept
    };
    kind what = kind::log;
    std::string plugin = {};  ///< its name; of a file that cannot be loaded, the file
    std::string text = {};
};

struct plugins_options {
    lua::sandbox sandbox = {};
    /// Look at the files whenever the declarations are asked for, once per model call, and where `hooks` are told a question. On the worker
    /// this takes effect one model call later.
    bool reload_on_change = false;
    /// Told what happens. Called on the thread that runs the plugin; it may use this object, and must not throw.
    std::function<void(const notice&)> notify = {};
};

/// What is known of one plugin.
struct plugin_info {
    std::string name = {};
    std::string version = {};
    std::string file = {};
    std::vector<capability_spec> capabilities = {};
    std::vector<std::string> hooks = {};  ///< "before_call", ...
    std::vector<std::string> uses = {};   ///< capabilities of others that it wants to call
    std::optional<failure> problem = {};  ///< why the newest version is not the one that runs
    std::size_t memory = 0;               ///< bytes that its state holds now; 0 = stopped, and not used since
    int stops = 0;                        ///< how often it has violated a limit
};

/// Lua plugins: files that describe capabilities and hooks (see plugins/README.md). A cheap handle: copies share the plugins, so a host
/// keeps one and gives another to the agent. Models `capability_source`. Each plugin has a Lua state of its own, in a sandbox.
///
/// Everything here is called on one thread, the one that pumps the runs. With `run_on::worker` loading waits for the worker, calls do not.
class plugins {
public:
    explicit plugins(plugins_options options = {});

    /// Loads a file, a text (`name` stands for the file in messages), or all `*.lua` of a folder in the order of their names. What cannot
    /// be loaded is not added, and reported: the message begins with `file:line:`, the hint is the change to make. Fails with `not_found`,
    /// `invalid_argument`, `name_clash` (a plugin or a capability of that name is there already) or `too_large`.
    result<void> add_file(const std::string& path);
    result<void> add_text(std::string name, std::string text);
    [[nodiscard]] std::vector<failure> add_folder(const std::string& path);

    /// Loads all files anew, or those that have changed, and looks through the folders again. A plugin keeps its `ctx.state`. A new version
    /// that is broken leaves the old one running and is reported. What a folder has and was refused is reported each time.
    std::vector<failure> reload();
    std::vector<failure> reload_changed();

    /// Lets plugins call these capabilities by `ctx.call`, when their manifests ask for them. Such a call goes through the run's own gate
    /// (`capability_call::others`): it is approved, counted and limited like the model's. The plugin goes on where the answer is given, or
    /// on the worker.
    void grant(std::vector<std::string> capabilities);

    [[nodiscard]] result<capability_list> specs() const;
    void invoke(const capability_call& call, capability_responder responder);

    /// Runs one capability without a model and waits for it: to try a plugin out. What it wants by `ctx.call` goes to `others`, which has
    /// to answer at once.
    [[nodiscard]] capability_reply call(const std::string& name, json arguments, nested_caller others = {});

    [[nodiscard]] std::vector<plugin_info> describe() const;

private:
    friend class hooks;
    std::shared_ptr<detail::plugins_state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua
