// The plugin functions of a build without Lua.
#include "plugins/plugin_command.hpp"
#include "plugins/plugin_set.hpp"

#include <cstdio>

namespace repl {

namespace {

constexpr const char* sentence = "this build has no Lua plugins (it was configured with PYAICHAT_LUA=OFF)";

}  // namespace

struct plugin_set::state {};

plugin_set::plugin_set(screen&, python_runner&) {}
plugin_set::~plugin_set() = default;

std::vector<ai::failure> plugin_set::load(const std::vector<std::string>& paths) {
    if (paths.empty()) {
        return {};
    }
    return {{.code = ai::errc::not_found, .message = "--plugin " + paths.front() + ": " + sentence}};
}

ai::result<void> plugin_set::join(ai::any_capabilities&, ai::agent_options&) const {
    return {};
}

std::vector<std::string> plugin_set::capabilities() const {
    return {};
}

std::string plugin_set::listing() const {
    return std::string("no plugins: ") + sentence + "\n";
}

std::string plugin_set::reload() {
    return listing();
}

int plugin_command(std::span<char* const>) {
    std::fprintf(stderr, "pyaichat plugin: %s\n", sentence);
    return 2;
}

}  // namespace repl
