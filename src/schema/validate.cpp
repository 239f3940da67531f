#include <pyaichat/schema/validate.hpp>

#include "schema/evaluation.hpp"
#include "schema/schema_compiler.hpp"
#include "schema/schema_program.hpp"

namespace pyaichat::inline PYAICHAT_ABI {

compiled_schema::compiled_schema(std::shared_ptr<const detail::schema_program> program) noexcept : program_(std::move(program)) {
    PYAICHAT_ASSERT(program_ != nullptr, "a compiled schema comes from compile_schema");
}

const std::vector<std::string>& compiled_schema::remarks() const noexcept {
    return program_->remarks;
}

result<compiled_schema> compile_schema(const json& schema, const schema_options& options) {
    result<std::shared_ptr<const detail::schema_program>> program = detail::schema_compiler(options).run(schema);
    if (!program) {
        return program.error();
    }
    return compiled_schema(*std::move(program));
}

std::vector<schema_error> validate(const compiled_schema& schema, const json& value) {
    if (nests_deeper_than(value, max_json_depth)) {
        return {{"", "limit", "must not nest deeper than " + std::to_string(max_json_depth) + " levels"}};
    }
    const schema_error too_much{"", "limit", "must be simpler: checking it against the schema takes too long or leads too deep"};
    detail::evaluation first_pass(schema.program(), nullptr);
    if (first_pass.run(value)) {
        return {};
    }
    if (first_pass.gave_up()) {
        return {too_much};
    }
    // Collect errors in a second pass, because the first pass is faster without them.
    std::vector<schema_error> errors;
    detail::evaluation second_pass(schema.program(), &errors);
    static_cast<void>(second_pass.run(value));
    if (errors.empty()) {
        errors.push_back(too_much);
    }
    return errors;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
