#include "lua/host/plugin_host.hpp"

#include "lua/manifest/plain_text.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

constexpr std::size_t max_untold = 256;
constexpr int max_log_lines = 256;  // of a plugin in a run
constexpr std::size_t most_runs = 64;

/// How much a plugin has logged in a run. Of runs in which it has not logged for long nothing is remembered.
int& log_lines_of(plugin& of, const std::string& run) {
    const auto known = std::find_if(of.logged.begin(), of.logged.end(), [&](const log_count& one) { return one.run == run; });
    if (known != of.logged.end()) {
        std::rotate(known, known + 1, of.logged.end());
        return of.logged.back().lines;
    }
    if (of.logged.size() >= most_runs) {
        of.logged.pop_front();
    }
    return of.logged.emplace_back(log_count{.run = run}).lines;
}

}  // namespace

void plugin_host::note(notice::kind what, std::string plugin, std::string text) {
    if (untold_.size() < max_untold) {
        untold_.push_back({what, plain_line(plugin, 300), plain_line(text, 2000)});
    }
}

void plugin_host::note(plugin& of, activation& ran, std::string_view what, const std::string& run) {
    const std::string& name = ran.in()->declared().name;
    for (std::string& line : ran.take_log()) {
        if (!run.empty()) {
            int& lines = log_lines_of(of, run);
            if (lines > max_log_lines) {
                break;
            }
            if (++lines > max_log_lines) {
                line = "(the plugin logs too much: more lines of this run are left out)";
            }
        }
        note(notice::kind::log, name, std::move(line));
    }
    const outcome& ended = ran.ended();
    const std::string where = ran.in()->file() + ":" + (ended.line > 0 ? std::to_string(ended.line) + ": " : " ");
    if (ended.what == outcome::kind::raised) {
        note(notice::kind::failed, name,
             where + "`" + std::string(what) + "`: " + ended.text + (ended.change.empty() ? "" : ". " + ended.change));
    } else if (ended.what == outcome::kind::stopped) {
        ++of.stops;
        note(notice::kind::stopped, name, where + "`" + std::string(what) + "` was stopped: it " + ended.text);
    }
}

void plugin_host::tell() {
    std::vector<notice> told;
    {
        const std::lock_guard lock(mutex_);
        told.swap(untold_);
    }
    for (const notice& one : told) {
        if (options_.notify) {
            guarded([&] { options_.notify(one); }, [](std::string_view) {});
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
