#pragma once
#include <pyaichat/core/result.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// Keys are sorted: the same value always has the same text.
using json = nlohmann::json;

/// How deep a document may nest. Beyond it, code that walks a value by recursion would be at the mercy of whoever wrote the text.
inline constexpr std::size_t max_json_depth = 128;

/// Reads one JSON document. Never throws, never recurses. Bytes that are not UTF-8 and lone surrogates become U+FFFD.
/// Fails with `bad_response` (not JSON; the message says where) or `too_large` (nested deeper than `depth`).
[[nodiscard]] result<json> parse_json(std::string_view text, std::size_t depth = max_json_depth);

/// Writes a value as text: compact, or with `indent` spaces a level. Never throws: invalid UTF-8 becomes U+FFFD, NaN and infinities `null`,
/// and what nests deeper than `max_json_depth` becomes `null`.
[[nodiscard]] std::string dump_json(const json& value, int indent = -1);

/// Whether a value nests deeper than `depth` levels.
[[nodiscard]] bool nests_deeper_than(const json& value, std::size_t depth) noexcept;

/// The member `key`, or null when `object` is no object or has none.
[[nodiscard]] const json* find_member(const json& object, std::string_view key) noexcept;

/// The value as what it is asked for, or nothing when it is of another type. Integers out of range are nothing too; a float without a
/// fraction is an integer (every number of a protobuf `Struct` arrives as a double).
[[nodiscard]] std::optional<std::string_view> as_string(const json& value) noexcept;
[[nodiscard]] std::optional<bool> as_bool(const json& value) noexcept;
[[nodiscard]] std::optional<std::int64_t> as_integer(const json& value) noexcept;
[[nodiscard]] std::optional<double> as_number(const json& value) noexcept;

/// The same, of the member `key`.
[[nodiscard]] std::optional<std::string_view> string_member(const json& object, std::string_view key) noexcept;
[[nodiscard]] std::optional<bool> bool_member(const json& object, std::string_view key) noexcept;
[[nodiscard]] std::optional<std::int64_t> integer_member(const json& object, std::string_view key) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI
