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

/// Options for `compile_schema`.
struct schema_options {
    /// Validate the schema, and each document that it refers to, against the meta-schema of its `$schema`.
    bool check = true;
    /// Validate the formats of the schema's draft. By default `format` is only an annotation.
    bool formats = false;
    /// The meta-schema of schemas without `$schema`: the URI of a draft, or of one of the `documents`.
    std::string dialect = "https://json-schema.org/draft/2020-12/schema";
    /// Refuse an unknown `$schema`. By default such a schema is read as draft 2020-12, and `compiled_schema::remarks` says so.
    bool strict_dialect = false;
    /// The base URI for relative references if the schema has no `$id`.
    std::string base_uri = {};
    /// Further documents for `$ref` and `$schema`, by absolute URI without fragment. The schema itself and the meta-schemas of the
    /// drafts are always known. A document without `$schema` has the dialect of the schema that refers to it. Nothing is ever fetched.
    std::map<std::string, json, std::less<>> documents = {};
    /// The work limit of one validation. One step is a schema applied to a value; patterns and comparisons are charged by their cost.
    /// A million steps take about 50 ms. A value that needs more steps does not fit.
    std::uint64_t max_steps = 20'000'000;
};

/// A compiled JSON Schema of draft-04, draft-06, draft-07, 2019-09 or 2020-12. Immutable, cheap to copy and thread-safe.
class compiled_schema {
public:
    compiled_schema(const compiled_schema&) = default;  // a move copies, so that there is no empty state
    compiled_schema& operator=(const compiled_schema&) = default;
    ~compiled_schema() = default;

    explicit compiled_schema(std::shared_ptr<const detail::schema_program> program) noexcept;
    /// Returns what a person should know about the schema although it was compiled, such as an unknown `$schema`. Usually empty.
    [[nodiscard]] const std::vector<std::string>& remarks() const noexcept;
    [[nodiscard]] const detail::schema_program& program() const noexcept { return *program_; }

private:
    std::shared_ptr<const detail::schema_program> program_;
};

/// The maximum number of errors that `validate` returns.
inline constexpr std::size_t max_schema_errors = 8;

/// Compiles a schema for `validate`. Thread-safe; terminates on any input. Fails with `invalid_argument` (not a valid schema, an
/// unsupported pattern, an endless `$ref`, or an unknown dialect if `strict_dialect` is set; the message says where), `not_found` (a
/// reference to nothing) or `too_large` (nested deeper than `max_json_depth`).
[[nodiscard]] result<compiled_schema> compile_schema(const json& schema, const schema_options& options = {});

/// Validates a value. Returns at most `max_schema_errors` errors; an empty list if the value fits. Thread-safe; terminates on any value.
/// A value nested deeper than `max_json_depth`, or that needs more than `max_steps`, gives an error with the keyword "limit".
[[nodiscard]] std::vector<schema_error> validate(const compiled_schema& schema, const json& value);

}  // namespace pyaichat::inline PYAICHAT_ABI
