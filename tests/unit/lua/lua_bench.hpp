#pragma once
/// Plugins made of a few lines, and what they have told.
#include <pyaichat/lua/plugins.hpp>

#include "catch.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lua_bench {

namespace ai = pyaichat;
namespace lua = pyaichat::lua;
using namespace std::chrono_literals;

/// Enough time for a plugin that does no harm on a machine that is busy with other things.
inline lua::sandbox patient() {
    return {.time = 20s, .hook_time = 20s};
}

/// The text of a plugin with one capability; `parameters` as in the file.
inline std::string capability(const std::string& name, const std::string& body, const std::string& before = "",
                              const std::string& more = "") {
    return before + "\nreturn { name = '" + name + "_plugin', api = 1, capabilities = { { name = '" + name +
           "', description = 'A test.', effects = 'read', " + more + " run = function(args, ctx) " + body + " end } } }";
}

struct plugin_bench {
    explicit plugin_bench(lua::sandbox limits = patient(), bool reload_on_change = false)
        : plugins({.sandbox = limits, .reload_on_change = reload_on_change, .notify = [this](const lua::notice& one) {
                       told.push_back(one);
                   }}) {}

    void add(const std::string& name, const std::string& text) {
        const ai::result<void> added = plugins.add_text(name, text);
        INFO((added ? std::string() : added.error().message + " | " + added.error().hint));
        REQUIRE(added);
    }

    /// Adds a plugin of one capability, called `name`, and calls it.
    ai::capability_reply run(const std::string& body, ai::json arguments = ai::json::object(), const std::string& before = "") {
        const std::string name = "t" + std::to_string(++count);
        add(name + ".lua", capability(name, body, before));
        return plugins.call(name, std::move(arguments));
    }

    /// The value of a Lua expression.
    ai::json value_of(const std::string& expression) {
        const ai::capability_reply reply = run("return " + expression);
        INFO(expression << ": " << reply.message << (told.empty() ? "" : told.back().text));
        REQUIRE(reply.ok());
        return reply.result;
    }

    [[nodiscard]] std::vector<std::string> texts(lua::notice::kind what) const {
        std::vector<std::string> found;
        for (const lua::notice& one : told) {
            if (one.what == what) {
                found.push_back(one.text);
            }
        }
        return found;
    }

    [[nodiscard]] std::size_t count_of(lua::notice::kind what) const { return texts(what).size(); }

    std::vector<lua::notice> told = {};
    lua::plugins plugins;
    int count = 0;
};

}  // namespace lua_bench
