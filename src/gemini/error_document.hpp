#pragma once
#include <pyaichat/core/json.hpp>

#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

[[nodiscard]] inline bool contains(std::string_view text, std::string_view piece) noexcept {
    return text.find(piece) != std::string_view::npos;
}

/// What can be learned from an error document.
struct service_error {
    int code = 0;  ///< HTTP status; 0 = not said
    std::string message = {};
    std::string status = {};
    std::string reason = {};  ///< of an ErrorInfo
    bool daily = false;       ///< a quota that will not be back within a run
    std::optional<duration> retry_after = {};
};

/// The `error` of an error document, also of one in an array (the stream without `alt=sse` sends it so); null when it is none.
[[nodiscard]] const json* error_member(const json& document);

/// Takes a `google.rpc.Status` apart. Proxies wrap one in the message of another: the innermost one counts.
[[nodiscard]] service_error read_error(const json& error);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
