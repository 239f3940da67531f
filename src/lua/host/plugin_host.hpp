#pragma once
#include "lua/host/worker.hpp"
#include "lua/sandbox/activation.hpp"
#include "lua/sandbox/instance.hpp"

#include <pyaichat/lua/plugins.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// How many lines a plugin has logged in one run.
struct log_count {
    std::string run = {};
    int lines = 0;
};

/// A file of a folder that could not be loaded. It is not tried again until the file or `plugin_host::versions_` changes.
struct refused_file {
    std::string folder = {};
    std::filesystem::file_time_type written = {};
    std::uint64_t versions = 0;
    failure why = {};
};

/// A plugin across all its versions.
struct plugin {
    plugin_source source = {};
    std::string path = {};  // empty: a text
    std::string folder = {};
    std::filesystem::file_time_type written = {};
    std::shared_ptr<instance> live = {};  // its declarations hold even while its Lua state is closed
    std::optional<failure> problem = {};
    int stops = 0;
    int hook_stops = 0;  ///< consecutive stops of its hooks
    std::deque<log_count> logged = {};
};

/// After this many consecutive stops a plugin's hooks are disabled until it is reloaded, because each stop costs loading it again.
inline constexpr int max_hook_stops = 3;

/// A capability, found by its name.
struct found_capability {
    std::shared_ptr<plugin> in = {};
    std::size_t index = 0;
};

/// A copy of what the plugins declare, for threads that must not wait while Lua runs.
struct offered {
    result<capability_list> list = capability_list();
    hook_set hooks = {};  ///< whether any plugin has the hook
};

/// The plugins that all copies of a handle share. The lock is held while Lua runs, and never while code of the host is called.
class plugin_host : public std::enable_shared_from_this<plugin_host> {
public:
    explicit plugin_host(plugins_options options);

    [[nodiscard]] const plugins_options& options() const noexcept { return options_; }

    // Loading. These functions take the lock.
    result<void> add_file(const std::string& path);
    result<void> add_text(plugin_source source);
    std::vector<failure> add_folder(const std::string& path);
    std::vector<failure> reload(bool only_changed);
    /// Reloads changed files: at once, or later on the worker if there is one.
    void look_for_changes();

    [[nodiscard]] std::vector<plugin_info> describe();
    /// The plugins that have the hook, in load order. Takes the lock.
    [[nodiscard]] std::vector<std::shared_ptr<plugin>> with_hook(hook which);

    // Thread-safe; these never wait for Lua.
    [[nodiscard]] std::shared_ptr<const lua::detail::offered> offered() const;
    void grant(std::vector<std::string> capabilities);
    [[nodiscard]] bool grants(const std::string& capability) const;

    // To be called with the lock held.
    [[nodiscard]] std::mutex& mutex() noexcept { return mutex_; }
    [[nodiscard]] std::optional<found_capability> find(const std::string& capability) const;
    /// The instance to use, loaded again if the last one was stopped. Null if it cannot be loaded.
    [[nodiscard]] std::shared_ptr<instance> ready(plugin& used);
    /// Queues notices of what an activation has logged and how it ended. The number of lines per run is limited; `run` is empty outside of
    /// a run. `what` is the name of the capability or the hook.
    void note(plugin& used, activation& ran, std::string_view what, const std::string& run);
    void note(notice::kind what, std::string plugin, std::string text);

    /// Starts a question. Hooks do not know their run, so the lines that they log are counted per question.
    void begin_question();
    [[nodiscard]] std::string questions() const { return "question " + std::to_string(questions_); }

    /// Delivers the queued notices to the host. Call it without the lock.
    void tell();

    /// Runs `work` on the worker, or at once if there is no worker.
    void post(task work);
    /// Like `post`, but drops `work` while too many such tasks wait.
    void post_if_idle_enough(task work);
    /// Like `post`, and waits until `work` has run.
    void post_and_wait(unique_function<void()> work);

    /// Drops the tasks that wait for the worker. Called when the last handle is destroyed.
    void close();

private:
    void publish();
    [[nodiscard]] result<void> fits(const instance& fresh, const plugin* instead_of) const;
    /// Loads the source of `added` and adds it, if its names are free.
    result<void> add(plugin added);
    result<void> add_path(const std::string& path, const std::string& folder);
    std::vector<failure> scan(const std::string& folder, bool only_changed);
    void reload_one(plugin& target, bool only_changed, std::vector<failure>& problems);

    plugins_options options_;
    result<void> options_checked_ = {};
    std::mutex mutex_;
    std::vector<std::shared_ptr<plugin>> plugins_;
    std::vector<std::string> folders_;
    std::map<std::string, refused_file> refused_;  // by path
    std::uint64_t versions_ = 0;                   // replaced and removed plugins so far; each may resolve a name clash
    std::vector<notice> queued_notices_;

    mutable std::mutex published_mutex_;  // never held while Lua runs
    std::shared_ptr<const lua::detail::offered> offered_ = std::make_shared<const lua::detail::offered>();
    std::vector<std::string> granted_;

    std::atomic<std::uint64_t> questions_ = 0;
    std::atomic<bool> looking_ = false;      ///< a check for changes is queued
    std::atomic<std::size_t> waiting_ = 0;   ///< queued tasks of `post_if_idle_enough`
    std::atomic<bool> left_undone_ = false;  ///< some were dropped, and the host was notified
    std::unique_ptr<worker> worker_;         // last, because its tasks use the other members
};

/// What all copies of a handle share.
struct plugins_state {
    explicit plugins_state(plugins_options options) : host(std::make_shared<plugin_host>(std::move(options))) {}
    plugins_state(const plugins_state&) = delete;
    plugins_state& operator=(const plugins_state&) = delete;
    ~plugins_state() { host->close(); }

    const std::shared_ptr<plugin_host> host;
};

/// Runs one call of a capability, including its nested calls, and replies.
void run_call(std::shared_ptr<plugin_host> host, capability_call call, capability_responder responder);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
