#include "plugins/plugin_report.hpp"

#include "assistant/context_report.hpp"
#include "terminal/screen.hpp"

#include <pyaichat/core/text.hpp>

#include <string_view>
#include <vector>

namespace repl {

namespace {

std::string head(const ai::lua::plugin_info& plugin) {
    return plugin.name + (plugin.version.empty() ? "" : " " + plugin.version) + " (" + plugin.file + ")";
}

std::string list(std::string_view title, const std::vector<std::string>& names) {
    std::string line;
    for (const std::string& name : names) {
        line += (line.empty() ? "  " + std::string(title) + ": " : ", ") + name;
    }
    return line.empty() ? line : line + "\n";
}

std::string body(const ai::lua::plugin_info& plugin) {
    std::string text;
    for (const ai::capability_spec& spec : plugin.capabilities) {
        text += "  " + signature_of(spec) + " [" + std::string(to_string(spec.effects)) +
                (spec.effects == ai::effects::read ? "" : ", needs approval") + "]: " + ai::detail::one_line(spec.description, 300) + "\n";
    }
    text += list("hooks", plugin.hooks) + list("may call", plugin.uses);
    return text.empty() ? "  declares nothing\n" : text;
}

}  // namespace

std::string plugin_declares(const ai::lua::plugin_info& plugin) {
    return printable(head(plugin) + "\n" + body(plugin));
}

std::string plugin_state(const ai::lua::plugin_info& plugin) {
    std::string text = head(plugin) + ", " +
                       (plugin.memory == 0 ? "not in memory" : std::to_string((plugin.memory + 1023) / 1024) + " KiB") + "\n" +
                       body(plugin);
    if (plugin.stops > 0) {
        text += "  stopped " + ai::detail::counted(plugin.stops, "time") + " for exceeding a limit\n";
    }
    if (plugin.problem) {
        text += "  the file has an error, the old version is kept: " + plugin.problem->message + " " + plugin.problem->hint + "\n";
    }
    return printable(text);
}

}  // namespace repl
