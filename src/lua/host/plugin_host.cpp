#include "lua/host/plugin_host.hpp"

#include "lua/manifest/plain_text.hpp"

#include <algorithm>
#include <future>

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

failure clash(const instance& fresh, int line, const std::string& what, const std::string& other_file) {
    failure error = mistake(fresh.file(), line, what + " is already used by " + other_file, "Rename it, or remove one of the two.");
    error.code = errc::name_clash;
    return error;
}

}  // namespace

plugin_host::plugin_host(plugins_options options) : options_(std::move(options)), options_checked_(check(options_.sandbox)) {
    if (options_.sandbox.run_on == run_on::worker) {
        worker_ = std::make_unique<worker>();
    }
}

result<void> plugin_host::fits(const instance& fresh, const plugin* instead_of) const {
    for (const std::shared_ptr<plugin>& other : plugins_) {
        if (other.get() == instead_of) {
            continue;
        }
        const manifest& declared = other->live->declared();
        if (declared.name == fresh.declared().name) {
            return clash(fresh, fresh.declared().line, "the plugin name `" + declared.name + "`", other->source.file);
        }
        for (const declared_capability& added : fresh.declared().capabilities) {
            for (const declared_capability& existing : declared.capabilities) {
                if (added.spec.name == existing.spec.name) {
                    return clash(fresh, added.line, "the capability name `" + added.spec.name + "`", other->source.file);
                }
            }
        }
    }
    return {};
}

result<void> plugin_host::add(plugin added) {
    if (!options_checked_) {
        return options_checked_;
    }
    result<std::shared_ptr<instance>> loaded = instance::load(added.source, options_.sandbox);
    if (!loaded) {
        return loaded.error();
    }
    added.live = *std::move(loaded);
    if (result<void> accepted = fits(*added.live, nullptr); !accepted) {
        return accepted;
    }
    plugins_.push_back(std::make_shared<plugin>(std::move(added)));
    return {};
}

result<void> plugin_host::add_path(const std::string& path, const std::string& folder) {
    const std::filesystem::file_time_type written = written_at(path);
    result<plugin_source> source = read_plugin_file(path);
    if (!source) {
        return source.error();
    }
    return add({.source = *std::move(source), .path = path, .folder = folder, .written = written});
}

result<void> plugin_host::add_file(const std::string& path) {
    const std::lock_guard lock(mutex_);
    result<void> added = add_path(path, "");
    publish();
    return added;
}

result<void> plugin_host::add_text(plugin_source source) {
    const std::lock_guard lock(mutex_);
    result<void> added = add({.source = std::move(source)});
    publish();
    return added;
}

std::vector<failure> plugin_host::add_folder(const std::string& path) {
    const std::lock_guard lock(mutex_);
    if (std::find(folders_.begin(), folders_.end(), path) == folders_.end()) {
        folders_.push_back(path);
    }
    std::vector<failure> problems = scan(path, false);
    publish();
    return problems;
}

/// To be called with the lock held, whenever declarations may have changed.
void plugin_host::publish() {
    auto fresh = std::make_shared<lua::detail::offered>();
    std::vector<capability_spec> specs;
    for (const std::shared_ptr<plugin>& loaded : plugins_) {
        const manifest& declared = loaded->live->declared();
        for (const declared_capability& capability : declared.capabilities) {
            specs.push_back(capability.spec);
        }
        fresh->hooks |= declared.hooks;
    }
    fresh->list = declare(specs, offered()->list.value_or(capability_list()));
    const std::lock_guard lock(published_mutex_);
    offered_ = std::move(fresh);
}

std::shared_ptr<const offered> plugin_host::offered() const {
    const std::lock_guard lock(published_mutex_);
    return offered_;
}

std::vector<plugin_info> plugin_host::describe() {
    const std::lock_guard lock(mutex_);
    std::vector<plugin_info> all;
    for (const std::shared_ptr<plugin>& loaded : plugins_) {
        const manifest& declared = loaded->live->declared();
        plugin_info info{.name = declared.name, .version = declared.version, .file = loaded->source.file, .uses = declared.uses};
        for (const declared_capability& capability : declared.capabilities) {
            info.capabilities.push_back(capability.spec);
        }
        for (std::size_t i = 0; i < hook_names.size(); ++i) {
            if (declared.hooks[i]) {
                info.hooks.emplace_back(hook_names[i]);
            }
        }
        info.problem = loaded->problem;
        info.memory = loaded->live->state().info().memory_used;
        info.stops = loaded->stops;
        all.push_back(std::move(info));
    }
    return all;
}

std::optional<found_capability> plugin_host::find(const std::string& capability) const {
    for (const std::shared_ptr<plugin>& loaded : plugins_) {
        const std::vector<declared_capability>& offered = loaded->live->declared().capabilities;
        for (std::size_t i = 0; i < offered.size(); ++i) {
            if (offered[i].spec.name == capability) {
                return found_capability{loaded, i};
            }
        }
    }
    return {};
}

std::vector<std::shared_ptr<plugin>> plugin_host::with_hook(hook which) {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<plugin>> found;
    std::copy_if(plugins_.begin(), plugins_.end(), std::back_inserter(found),
                 [&](const std::shared_ptr<plugin>& loaded) { return loaded->live->declared().has(which); });
    return found;
}

std::shared_ptr<instance> plugin_host::ready(plugin& used) {
    if (!used.live->usable()) {
        result<std::shared_ptr<instance>> fresh = instance::load(used.source, options_.sandbox);
        if (!fresh) {
            used.problem = fresh.error();
            note(notice::kind::broken, used.live->declared().name, fresh.error().message + " " + fresh.error().hint);
            return nullptr;
        }
        used.live = *std::move(fresh);
        publish();
    }
    return used.live;
}

void plugin_host::grant(std::vector<std::string> capabilities) {
    const std::lock_guard lock(published_mutex_);
    granted_ = std::move(capabilities);
}

bool plugin_host::grants(const std::string& capability) const {
    const std::lock_guard lock(published_mutex_);
    return std::find(granted_.begin(), granted_.end(), capability) != granted_.end();
}

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

void plugin_host::post(task work) {
    if (worker_) {
        worker_->post(std::move(work));
    } else {
        work();
    }
}

void plugin_host::post_if_idle_enough(task work) {
    constexpr std::size_t most_waiting = 1000;
    if (!worker_) {
        work();
        return;
    }
    if (waiting_ >= most_waiting) {
        if (!left_undone_.exchange(true)) {
            post([self = shared_from_this()] {
                {
                    const std::lock_guard lock(self->mutex_);
                    self->note(notice::kind::failed, "", "observing hooks are too slow: some events were not passed to them");
                }
                self->tell();
            });
        }
        return;
    }
    ++waiting_;
    worker_->post([self = shared_from_this(), work = std::move(work)]() mutable {
        work();
        if (--self->waiting_ == 0) {
            self->left_undone_ = false;
        }
    });
}

void plugin_host::close() {
    if (worker_) {
        worker_->close();
    }
}

void plugin_host::post_and_wait(unique_function<void()> work) {
    if (!worker_ || worker_->is_current()) {
        work();
        return;
    }
    std::promise<void> done;
    const std::future<void> ended = done.get_future();
    worker_->post([&work, done = std::move(done)]() mutable {
        work();
        done.set_value();
    });
    ended.wait();  // also when the worker is closed and drops the task, and the promise with it
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
