#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/image.hpp>
#include <pyaichat/schema/schema_error.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// The kind of error that a call ended with, or `ok`. The model reads the name in `error.code`.
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
    suspended,  ///< no reply yet: see `suspend_call`
};

/// Returns the name of the enumerator, such as "invalid_args".
[[nodiscard]] std::string_view to_string(reply_code code) noexcept;

/// The reply to one call: a result, or an error that the model can act on.
struct capability_reply {
    reply_code code = reply_code::ok;
    json result = {};                ///< any JSON, if `code` is `ok`
    std::string message = {};        ///< of an error, for the model
    json details = {};               ///< of an error: an object, a list of `{path, keyword, message}` for `invalid_args`, or null
    std::string note = {};           ///< remark of the loop about a result; empty = none
    json truncated = {};             ///< `{"bytes": n}` if the loop has cut the result, else null
    std::vector<image> images = {};  ///< pictures for the model, beside the result; an error has none

    [[nodiscard]] bool ok() const noexcept { return code == reply_code::ok; }

    /// Returns the JSON that the model reads, without the images: `{"ok": true, "result": ...}` or `{"ok": false, "error": {"code",
    /// "message", "details"}}`.
    [[nodiscard]] json envelope() const& { return capability_reply(*this).envelope(); }
    [[nodiscard]] json envelope() &&;

    friend bool operator==(const capability_reply&, const capability_reply&) = default;
};

/// Returns the reply of a successful call.
[[nodiscard]] capability_reply reply_with(json result);
/// The same with pictures that the model sees.
[[nodiscard]] capability_reply reply_with(json result, std::vector<image> images);
/// Returns a reply with a picture. Its result names the MIME type and the size.
[[nodiscard]] capability_reply reply_with_image(image picture);

/// Returns an error reply. The model reads `message` and `details`.
[[nodiscard]] capability_reply reply_error(reply_code code, std::string message, json details = {});

/// Returns the reply with which a capability suspends its call: the run pauses, for days if need be, until `run::resume` gets the real
/// reply. `reason` says to a person what the call waits for. The model sees neither. A nested call cannot be suspended.
[[nodiscard]] capability_reply suspend_call(std::string reason = {});

/// Returns the error reply `invalid_args`, with all errors in the message and in `details`.
[[nodiscard]] capability_reply reply_invalid_args(std::span<const schema_error> errors);

/// Converts a `result` to a reply. For a failure, the model reads the hint, or the message if the hint is empty.
[[nodiscard]] capability_reply to_reply(result<json> outcome);

}  // namespace pyaichat::inline PYAICHAT_ABI
