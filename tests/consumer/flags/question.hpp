#pragma once
/// What both halves of the mixed program do: the same templates and inline functions, once with exceptions and once without. Whose code the
/// linker keeps must not matter.
#include <pyaichat/pyaichat.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include <string>

namespace flags {

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

using agent = ai::basic_agent<fake::scripted_provider, ai::any_capabilities, ai::steady_clock, ai::inline_executor>;

/// Asks a model that calls `add`, first with arguments that do not fit, and then says what it has learned.
inline ai::answer ask(agent& someone) {
    return someone.ask("what is 40 and 2?").wait();
}

inline ai::any_capabilities adding() {
    return {ai::capability("add", "The sum.", [](int a, int b) { return a + b; }, ai::arg{"a"}, ai::arg{"b"})};
}

inline fake::scripted_provider counting() {
    return {fake::call("add", {{"a", "forty"}, {"b", 2}}), fake::call("add", {{"a", 40}, {"b", 2}}), fake::say("42")};
}

/// Reads what is no JSON, writes what is no UTF-8, and checks what does not fit: the ways on which others throw.
inline std::string read_write_and_check() {
    if (ai::parse_json("{\"a\": [1, 2") || ai::parse_json(std::string(100'000, '['))) {
        return "broken JSON was read";
    }
    if (ai::dump_json(ai::json("\xff")) != "\"\xEF\xBF\xBD\"") {
        return "broken UTF-8 was not mended";
    }
    const auto schema = ai::compile_schema({{"type", "object"}, {"properties", {{"a", {{"type", "integer"}, {"maximum", 3}}}}}});
    if (!schema || ai::validate(*schema, {{"a", 4}}).size() != 1 || !ai::validate(*schema, {{"a", 3}}).empty()) {
        return "the schema does not work";
    }
    if (ai::compile_schema({{"pattern", "("}})) {
        return "a broken pattern was compiled";
    }
    return {};
}

/// Empty when all is well, otherwise what is not. One function is compiled with exceptions, the other one without.
std::string with_exceptions();
std::string without_exceptions();

}  // namespace flags
