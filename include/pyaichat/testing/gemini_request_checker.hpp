#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/http_transport.hpp>
#include <pyaichat/testing/gemini_profile.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// How the service refuses a request: an HTTP status, and a body with a `google.rpc.Status` in it.
struct gemini_refusal {
    int status = 400;
    json body = {};

    /// `error.message` of the body.
    [[nodiscard]] std::string message() const;
};

/// What the service is taken to know.
struct gemini_service {
    std::string api_key = "test-key";
    std::vector<std::string> models = {"gemini-3.8-flash"};  ///< without `models/`; a tuned one as `tunedModels/NAME`
    std::optional<gemini_profile> profile = {};              ///< for every model; otherwise each has the one that its name stands for
    /// Signatures that the service has given out, each with the part it came in. Sent back in another part, one is refused as corrupted.
    std::multimap<std::string, json> issued_signatures = {};

    [[nodiscard]] gemini_profile profile_of(std::string_view model) const { return profile ? *profile : gemini_profile_of_model(model); }
};

/// Judges one request the way the service does, without a socket: path and method, key, JSON, members and types and enums (all violations
/// collected), model, required fields and names, history, signatures, abilities of the model, in this order. Nothing when it is legal.
/// `target` is the path with the query, if there is one: `/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse`.
///
/// The texts are the service's own where they are known. Where nobody has reported one (a missing id echo, replies out of order, names
/// declared twice), the text is ours and says plainly what is wrong. One thing is refused that the service takes: a key in the URL.
[[nodiscard]] std::optional<gemini_refusal> check_gemini_request(std::string_view method, std::string_view target,
                                                                 const std::vector<http_header>& headers, std::string_view body,
                                                                 const gemini_service& service = {});

/// The body of an error response: `{"error": {code, message, status, details}}`; `details` is left out when it is empty.
[[nodiscard]] json gemini_error_body(int code, std::string_view status, std::string_view message, json details = json::array());

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
