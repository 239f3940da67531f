#include "lua_source.hpp"

#include <pyaichat/lua/hooks.hpp>
#include <pyaichat/lua/plugins.hpp>

#include "errors.hpp"
#include "gil.hpp"
#include "json_values.hpp"
#include "sources.hpp"

#include <deque>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bindings {

namespace {

namespace lua = ai::lua;

constexpr std::size_t max_notices = 1000;

/// Plugins that the runs of several threads share, one call at a time. Plugins run on the thread that pumps, without the GIL, and call no
/// other capabilities: a call and a hook end before the mutex is released.
struct shared_plugins {
    explicit shared_plugins(lua::plugins_options options) : plugins(with_notices(std::move(options))) {}

    std::mutex mutex;
    std::deque<lua::notice> notices;  ///< the last ones that nobody has taken
    lua::plugins plugins;

private:
    [[nodiscard]] lua::plugins_options with_notices(lua::plugins_options options) {
        options.notify = [this](const lua::notice& happened) {
            if (notices.size() == max_notices) {
                notices.pop_front();
            }
            notices.push_back(happened);
        };
        return options;
    }
};

using plugins_ref = std::shared_ptr<shared_plugins>;

struct locked_capabilities {
    plugins_ref shared;

    [[nodiscard]] ai::result<ai::capability_list> specs() const {
        const std::lock_guard lock(shared->mutex);
        return shared->plugins.specs();
    }
    void invoke(const ai::capability_call& call, ai::capability_responder responder) const {
        const std::lock_guard lock(shared->mutex);
        shared->plugins.invoke(call, std::move(responder));
    }
};

class locked_hooks {
public:
    explicit locked_hooks(plugins_ref shared) : shared_(std::move(shared)), hooks_(shared_->plugins) {}

    void on_question(std::string_view question) {
        const std::lock_guard lock(shared_->mutex);
        hooks_.on_question(question);
    }
    void before_model(const ai::model_request& request) {
        const std::lock_guard lock(shared_->mutex);
        hooks_.before_model(request);
    }
    void before_call(const ai::proposed_call& call, ai::hook_responder<ai::call_decision> responder) {
        const std::lock_guard lock(shared_->mutex);
        hooks_.before_call(call, std::move(responder));
    }
    void after_call(const ai::capability_call& call, ai::capability_reply reply, ai::hook_responder<ai::capability_reply> responder) {
        const std::lock_guard lock(shared_->mutex);
        hooks_.after_call(call, std::move(reply), std::move(responder));
    }
    void on_answer(const ai::closing_answer& closing, ai::hook_responder<std::string> responder) {
        const std::lock_guard lock(shared_->mutex);
        hooks_.on_answer(closing, std::move(responder));
    }
    void on_event(const ai::event& happened) {
        const std::lock_guard lock(shared_->mutex);
        hooks_.on_event(happened);
    }

private:
    plugins_ref shared_;
    lua::hooks hooks_;
};

const char* kind_of(lua::notice::kind kind) {
    switch (kind) {
        case lua::notice::kind::log: return "log";
        case lua::notice::kind::failed: return "failed";
        case lua::notice::kind::stopped: return "stopped";
        case lua::notice::kind::changed: return "changed";
        case lua::notice::kind::broken: break;
    }
    return "broken";
}

class lua_source final : public host_source {
public:
    lua_source(const std::string& path, std::size_t memory, double time, bool reload) {
        lua::plugins_options options{.reload_on_change = reload};
        options.sandbox.memory = memory;
        options.sandbox.time = std::chrono::duration_cast<ai::duration>(std::chrono::duration<double>(time));
        raise_if_failed(lua::check(options.sandbox));
        shared_ = std::make_shared<shared_plugins>(std::move(options));
        std::error_code ignored;
        if (std::filesystem::is_directory(path, ignored)) {
            for (const ai::failure& each : shared_->plugins.add_folder(path)) {
                raise("ConfigurationError", each);
            }
        } else {
            raise_if_failed(shared_->plugins.add_file(path));
        }
    }

    [[nodiscard]] ai::result<void> add_to(ai::any_capabilities& all, ai::agent_options& options,
                                          const std::shared_ptr<const waker>& /*wake*/) override {
        options.hooks.emplace_back(locked_hooks(shared_));
        const without_gil released;  // another run may use the plugins now
        return all.add(locked_capabilities{shared_});
    }

    [[nodiscard]] py::list describe() const {
        std::vector<lua::plugin_info> loaded;
        {
            const without_gil released;  // a plugin may run now
            const std::lock_guard lock(shared_->mutex);
            loaded = shared_->plugins.describe();
        }
        py::list out;
        for (const lua::plugin_info& each : loaded) {
            py::dict entry;
            entry["name"] = to_str(each.name);
            entry["version"] = to_str(each.version);
            entry["file"] = to_str(each.file);
            py::list capabilities;
            for (const ai::capability_spec& spec : each.capabilities) {
                capabilities.append(to_str(spec.name));
            }
            entry["capabilities"] = capabilities;
            entry["hooks"] = py::cast(each.hooks);
            entry["problem"] = each.problem ? py::object(to_str(each.problem->message)) : py::none();
            out.append(entry);
        }
        return out;
    }

    [[nodiscard]] py::list take_notices() const {
        std::deque<lua::notice> taken;
        {
            const without_gil released;
            const std::lock_guard lock(shared_->mutex);
            taken.swap(shared_->notices);
        }
        py::list out;
        for (const lua::notice& each : taken) {
            out.append(py::make_tuple(kind_of(each.what), to_str(each.plugin), to_str(each.text)));
        }
        return out;
    }

private:
    plugins_ref shared_;
};

}  // namespace

void add_lua_source(py::module_& module) {
    py::class_<lua_source, host_source, std::shared_ptr<lua_source>>(module, "LuaPlugins")
        .def(py::init<const std::string&, std::size_t, double, bool>(), py::arg("path"), py::arg("memory"), py::arg("time"),
             py::arg("reload"))
        .def("describe", &lua_source::describe)
        .def("take_notices", &lua_source::take_notices);
}

}  // namespace bindings
