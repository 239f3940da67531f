#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/http_transport.hpp>
#include <pyaichat/testing/service_refusal.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A response of the Responses API that the emulated service wrote.
struct openai_written_response {
    std::string id = {};
    json input = json::array();  ///< the items that preceded it
    json output = json::array();
    bool stored = true;  ///< false: `previous_response_id` does not find it, nor its items without their content
};

/// The emulated service: what it knows, and what it demands beyond OpenAI.
struct openai_service {
    std::string api_key = "test-key";  ///< empty = none is needed
    std::vector<std::string> models = {"gpt-5.4-mini", "gpt-5.6-terra", "gpt-6-astra"};
    /// Models that take functions only with `reasoning_effort: "none"`.
    std::vector<std::string> models_without_reasoning = {"gpt-5.6-terra"};
    /// Models that take no functions at all.
    std::vector<std::string> models_without_functions = {"gpt-6-astra"};
    bool nine_character_ids = false;        ///< as Mistral: ids of nine letters or digits, and no user message after replies
    bool answer_schemas_alone = false;      ///< refuses a schema of the answer beside functions
    bool takes_images = true;               ///< false: the models see no images, and a request with one is refused
    bool any_last_message = false;          ///< accepts a conversation that ends with the assistant
    std::string demanded_member = {};       ///< a member that each assistant message must have, as `reasoning_content` of DeepSeek
    std::string demanded_call_member = {};  ///< a member that the first call of each message must have, as `extra_content` of Gemini
    std::vector<openai_written_response> written = {};  ///< oldest first; the emulator adds each response that it sends
};

/// Validates a request for `POST {base}/chat/completions`, `POST {base}/responses` or `GET {base}/models` as strictly as the service does,
/// and returns its refusal. Texts are the service's own where they are known. `base` is the path of the base URL.
///
/// In the input of a response, each item that the service wrote must come back unchanged, and reasoning together with the item that
/// followed it. Items of unknown types are accepted if the service wrote them.
[[nodiscard]] std::optional<service_refusal> check_openai_request(std::string_view method, std::string_view target,
                                                                  const std::vector<http_header>& headers, std::string_view body,
                                                                  const openai_service& service = {}, std::string_view base = "/v1");

/// Makes the body of an error response. An empty `param` or `code` is null.
[[nodiscard]] json openai_error_body(std::string_view message, std::string_view type = "invalid_request_error", std::string_view param = {},
                                     std::string_view code = {});

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
