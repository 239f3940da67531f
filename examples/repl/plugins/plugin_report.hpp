#pragma once
#include <pyaichat/lua/plugins.hpp>

#include <string>

namespace repl {

namespace ai = pyaichat;

/// The declarations of a plugin, for a person.
[[nodiscard]] std::string plugin_declares(const ai::lua::plugin_info& plugin);

/// The declarations and the state of a plugin: memory, stops, and the error of its newest version.
[[nodiscard]] std::string plugin_state(const ai::lua::plugin_info& plugin);

}  // namespace repl
