#include "lua/host/plugin_host.hpp"

#include "lua/host/plugin_file.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Adds what a folder has and is not known yet. What was refused is told again, and tried again when something has changed: the file, or
/// the others, with which it may have clashed.
std::vector<failure> plugin_host::scan(const std::string& folder, bool only_changed) {
    const result<std::vector<std::string>> files = plugin_files_in(folder);
    if (!files) {
        return {files.error()};
    }
    std::erase_if(refused_, [&](const auto& one) {
        return one.second.folder == folder && std::find(files->begin(), files->end(), one.first) == files->end();
    });
    std::vector<failure> problems;
    for (const std::string& file : *files) {
        if (std::any_of(plugins_.begin(), plugins_.end(), [&](const auto& one) { return one->path == file; })) {
            continue;
        }
        const std::filesystem::file_time_type written = written_at(file);
        if (const auto known = refused_.find(file); known != refused_.end()) {
            if (only_changed && known->second.written == written && known->second.versions == versions_) {
                problems.push_back(known->second.why);
                continue;
            }
            refused_.erase(known);
        }
        if (result<void> added = add_path(file, folder); !added) {
            if (added.error().code != errc::not_found) {  // what cannot be read may be readable the next time, unchanged
                refused_[file] = {.folder = folder, .written = written, .versions = versions_, .why = added.error()};
            }
            note(notice::kind::broken, file, added.error().message + " " + added.error().hint);
            problems.push_back(added.error());
        }
    }
    return problems;
}

void plugin_host::reload_one(plugin& of, bool only_changed, std::vector<failure>& problems) {
    const auto keep_old = [&](const failure& why) {
        of.problem = why;
        note(notice::kind::broken, of.live->declared().name, why.message + " " + why.hint + " The old version is kept.");
        problems.push_back(why);
    };
    plugin_source source = of.source;
    if (of.path.empty() && only_changed) {
        return;
    }
    if (!of.path.empty()) {
        const std::filesystem::file_time_type written = written_at(of.path);
        if (only_changed && written == of.written) {
            return;
        }
        of.written = written;
        result<plugin_source> read = read_plugin_file(of.path);
        if (!read) {
            return keep_old(read.error());
        }
        source = *std::move(read);
    }
    result<std::shared_ptr<instance>> fresh = instance::load(source, options_.sandbox);
    if (!fresh) {
        return keep_old(fresh.error());
    }
    if (const result<void> fine = fits(**fresh, &of); !fine) {
        return keep_old(fine.error());
    }
    if (of.live->usable()) {
        const result<json> kept = of.live->kept_state();
        if (!kept) {
            return keep_old({.code = kept.error().code,
                             .message = of.source.file + ":1: " + kept.error().message,
                             .hint = "Keep only data in `ctx.state`: what is there has to outlive the reload."});
        }
        if (options_.sandbox.state && !(*fresh)->restore_state(*kept)) {
            return keep_old(
                {.code = errc::too_large, .message = of.source.file + ":1: `ctx.state` needs too much memory", .hint = "Keep less."});
        }
    }
    of.source = std::move(source);
    of.live = *std::move(fresh);
    ++versions_;
    of.hook_stops = 0;
    of.problem.reset();
    note(notice::kind::changed, of.live->declared().name, "loaded anew");
}

std::vector<failure> plugin_host::reload(bool only_changed) {
    const std::lock_guard lock(mutex_);
    std::vector<failure> problems;
    std::erase_if(plugins_, [&](const std::shared_ptr<plugin>& one) {
        std::error_code error;
        const bool gone = !one->folder.empty() && !std::filesystem::exists(one->path, error) && !error;
        if (gone) {
            ++versions_;
            note(notice::kind::changed, one->live->declared().name, "removed: its file is gone");
        }
        return gone;
    });
    for (const std::shared_ptr<plugin>& one : plugins_) {
        reload_one(*one, only_changed, problems);
    }
    for (const std::string& folder : folders_) {
        for (failure& problem : scan(folder, only_changed)) {
            problems.push_back(std::move(problem));
        }
    }
    publish();
    return problems;
}

void plugin_host::begin_question() {
    ++questions_;
    if (options_.reload_on_change) {
        look_for_changes();
    }
}

void plugin_host::look_for_changes() {
    if (looking_.exchange(true)) {
        return;
    }
    post([self = shared_from_this()] {
        self->looking_ = false;
        static_cast<void>(self->reload(true));
        self->tell();
    });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
