#include "lua/host/plugin_host.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Adds the new files of a folder. Refused files are reported again. They are loaded again if the file has changed, or another plugin, with
/// which its names may have clashed.
std::vector<failure> plugin_host::scan(const std::string& folder, bool only_changed) {
    const result<std::vector<std::string>> files = plugin_files_in(folder);
    if (!files) {
        return {files.error()};
    }
    std::erase_if(refused_, [&](const auto& entry) {
        return entry.second.folder == folder && std::find(files->begin(), files->end(), entry.first) == files->end();
    });
    std::vector<failure> problems;
    for (const std::string& file : *files) {
        if (std::any_of(plugins_.begin(), plugins_.end(), [&](const auto& loaded) { return loaded->path == file; })) {
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
            if (added.error().code != errc::not_found) {  // an unreadable file may become readable without a change
                refused_[file] = {.folder = folder, .written = written, .versions = versions_, .why = added.error()};
            }
            note(notice::kind::broken, file, added.error().message + " " + added.error().hint);
            problems.push_back(added.error());
        }
    }
    return problems;
}

void plugin_host::reload_one(plugin& target, bool only_changed, std::vector<failure>& problems) {
    const auto keep_old = [&](const failure& why) {
        target.problem = why;
        note(notice::kind::broken, target.live->declared().name, why.message + " " + why.hint + " The old version is kept.");
        problems.push_back(why);
    };
    const std::filesystem::file_time_type written = target.path.empty() ? target.written : written_at(target.path);
    if (only_changed && written == target.written) {
        return;
    }
    target.written = written;
    result<plugin_source> source = target.path.empty() ? target.source : read_plugin_file(target.path);
    if (!source) {
        return keep_old(source.error());
    }
    result<std::shared_ptr<instance>> fresh = instance::load(*source, options_.sandbox);
    if (!fresh) {
        return keep_old(fresh.error());
    }
    if (const result<void> accepted = fits(**fresh, &target); !accepted) {
        return keep_old(accepted.error());
    }
    if (target.live->usable()) {
        const result<json> saved = target.live->saved_state();
        if (!saved) {
            return keep_old({.code = saved.error().code,
                             .message = target.source.file + ":1: " + saved.error().message,
                             .hint = "Keep only data in `ctx.state`, because a reload copies it."});
        }
        if (options_.sandbox.state && !(*fresh)->restore_state(*saved)) {
            return keep_old({.code = errc::too_large,
                             .message = target.source.file + ":1: `ctx.state` needs too much memory",
                             .hint = "Keep less data in `ctx.state`."});
        }
    }
    target.source = *std::move(source);
    target.live = *std::move(fresh);
    ++versions_;
    target.hook_stops = 0;
    target.problem.reset();
    note(notice::kind::changed, target.live->declared().name, "reloaded");
}

std::vector<failure> plugin_host::reload(bool only_changed) {
    const std::lock_guard lock(mutex_);
    std::vector<failure> problems;
    std::erase_if(plugins_, [&](const std::shared_ptr<plugin>& loaded) {
        std::error_code error;
        const bool gone = !loaded->folder.empty() && !std::filesystem::exists(loaded->path, error) && !error;
        if (gone) {
            ++versions_;
            note(notice::kind::changed, loaded->live->declared().name, "removed: its file does not exist any more");
        }
        return gone;
    });
    for (const std::shared_ptr<plugin>& loaded : plugins_) {
        reload_one(*loaded, only_changed, problems);
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
