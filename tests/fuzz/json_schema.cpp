#include <pyaichat/core/text.hpp>
#include <pyaichat/schema/schema_profiles.hpp>
#include <pyaichat/schema/validate.hpp>

#include "fuzz.hpp"

#include <string_view>
#include <vector>

namespace ai = pyaichat;

namespace {

void check(const ai::json& schema, const ai::json& value, const ai::schema_options& options) {
    const ai::result<ai::compiled_schema> compiled = ai::compile_schema(schema, options);
    if (!compiled) {
        fuzz::must(!compiled.error().message.empty() && ai::detail::is_utf8(compiled.error().message), "a refusal says why, in UTF-8");
        return;
    }
    const std::vector<ai::schema_error> errors = ai::validate(*compiled, value);
    fuzz::must(errors.size() <= ai::max_schema_errors, "there are few errors");
    for (const ai::schema_error& error : errors) {
        fuzz::must(error.path.empty() || error.path.front() == '/', "a path is a JSON Pointer");
        fuzz::must(!error.keyword.empty() && !error.message.empty(), "an error says what is wrong");
        fuzz::must(ai::detail::is_utf8(error.path) && ai::detail::is_utf8(error.message), "an error is UTF-8");
    }
    fuzz::must(ai::validate(*compiled, value) == errors, "the same value has the same errors");
}

/// What the full schema accepts, the reduced one accepts.
void check_reduced(const ai::json& schema, const ai::json& value) {
    const ai::schema_options options{.max_steps = 20'000};
    const ai::result<ai::compiled_schema> full = ai::compile_schema(schema, options);
    const bool fits = full && ai::validate(*full, value).empty();
    for (ai::schema_profile profile : {ai::schema_profiles::openai, ai::schema_profiles::gemini, ai::schema_profiles::llamacpp}) {
        profile.object_root = value.is_object();
        profile.max_schemas = 200;
        const ai::reduced_schema small = ai::reduce_schema(schema, profile);
        const ai::result<ai::compiled_schema> reduced = ai::compile_schema(small.schema);
        fuzz::must(!full || reduced, "a reduced schema is valid");
        const std::vector<ai::schema_error> errors = fits ? ai::validate(*reduced, value) : std::vector<ai::schema_error>();
        fuzz::must(errors.empty(), "a reduced schema accepts what the full one accepts");
    }
}

}  // namespace

/// The first line is a schema, the rest a value; without a value the schema is applied to itself.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    const std::size_t line = text.find('\n');
    const ai::result<ai::json> schema = ai::parse_json(text.substr(0, line));
    if (!schema) {
        return 0;
    }
    const ai::result<ai::json> value = line == std::string_view::npos ? schema : ai::parse_json(text.substr(line + 1));
    if (!value) {
        return 0;
    }
    // Few steps, so that an input is slow only when a limit does not hold.
    check(*schema, *value, {.max_steps = 20'000});
    check(*schema, *value, {.check = false, .formats = true, .max_steps = 20'000});
    check_reduced(*schema, *value);
    return 0;
}
