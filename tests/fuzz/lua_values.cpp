#include <pyaichat/lua/plugins.hpp>

#include "fuzz.hpp"

#include <string>

namespace ai = pyaichat;

namespace {

constexpr ai::lua::sandbox limits{.memory = std::size_t{4} << 20, .instructions = 200'000, .time = std::chrono::seconds(10)};

ai::capability_reply returned(ai::lua::plugins& plugins, ai::json value) {
    ai::json arguments = ai::json::object();
    arguments["value"] = std::move(value);
    return plugins.call("echo", std::move(arguments));
}

}  // namespace

/// The bytes are JSON that goes through Lua and back, or otherwise a Lua expression whose value is read.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    if (const ai::result<ai::json> value = ai::parse_json(text)) {
        static ai::lua::plugins plugins({.sandbox = limits});
        static const bool added [[maybe_unused]] =
            plugins
                .add_text("echo.lua",
                          "return { name = 'echo', api = 1, capabilities = { { name = 'echo', description = 'x', "
                          "run = function(args) return args.value end } } }")
                .has_value();
        const ai::capability_reply once = returned(plugins, *value);
        if (once.ok()) {
            const ai::capability_reply twice = returned(plugins, once.result);
            fuzz::must(twice.ok() && ai::dump_json(twice.result) == ai::dump_json(once.result), "what came out goes through unchanged");
        }
        return 0;
    }
    ai::lua::plugins plugins({.sandbox = limits});
    if (plugins.add_text("value.lua",
                         "return { name = 'v', api = 1, capabilities = { { name = 'v', description = 'x', run = function() return " +
                             std::string(text) + "\nend } } }")) {
        const ai::capability_reply read = plugins.call("v", ai::json::object());
        fuzz::must(!read.ok() || !ai::nests_deeper_than(read.result, 32), "a result is no deeper than the limit");
    }
    return 0;
}
