#include "agent/storage/failure_json.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

json written(const failure& error) {
    json out = json::object();
    out["code"] = std::string(to_string(error.code));
    out["message"] = error.message;
    out["hint"] = error.hint;
    if (error.retry_after) {
        out["retry_after"] = error.retry_after->count();
    }
    return out;
}

failure read_failure(const json_fields& from) {
    failure error{.code = from.word("code", errc::too_large), .message = from.text("message"), .hint = from.text("hint")};
    if (from.has("retry_after")) {
        error.retry_after = from.span("retry_after");
    }
    return error;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
