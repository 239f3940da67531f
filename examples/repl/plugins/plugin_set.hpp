#pragma once
#include <pyaichat/agent/options.hpp>
#include <pyaichat/capability/any_capabilities.hpp>

#include "python/python_runner.hpp"
#include "terminal/screen.hpp"

#include <memory>
#include <string>
#include <vector>

namespace repl {

/// The Lua plugins of the program. Shows their notices as dim lines. In a build without Lua, loading fails. Use it on the thread that asks
/// questions.
class plugin_set {
public:
    plugin_set(screen& screen, python_runner& python);
    plugin_set(const plugin_set&) = delete;
    plugin_set& operator=(const plugin_set&) = delete;
    ~plugin_set();

    /// Loads files, and all `*.lua` of folders. Returns the failures: the message is `file:line: error`, the hint the correction.
    [[nodiscard]] std::vector<ai::failure> load(const std::vector<std::string>& paths);

    /// Adds the plugins' hooks and capabilities to an agent, except capabilities with a name that Python's functions have.
    [[nodiscard]] ai::result<void> join(ai::any_capabilities& capabilities, ai::agent_options& options) const;

    /// The names of the capabilities that `join` adds.
    [[nodiscard]] std::vector<std::string> capabilities() const;

    /// The loaded plugins and the failures, for a person.
    [[nodiscard]] std::string listing() const;
    /// Loads changed and new files. Returns a report for a person.
    [[nodiscard]] std::string reload();

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace repl
