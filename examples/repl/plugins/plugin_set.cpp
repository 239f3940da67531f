#include "plugins/plugin_set.hpp"

#include "assistant/problem_text.hpp"
#include "plugins/plugin_report.hpp"

#include <pyaichat/capability/adapt.hpp>
#include <pyaichat/lua/hooks.hpp>
#include <pyaichat/lua/plugins.hpp>
#include <pyaichat/message/capability_list.hpp>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace repl {

namespace {

/// `ctx.call` must not reach this capability: a plugin could leave its sandbox by evaluating Python code.
constexpr std::string_view runs_code = "eval_expr";

/// An adapter that removes the capabilities with these names.
struct without {
    std::vector<std::string> names = {};

    [[nodiscard]] bool has(const std::string& name) const { return std::find(names.begin(), names.end(), name) != names.end(); }
    [[nodiscard]] ai::result<ai::capability_list> adapt(const ai::capability_list& offered) const {
        return ai::derive({&offered, 1}, [&](const ai::capability_spec& spec) { return !has(spec.name); });
    }
};

/// What is declared; a failure is told by the run.
template <class Source>
ai::capability_list list_of(const Source& source) {
    return source.specs().value_or(ai::capability_list());
}

std::vector<std::string> names_of(const ai::lua::plugins& plugins) {
    std::vector<std::string> names;
    for (const ai::lua::plugin_info& plugin : plugins.describe()) {
        names.push_back(plugin.name);
    }
    return names;
}

}  // namespace

struct plugin_set::state {
    screen& out;
    python_runner& python;
    ai::lua::plugins plugins;
    bool requested = false;
    bool loading = false;
    std::vector<std::string> missing = {};      // requested files that could not be loaded
    std::vector<ai::failure> problems = {};     // the errors of plugins that are not loaded
    std::vector<ai::lua::notice> changes = {};  // the changes of the last reload

    state(screen& screen, python_runner& runner)
        : out(screen), python(runner), plugins({.notify = [this](const ai::lua::notice& notice) { show(notice); }}) {}

    void show(const ai::lua::notice& notice) {
        using kind = ai::lua::notice::kind;
        if (notice.what == kind::changed) {
            changes.push_back(notice);
        } else if (notice.what != kind::broken || !loading) {  // `load` reports failures itself
            out.notice("· " + printable(notice.plugin + ": " + notice.text));
        }
    }

    void load_file(const std::string& path) {
        if (auto added = plugins.add_file(path); !added) {
            problems.push_back(added.error());
            missing.push_back(path);
        }
    }

    [[nodiscard]] without taken() const {
        without adapter;
        const ai::capability_list ours = list_of(python.session());
        for (const ai::capability_spec& spec : ours) {
            adapter.names.push_back(spec.name);
        }
        return adapter;
    }

    /// Call it after loading: grants capabilities to `ctx.call` and reports names that Python has already.
    void finish_loading() {
        std::vector<std::string> granted;
        const ai::capability_list declared = list_of(plugins);
        for (const ai::capability_spec& spec : declared) {
            granted.push_back(spec.name);
        }
        const ai::capability_list python_has = list_of(python.session());
        for (const ai::capability_spec& ours : python_has) {
            if (ours.name != runs_code) {
                granted.push_back(ours.name);
            }
            if (const ai::capability_spec* theirs = declared.find(ours.name)) {
                problems.push_back(ai::name_clash(ours, *theirs));
            }
        }
        plugins.grant(std::move(granted));
    }
};

plugin_set::plugin_set(screen& screen, python_runner& python) : state_(std::make_unique<state>(screen, python)) {}

plugin_set::~plugin_set() = default;

std::vector<ai::failure> plugin_set::load(const std::vector<std::string>& paths) {
    state_->loading = true;
    for (const std::string& path : paths) {
        state_->requested = true;
        std::error_code error;
        if (!std::filesystem::is_directory(path, error)) {
            state_->load_file(path);
            continue;
        }
        for (ai::failure& problem : state_->plugins.add_folder(path)) {
            state_->problems.push_back(std::move(problem));
        }
    }
    state_->finish_loading();
    state_->loading = false;
    return state_->problems;
}

ai::result<void> plugin_set::join(ai::any_capabilities& capabilities, ai::agent_options& options) const {
    options.hooks.push_back(ai::lua::hooks(state_->plugins));
    return capabilities.add(ai::adapted(state_->plugins, state_->taken()));
}

std::vector<std::string> plugin_set::capabilities() const {
    std::vector<std::string> names;
    const ai::capability_list declared = list_of(ai::adapted(state_->plugins, state_->taken()));
    for (const ai::capability_spec& spec : declared) {
        names.push_back(spec.name);
    }
    return names;
}

std::string plugin_set::listing() const {
    std::string text;
    for (const ai::lua::plugin_info& plugin : state_->plugins.describe()) {
        text += plugin_state(plugin);
    }
    for (const ai::failure& problem : state_->problems) {
        text += "not loaded: " + say_problem(problem) + "\n";
    }
    return !text.empty()       ? text
           : state_->requested ? "no plugins: no *.lua was found\n"
                               : "no plugins: load plugins with --plugin FILE|DIR\n";
}

std::string plugin_set::reload() {
    if (!state_->requested) {
        return listing();
    }
    const std::vector<std::string> before = names_of(state_->plugins);
    state_->loading = true;
    state_->changes.clear();
    state_->problems = state_->plugins.reload_changed();
    for (const std::string& path : std::exchange(state_->missing, {})) {
        state_->load_file(path);
    }
    state_->loading = false;

    std::string text;
    std::vector<std::string> named = before;
    for (const ai::lua::notice& change : state_->changes) {
        named.push_back(change.plugin);
        text += printable(change.plugin + ": " + change.text) + "\n";
    }
    for (const ai::lua::plugin_info& plugin : state_->plugins.describe()) {
        if (std::find(named.begin(), named.end(), plugin.name) == named.end()) {
            text += printable(plugin.name + ": new, from " + plugin.file) + "\n";
        }
        if (plugin.problem) {
            // `problems` keeps only the files of which no version is loaded.
            std::erase_if(state_->problems, [&](const ai::failure& problem) { return problem.message == plugin.problem->message; });
            text += plugin.name + ": the new version has an error, the old version is kept: " + say_problem(*plugin.problem) + "\n";
        }
    }
    state_->finish_loading();
    for (const ai::failure& problem : state_->problems) {
        text += "not loaded: " + say_problem(problem) + "\n";
    }
    return text.empty() ? "nothing has changed\n" : text;
}

}  // namespace repl
