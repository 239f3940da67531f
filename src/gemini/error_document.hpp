#pragma once
#include <pyaichat/core/json.hpp>

#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

[[nodiscard]] inline bool contains(std::string_view text, std::string_view piece) noexcept {
    return text.find(piece) != std::string_view::npos;
}

/// The contents of an error document.
struct service_error {
    int code = 0;  ///< HTTP status; 0 = unknown
    std::string message = {};
    std::string status = {};
    std::string reason = {};  ///< of an ErrorInfo
    bool daily = false;       ///< a daily quota is exhausted
    std::optional<duration> retry_after = {};
};

/// Returns the `error` of an error document, or null. The document may be in an array, as in a stream without `alt=sse`.
[[nodiscard]] const json* error_member(const json& document);

/// Reads a `google.rpc.Status`. Proxies nest errors in the `message` of another error: the innermost error is returned.
[[nodiscard]] service_error read_error(const json& error);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
