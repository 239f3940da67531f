#include "shell/typed_command.hpp"

#include "assistant/event_text.hpp"
#include "terminal/interrupts.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/shell/shell.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <string>
#include <utility>
#include <vector>

namespace repl {

namespace {

using namespace std::chrono_literals;

/// The names of the program's environment variables, but for those that seem to hold a key.
std::vector<std::string> names_without_keys() {
    constexpr auto keys = std::to_array<std::string_view>({"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIALS"});
    std::vector<std::string> names;
    for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
        const std::string_view variable(*each);
        const std::string_view name = variable.substr(0, variable.find('='));
        if (std::none_of(keys.begin(), keys.end(), [&](std::string_view end) { return name.ends_with(end); })) {
            names.emplace_back(name);
        }
    }
    return names;
}

ai::shell_options options_for(const screen& screen) {
    ai::shell_options options{.timeout = 24h, .pass = names_without_keys()};
    if (const std::size_t columns = screen.columns(); columns > 0) {
        options.columns = static_cast<unsigned short>(columns);
    }
    return options;
}

}  // namespace

void run_typed_command(std::string_view entry, entry_record& record, screen& screen) {
    const std::string command(ai::detail::trimmed(ai::detail::trimmed(entry).substr(1)));
    if (command.empty()) {
        screen.err("! takes a command, such as !ls\n");
        return;
    }
    const interrupts::defer_python not_python;
    static_cast<void>(interrupts::take());
    ai::cancel_source stop;
    std::promise<ai::capability_reply> reply;
    std::future<ai::capability_reply> replied = reply.get_future();
    ai::shell shell(options_for(screen));
    shell.invoke({.name = "exec", .arguments = {{"command", command}}, .cancel = stop.get_token()},
                 ai::capability_responder(
                     [&](ai::capability_reply outcome) { reply.set_value(std::move(outcome)); },
                     [&](std::string_view text) { screen.out(screen.is_styled() ? std::string(text) : without_styles(text)); }));
    while (replied.wait_for(20ms) != std::future_status::ready) {
        if (interrupts::take()) {
            stop.request_stop();
        }
    }
    const ai::capability_reply outcome = replied.get();
    const ai::json& end = outcome.ok() ? outcome.result : outcome.details;
    screen.fresh_line();
    if (!outcome.ok() && outcome.code != ai::reply_code::cancelled) {
        screen.err(printable(outcome.message) + "\n");
    } else if (const std::string said = say_end(outcome); !said.empty()) {
        screen.notice("·" + said);
    }
    record.add_command("!" + command, std::string(ai::string_member(end, "output").value_or("")));
}

}  // namespace repl
