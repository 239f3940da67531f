#pragma once
#include "lua/host/worker.hpp"
#include "lua/sandbox/activation.hpp"
#include "lua/sandbox/instance.hpp"

#include <pyaichat/lua/plugins.hpp>

#include <array>
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

/// What a plugin has logged in one run.
struct log_count {
    std::string run = {};
    int lines = 0;
};

/// Why a file of a folder is not loaded, and what else was so then: while that is as it was, nobody tries again.
struct refused_file {
    std::string folder = {};
    std::filesystem::file_time_type written = {};
    std::uint64_t versions = 0;
    failure why = {};
};

/// One plugin over all its versions.
struct plugin {
    plugin_source source = {};
    std::string path = {};  // empty: a text
    std::string folder = {};
    std::filesystem::file_time_type written = {};
    std::shared_ptr<instance> live = {};  // what it declares counts, also while its state is closed
    std::optional<failure> problem = {};
    int stops = 0;
    int hook_stops = 0;  ///< of its hooks, one after the other
    std::deque<log_count> logged = {};
};

/// After so many a plugin's hooks are not called any more, until it is loaded anew: each stop means a fresh load at the next use.
inline constexpr int max_hook_stops = 3;

/// A capability, found by its name.
struct found_capability {
    std::shared_ptr<plugin> in = {};
    std::size_t index = 0;
};

/// What the plugins declare, for a thread that must not wait while Lua runs on another.
struct offered {
    result<capability_list> list = capability_list();
    std::array<bool, hook_names.size()> hooks = {};  ///< whether any plugin has it
};

/// The plugins behind all copies of a handle. The lock is held while Lua runs and never while foreign code is called.
class plugin_host : public std::enable_shared_from_this<plugin_host> {
public:
    explicit plugin_host(plugins_options options);

    [[nodiscard]] const plugins_options& options() const noexcept { return options_; }

    // Loading, each with the lock free.
    result<void> add_file(const std::string& path);
    result<void> add_text(plugin_source source);
    std::vector<failure> add_folder(const std::string& path);
    std::vector<failure> reload(bool only_changed);
    /// The same for what has changed: at once when plugins run here, soon when they run on the worker.
    void look_for_changes();

    [[nodiscard]] std::vector<plugin_info> describe();

    // Any thread; never waits for Lua.
    [[nodiscard]] std::shared_ptr<const lua::detail::offered> offered() const;
    void grant(std::vector<std::string> capabilities);
    [[nodiscard]] bool grants(const std::string& capability) const;

    // With the lock held.
    [[nodiscard]] std::mutex& mutex() noexcept { return mutex_; }
    [[nodiscard]] std::optional<found_capability> find(const std::string& capability) const;
    [[nodiscard]] std::vector<std::shared_ptr<plugin>> with_hook(hook which) const;
    /// The instance to use: a fresh one when the last was stopped; null when it cannot be loaded.
    [[nodiscard]] std::shared_ptr<instance> ready(plugin& of);
    /// Takes down what an activation has logged and how it ended, to be told later. What is logged in one run is bounded; `run` is empty
    /// where there is none.
    void note(plugin& of, activation& ran, std::string_view what, const std::string& run);
    void note(notice::kind what, std::string plugin, std::string text);

    /// Hooks are not told in which run they are: what they log is counted from one question to the next.
    void begin_question();
    [[nodiscard]] std::string questions() const { return "question " + std::to_string(questions_); }

    /// Tells the host what there is to tell. With the lock free.
    void tell();

    /// Runs work on the worker, or here when there is none; `and_wait` waits for it.
    void post(task work);
    /// For work that may be left undone: when much of it waits already, it is.
    void post_if_idle_enough(task work);
    void post_and_wait(unique_function<void()> work);

    /// The last handle is gone: what waits on the worker is dropped.
    void close();

private:
    void publish();
    [[nodiscard]] result<std::shared_ptr<plugin>> load(plugin_source source) const;
    [[nodiscard]] result<void> fits(const instance& fresh, const plugin* instead_of) const;
    result<void> add(std::shared_ptr<plugin> loaded);
    result<void> add_path(const std::string& path, const std::string& folder);
    std::vector<failure> scan(const std::string& folder, bool only_changed);
    void reload_one(plugin& of, bool only_changed, std::vector<failure>& problems);

    plugins_options options_;
    result<void> usable_ = {};  // whether the options are
    std::mutex mutex_;
    std::vector<std::shared_ptr<plugin>> plugins_;
    std::vector<std::string> folders_;
    std::map<std::string, refused_file> refused_;  // by path
    std::uint64_t versions_ = 0;                   // replaced or removed so far: what may end a clash
    std::vector<notice> untold_;

    mutable std::mutex published_mutex_;  // held for a moment only
    std::shared_ptr<const lua::detail::offered> offered_ = std::make_shared<const lua::detail::offered>();
    std::vector<std::string> granted_;

    std::atomic<std::uint64_t> questions_ = 0;
    std::atomic<bool> looking_ = false;      ///< for changes, or about to
    std::atomic<std::size_t> waiting_ = 0;   ///< pieces of work that may be left undone
    std::atomic<bool> left_undone_ = false;  ///< and some was, of which the host was told
    std::unique_ptr<worker> worker_;         // last: its tasks use the rest
};

/// What all copies of a handle share.
struct plugins_state {
    std::shared_ptr<plugin_host> host;
};

/// Answers one call of a capability, with what it calls itself.
void run_call(std::shared_ptr<plugin_host> host, capability_call call, capability_responder responder);

/// The sentence for a model whose call has failed by no fault of its own.
[[nodiscard]] std::string excuse(const std::string& capability, bool stopped);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
