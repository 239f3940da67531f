#include <pyaichat/core/text.hpp>
#include <pyaichat/lua/plugins.hpp>

#include "fuzz.hpp"

#include <string>

namespace ai = pyaichat;

/// The bytes are a plugin's file: it is loaded or refused, always in time, and what it declares can be sent to a service.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ai::lua::plugins plugins({.sandbox = {.memory = std::size_t{1} << 20, .instructions = 200'000, .time = std::chrono::seconds(10)}});
    const ai::result<void> added = plugins.add_text("fuzz.lua", std::string(fuzz::text_of(data, size)));
    if (!added) {
        const ai::failure& error = added.error();
        fuzz::must(error.message.starts_with("fuzz.lua:"), "a refusal says in which file");
        fuzz::must(ai::detail::is_utf8(error.message) && ai::detail::is_utf8(error.hint), "a refusal is UTF-8");
        fuzz::must(ai::detail::one_line(error.message, error.message.size()) == error.message,
                   "a refusal is one line without control characters");
        fuzz::must(plugins.specs()->empty() && plugins.describe().empty(), "what is refused is not there");
        return 0;
    }
    const ai::capability_list declared = plugins.specs().value();
    for (const ai::capability_spec& spec : declared) {
        fuzz::must(!spec.name.empty() && spec.name.size() <= 48, "a name is short");
        fuzz::must(spec.from == ai::provenance::file, "a plugin's capability comes from a file");
        fuzz::must(spec.parameters.is_null() || spec.parameters.is_object(), "parameters are a schema of an object");
    }
    static_cast<void>(plugins.reload());
    return 0;
}
