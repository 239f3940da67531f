#pragma once
#include <pyaichat/lua/plugins.hpp>

#include <string>

namespace repl {

namespace ai = pyaichat;

/// What a plugin declares, for a person.
[[nodiscard]] std::string plugin_declares(const ai::lua::plugin_info& plugin);

/// The same, and how it fares: memory, stops, and what is wrong with its newest version.
[[nodiscard]] std::string plugin_state(const ai::lua::plugin_info& plugin);

}  // namespace repl
