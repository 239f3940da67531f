#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/http_transport.hpp>
#include <pyaichat/testing/gemini_profile.hpp>
#include <pyaichat/testing/service_refusal.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// The state of the emulated service: key, models, rules and issued signatures.
struct gemini_service {
    std::string api_key = "test-key";
    std::vector<std::string> models = {"gemini-3.8-flash"};  ///< without `models/`; a tuned model as `tunedModels/NAME`
    std::optional<gemini_profile> profile = {};              ///< for all models; by default the model's name decides
    /// Signatures that the service has issued, each with its part. A signature that comes back in another part is refused as corrupted.
    std::multimap<std::string, json> issued_signatures = {};

    /// Returns the profile for a model: `profile` if set, else the profile for the model's name.
    [[nodiscard]] gemini_profile profile_of(std::string_view model) const { return profile ? *profile : gemini_profile_of_model(model); }
};

/// Validates a request as the service does, without a socket. Returns the refusal, or nothing if the request is valid. Checks in this
/// order: path and method, key, JSON, members, types and enums (collects all violations), model, required fields and names, history,
/// signatures, abilities of the model. `target` is the path with the query:
/// `/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse`.
///
/// The messages are the service's own where they are known, else ours (for ids and names of replies, duplicate names, members in two
/// spellings, numbers out of range, the schema of an answer). A key in the URL is refused although the service accepts it.
[[nodiscard]] std::optional<service_refusal> check_gemini_request(std::string_view method, std::string_view target,
                                                                  const std::vector<http_header>& headers, std::string_view body,
                                                                  const gemini_service& service = {});

/// Makes the body of an error response: `{"error": {code, message, status, details}}`. Empty `details` are left out.
[[nodiscard]] json gemini_error_body(int code, std::string_view status, std::string_view message, json details = json::array());

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
