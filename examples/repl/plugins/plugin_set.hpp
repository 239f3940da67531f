#pragma once
#include <pyaichat/agent/options.hpp>
#include <pyaichat/capability/any_capabilities.hpp>

#include "python/python_runner.hpp"
#include "terminal/screen.hpp"

#include <memory>
#include <string>
#include <vector>

namespace repl {

/// The Lua plugins of the program. In a build without Lua there are none, and loading fails and says so. What a plugin has to say to the
/// person is shown as it comes, in dim lines. Belongs to the thread that asks questions.
class plugin_set {
public:
    plugin_set(screen& screen, python_runner& python);
    plugin_set(const plugin_set&) = delete;
    plugin_set& operator=(const plugin_set&) = delete;
    ~plugin_set();

    /// Loads files, and all `*.lua` of folders. What could not be loaded: `file:line: what is wrong`, with the change to make as the hint.
    [[nodiscard]] std::vector<ai::failure> load(const std::vector<std::string>& paths);

    /// Gives their capabilities, but those that Python has by the same name, and their hooks to an agent.
    [[nodiscard]] ai::result<void> join(ai::any_capabilities& capabilities, ai::agent_options& options) const;

    /// The names of the capabilities that an agent gets.
    [[nodiscard]] std::vector<std::string> capabilities() const;

    /// What is loaded, for a person.
    [[nodiscard]] std::string listing() const;
    /// Loads what has changed, and looks for new files; what came of it, for a person.
    [[nodiscard]] std::string reload();

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace repl
