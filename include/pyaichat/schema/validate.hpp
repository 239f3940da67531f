#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/result.hpp>
#include <pyaichat/schema/schema_error.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {
struct schema_program;
}

/// How a schema is compiled.
struct schema_options {
    /// Check the schema, and each document that it refers to, against the meta-schema that its `$schema` names.
    bool check = true;
    /// Check the formats date, time, date-time, ipv4, ipv6, uuid, json-pointer and regex. Otherwise, and for every other format, `format`
    /// is an annotation, as the specification has it.
    bool formats = false;
    /// Where the schema came from: what its relative references are relative to when it has no `$id`.
    std::string base_uri = {};
    /// What `$ref` and `$schema` may refer to besides the schema itself and the meta-schemas of draft 2020-12, by absolute URI without
    /// fragment. Nothing is ever fetched.
    std::map<std::string, json, std::less<>> documents = {};
    /// How much work one validation may be, in schemas applied (patterns and comparisons are charged by what they cost; a million is some
    /// 50 ms). A value for which that is not enough does not fit.
    std::uint64_t max_steps = 20'000'000;
};

/// A JSON Schema of draft 2020-12, ready to be applied. Immutable, cheap to copy, and safe to use from several threads at once.
class compiled_schema {
public:
    compiled_schema(const compiled_schema&) = default;  // a move copies: there is no empty state
    compiled_schema& operator=(const compiled_schema&) = default;
    ~compiled_schema() = default;

    explicit compiled_schema(std::shared_ptr<const detail::schema_program> program) noexcept;
    [[nodiscard]] const detail::schema_program& program() const noexcept { return *program_; }

private:
    std::shared_ptr<const detail::schema_program> program_;
};

/// The most that `validate` reports about one value.
inline constexpr std::size_t max_schema_errors = 8;

/// Compiles a schema once, to be applied often. Any thread; terminates on any input. Fails with `invalid_argument` (the message says where
/// in the schema and what is wrong: the meta-schema, a pattern that the engine cannot take, a `$ref` that leads back to itself, a dialect
/// that is not known), `not_found` (a reference to nothing) or `too_large` (nested deeper than `max_json_depth`).
[[nodiscard]] result<compiled_schema> compile_schema(const json& schema, const schema_options& options = {});

/// Why `value` does not fit, at most `max_schema_errors` reasons; none when it does. Any thread; terminates on any value: one that nests
/// deeper than `max_json_depth`, or needs more than `max_steps`, is refused with the keyword "limit".
[[nodiscard]] std::vector<schema_error> validate(const compiled_schema& schema, const json& value);

}  // namespace pyaichat::inline PYAICHAT_ABI
