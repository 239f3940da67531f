#include "lua/host/plugin_host.hpp"

#include "lua/manifest/plain_text.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

constexpr std::size_t max_queued_notices = 256;
constexpr int max_log_lines = 256;  // per plugin and run
constexpr std::size_t max_counted_runs = 64;

/// The number of lines that a plugin has logged in a run. The runs in which it logged last are counted.
int& log_lines_of(plugin& used, const std::string& run) {
    const auto known = std::find_if(used.logged.begin(), used.logged.end(), [&](const log_count& count) { return count.run == run; });
    if (known != used.logged.end()) {
        std::rotate(known, known + 1, used.logged.end());
        return used.logged.back().lines;
    }
    if (used.logged.size() >= max_counted_runs) {
        used.logged.pop_front();
    }
    return used.logged.emplace_back(log_count{.run = run}).lines;
}

}  // namespace

void plugin_host::note(notice::kind what, std::string plugin, std::string text) {
    if (queued_notices_.size() < max_queued_notices) {
        queued_notices_.push_back({what, plain_line(plugin, 300), plain_line(text, 2000)});
    }
}

void plugin_host::note(plugin& used, activation& ran, std::string_view what, const std::string& run) {
    const std::string& name = ran.in()->declared().name;
    for (std::string& line : ran.take_log()) {
        if (!run.empty()) {
            int& lines = log_lines_of(used, run);
            if (lines > max_log_lines) {
                break;
            }
            if (++lines > max_log_lines) {
                line = "(the plugin logs too much: further lines of this run are dropped)";
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
        ++used.stops;
        note(notice::kind::stopped, name, where + "`" + std::string(what) + "` was stopped: it " + ended.text);
    }
}

void plugin_host::tell() {
    std::vector<notice> notices;
    {
        const std::lock_guard lock(mutex_);
        notices.swap(queued_notices_);
    }
    for (const notice& each : notices) {
        if (options_.notify) {
            guarded([&] { options_.notify(each); }, [](std::string_view) {});
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
