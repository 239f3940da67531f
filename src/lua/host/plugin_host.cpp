#include "lua/host/plugin_host.hpp"

#include "lua/host/plugin_file.hpp"
#include "lua/manifest/plain_text.hpp"

#include <algorithm>
#include <condition_variable>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

failure clash(const instance& fresh, int line, const std::string& what, const std::string& other_file) {
    failure made =
        mistake(fresh.file(), line, what + ", as " + other_file + " has it", "Give it another name, or leave one of the two out.");
    made.code = errc::name_clash;
    return made;
}

}  // namespace

plugin_host::plugin_host(plugins_options options) : options_(std::move(options)), usable_(check(options_.sandbox)) {
    if (options_.sandbox.run_on == run_on::worker) {
        worker_ = std::make_unique<worker>();
    }
}

result<std::shared_ptr<plugin>> plugin_host::load(plugin_source source) const {
    if (!usable_) {
        return usable_.error();
    }
    result<std::shared_ptr<instance>> loaded = instance::load(source, options_.sandbox);
    if (!loaded) {
        return loaded.error();
    }
    auto made = std::make_shared<plugin>();
    made->source = std::move(source);
    made->live = *std::move(loaded);
    return made;
}

result<void> plugin_host::fits(const instance& fresh, const plugin* instead_of) const {
    for (const std::shared_ptr<plugin>& other : plugins_) {
        if (other.get() == instead_of) {
            continue;
        }
        const manifest& there = other->live->declared();
        if (there.name == fresh.declared().name) {
            return clash(fresh, fresh.declared().line, "the plugin is called `" + there.name + "`", other->source.file);
        }
        for (const declared_capability& one : fresh.declared().capabilities) {
            for (const declared_capability& another : there.capabilities) {
                if (one.spec.name == another.spec.name) {
                    return clash(fresh, one.line, "a capability is called `" + one.spec.name + "`", other->source.file);
                }
            }
        }
    }
    return {};
}

result<void> plugin_host::add(std::shared_ptr<plugin> loaded) {
    if (result<void> fine = fits(*loaded->live, nullptr); !fine) {
        return fine;
    }
    plugins_.push_back(std::move(loaded));
    return {};
}

result<void> plugin_host::add_path(const std::string& path, const std::string& folder) {
    const std::filesystem::file_time_type written = written_at(path);
    result<plugin_source> source = read_plugin_file(path);
    if (!source) {
        return source.error();
    }
    result<std::shared_ptr<plugin>> loaded = load(*std::move(source));
    if (!loaded) {
        return loaded.error();
    }
    (*loaded)->path = path;
    (*loaded)->folder = folder;
    (*loaded)->written = written;
    return add(*std::move(loaded));
}

result<void> plugin_host::add_file(const std::string& path) {
    const std::lock_guard lock(mutex_);
    result<void> added = add_path(path, "");
    publish();
    return added;
}

result<void> plugin_host::add_text(plugin_source source) {
    const std::lock_guard lock(mutex_);
    result<std::shared_ptr<plugin>> loaded = load(std::move(source));
    if (!loaded) {
        return loaded.error();
    }
    result<void> added = add(*std::move(loaded));
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

/// With the lock held, whenever what is declared may have changed.
void plugin_host::publish() {
    auto fresh = std::make_shared<lua::detail::offered>();
    std::vector<capability_spec> specs;
    for (const std::shared_ptr<plugin>& one : plugins_) {
        const manifest& declared = one->live->declared();
        for (const declared_capability& capability : declared.capabilities) {
            specs.push_back(capability.spec);
        }
        for (std::size_t i = 0; i < hook_names.size(); ++i) {
            fresh->hooks[i] = fresh->hooks[i] || declared.hooks[i];
        }
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
    for (const std::shared_ptr<plugin>& one : plugins_) {
        const manifest& declared = one->live->declared();
        plugin_info info{.name = declared.name, .version = declared.version, .file = one->source.file, .uses = declared.uses};
        for (const declared_capability& capability : declared.capabilities) {
            info.capabilities.push_back(capability.spec);
        }
        for (std::size_t i = 0; i < hook_names.size(); ++i) {
            if (declared.hooks[i]) {
                info.hooks.emplace_back(hook_names[i]);
            }
        }
        info.problem = one->problem;
        info.memory = one->live->state().info().memory_used;
        info.stops = one->stops;
        all.push_back(std::move(info));
    }
    return all;
}

std::optional<found_capability> plugin_host::find(const std::string& capability) const {
    for (const std::shared_ptr<plugin>& one : plugins_) {
        const std::vector<declared_capability>& offered = one->live->declared().capabilities;
        for (std::size_t i = 0; i < offered.size(); ++i) {
            if (offered[i].spec.name == capability) {
                return found_capability{one, i};
            }
        }
    }
    return {};
}

std::vector<std::shared_ptr<plugin>> plugin_host::with_hook(hook which) const {
    std::vector<std::shared_ptr<plugin>> found;
    std::copy_if(plugins_.begin(), plugins_.end(), std::back_inserter(found),
                 [&](const std::shared_ptr<plugin>& one) { return one->live->declared().has(which); });
    return found;
}

std::shared_ptr<instance> plugin_host::ready(plugin& of) {
    if (!of.live->usable()) {
        result<std::shared_ptr<instance>> fresh = instance::load(of.source, options_.sandbox);
        if (!fresh) {
            of.problem = fresh.error();
            note(notice::kind::broken, of.live->declared().name, fresh.error().message + " " + fresh.error().hint);
            return nullptr;
        }
        of.live = *std::move(fresh);
        publish();
    }
    return of.live;
}

void plugin_host::grant(std::vector<std::string> capabilities) {
    const std::lock_guard lock(published_mutex_);
    granted_ = std::move(capabilities);
}

bool plugin_host::grants(const std::string& capability) const {
    const std::lock_guard lock(published_mutex_);
    return std::find(granted_.begin(), granted_.end(), capability) != granted_.end();
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
                    self->note(notice::kind::failed, "", "hooks that look are too slow: some of what happened was not shown to them");
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
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    worker_->post([&] {
        work();
        const std::lock_guard lock(mutex);
        done = true;
        changed.notify_all();
    });
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return done; });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
