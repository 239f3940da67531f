#pragma once
#include <pyaichat/core/result.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// A JSON value. Object keys are sorted, so equal values serialize to equal text.
using json = nlohmann::json;

/// The maximum nesting depth of a document. The limit keeps recursive code from overflowing the stack.
inline constexpr std::size_t max_json_depth = 128;

/// What becomes of one half of a surrogate pair, which JSON can escape and UTF-8 cannot store.
enum class lone_surrogates : unsigned char {
    replaced,  ///< by U+FFFD
    kept,      ///< as a private character, U+10F800 to U+10FFFF
};

/// Parses one JSON document. Never throws or recurses. Invalid UTF-8 becomes U+FFFD.
/// Fails with `bad_response` (not JSON; the message quotes the text) or `too_large` (nested deeper than `depth`).
[[nodiscard]] result<json> parse_json(std::string_view text, std::size_t depth = max_json_depth,
                                      lone_surrogates halves = lone_surrogates::replaced);

/// A limit for parsing texts of others: a parsed document may need thirty times its length. Several documents may share one.
struct json_budget {
    std::size_t values = 750'000;  ///< that may still be parsed, arrays and objects included; these need at most some 80 MB
    /// Called after each few thousand values. A failure ends the parsing.
    std::function<std::optional<failure>()> interrupted = {};
};

/// Parses one JSON document, and takes its values from the budget. Fails like the other `parse_json`, with `too_large` if the budget is
/// spent, or with the failure of `json_budget::interrupted`.
[[nodiscard]] result<json> parse_json(std::string_view text, json_budget& budget, lone_surrogates halves = lone_surrogates::replaced);

/// Serializes a value: compact, or with `indent` spaces per level. Never throws. Invalid UTF-8 becomes U+FFFD. NaN, infinities and
/// everything nested deeper than `max_json_depth` become `null`.
[[nodiscard]] std::string dump_json(const json& value, int indent = -1);

/// Returns whether a value nests deeper than `depth` levels.
[[nodiscard]] bool nests_deeper_than(const json& value, std::size_t depth) noexcept;

/// Returns the member `key`, or null if `object` is not an object or has no such member.
[[nodiscard]] const json* find_member(const json& object, std::string_view key) noexcept;

/// Returns the value if it has the requested type, else `nullopt`. An integer out of range also gives `nullopt`. A float without a
/// fraction counts as an integer, because every number of a protobuf `Struct` arrives as a double.
[[nodiscard]] std::optional<std::string_view> as_string(const json& value) noexcept;
[[nodiscard]] std::optional<bool> as_bool(const json& value) noexcept;
[[nodiscard]] std::optional<std::int64_t> as_integer(const json& value) noexcept;
[[nodiscard]] std::optional<double> as_number(const json& value) noexcept;

/// Returns the member `key` if it exists and has the requested type, else `nullopt`.
[[nodiscard]] std::optional<std::string_view> string_member(const json& object, std::string_view key) noexcept;
[[nodiscard]] std::optional<bool> bool_member(const json& object, std::string_view key) noexcept;
[[nodiscard]] std::optional<std::int64_t> integer_member(const json& object, std::string_view key) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI
