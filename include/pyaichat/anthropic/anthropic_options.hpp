#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/net/https.hpp>
#include <pyaichat/policy/http_transport.hpp>
#include <pyaichat/schema/schema_profiles.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// The default of `anthropic_options::model`.
inline constexpr const char* default_anthropic_model = "claude-haiku-5-5";

/// How the model thinks before it answers. By default nothing is sent, and the model decides.
struct anthropic_thinking {
    std::string type = {};           ///< `adaptive`, `between_tools`, `disabled`, or `enabled` (models up to 4.6); empty = not sent
    std::optional<int> budget = {};  ///< tokens, with `enabled` only: at least 1024 and less than `max_tokens`
    std::string display = {};        ///< `summarized` (send summaries as `thought_delta` and `thought_part`) or `omitted`
    std::string effort = {};         ///< `low`, `medium`, `high`, `xhigh`, `max`; empty = not sent
};

/// The generation options of a request. Only members that are set are sent. Models from Claude 4.7 on refuse other sampling options than
/// their defaults.
struct anthropic_generation {
    std::optional<double> temperature = {};
    std::optional<double> top_p = {};
    std::optional<int> top_k = {};
    std::vector<std::string> stop_sequences = {};
    json response_schema = {};      ///< the answer must be JSON of this schema; null = none. That of a request replaces it
    std::string service_tier = {};  ///< `auto` or `standard_only`
    std::string user_id = {};       ///< `metadata.user_id`: an opaque id without personal data
    json more = {};                 ///< an object with further members of the request, sent unchanged
};

/// How long the service caches the prompt, so that the next step of a run costs less. A mark at the end of the prompt is sent.
enum class anthropic_cache : unsigned char {
    off,  ///< no mark: also for compatible servers that refuse `cache_control`
    five_minutes,
    one_hour,
};

/// The header that carries the API key.
enum class anthropic_auth : unsigned char {
    x_api_key,
    bearer,  ///< `Authorization: Bearer`
};

struct anthropic_options {
    std::string api_key = {};  ///< no message shows it; optional on loopback addresses
    std::string model = default_anthropic_model;
    std::string base_url = "https://api.anthropic.com";  ///< with or without `/v1`
    std::string version = "2023-06-01";                  ///< the header `anthropic-version`
    anthropic_auth auth = anthropic_auth::x_api_key;
    std::string key_variable = "ANTHROPIC_API_KEY";   ///< named in hints about the key
    std::string model_variable = "ANTHROPIC_MODEL";   ///< named in hints about an unknown model
    std::string url_variable = "ANTHROPIC_BASE_URL";  ///< named in hints about a wrong address
    bool stream = true;
    int max_tokens = 16'384;  ///< of one response, thinking included
    anthropic_thinking thinking = {};
    anthropic_generation generation = {};
    anthropic_cache cache = anthropic_cache::five_minutes;
    /// Declares functions as `strict`: the service enforces their schemas. Only functions whose schema forbids additional properties are
    /// declared so, and none if there are more than 20. `tool_mode::validated` does the same for one request.
    bool strict_tools = false;
    /// The schemas that the service accepts as parameters. Others are reduced to that; arguments are validated against the full schema.
    schema_profile parameters = schema_profiles::anthropic;
    bool parallel_calls = true;             ///< false: at most one call per response
    std::vector<http_header> headers = {};  ///< further headers, such as `anthropic-beta`
    std::size_t max_response_bytes = std::size_t{16} << 20;
    net::https_options https = {};  ///< for the default transport
};

}  // namespace pyaichat::inline PYAICHAT_ABI
