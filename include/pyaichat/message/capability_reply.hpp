#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/schema/schema_error.hpp>

#include <span>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// Why a call has no result. The names are what the model reads in `error.code`.
enum class reply_code : unsigned char {
    ok,
    invalid_args,
    unknown_function,
    python_exception,
    internal,
    timeout,
    cancelled,
    denied,
    limit,
    repeated,
    abandoned,
    busy,
    not_allowed,
    plugin_error,
    in_doubt,
};

[[nodiscard]] std::string_view to_string(reply_code code) noexcept;

/// The reply to one call: a result, or an error that the model can act on.
struct capability_reply {
    reply_code code = reply_code::ok;
    json result = {};          ///< any JSON, when `code` is `ok`
    std::string message = {};  ///< for the model, otherwise
    json details = {};         ///< an object, a list of `{path, keyword, message}` for `invalid_args`, or null
    std::string note = {};     ///< the loop's remark beside a result; empty = none
    json truncated = {};       ///< `{"bytes": n}` when the loop has cut the result; null = whole

    [[nodiscard]] bool ok() const noexcept { return code == reply_code::ok; }

    /// `{"ok": true, "result": ...}` or `{"ok": false, "error": {"code", "message", "details"}}`: the one form that the model, events, the
    /// journal and hosts all see.
    [[nodiscard]] json envelope() const&;
    [[nodiscard]] json envelope() &&;

    friend bool operator==(const capability_reply&, const capability_reply&) = default;
};

[[nodiscard]] capability_reply reply_with(json result);
[[nodiscard]] capability_reply reply_error(reply_code code, std::string message, json details = {});

/// Arguments that do not fit: code `invalid_args`, with every reason in words and in `details`.
[[nodiscard]] capability_reply reply_invalid_args(std::span<const schema_error> errors);

/// A source's `result` as a reply: of a failure the model sees the hint (the message when there is none).
[[nodiscard]] capability_reply to_reply(result<json> outcome);

}  // namespace pyaichat::inline PYAICHAT_ABI
