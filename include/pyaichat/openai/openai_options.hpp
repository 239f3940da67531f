#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/net/https.hpp>
#include <pyaichat/openai/openai_profile.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// The interface of the service that requests use.
enum class openai_api : unsigned char {
    automatic,  ///< Responses for the models in `openai_profile::responses_models`, else Chat Completions
    chat,       ///< `POST /chat/completions`
    responses,  ///< `POST /responses`, without state at the service: encrypted reasoning goes back with each request
};

/// The generation options of a request. Only members that are set are sent. Prefer the defaults of the service: reasoning models refuse
/// most of them.
struct openai_generation {
    std::optional<double> temperature = {};
    std::optional<double> top_p = {};
    std::optional<int> max_output_tokens = {};  ///< reasoning included
    std::vector<std::string> stop_sequences = {};
    std::optional<int> seed = {};
    std::optional<double> presence_penalty = {};
    std::optional<double> frequency_penalty = {};
    /// `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`; empty = not sent. If a model refuses functions because of its default
    /// effort, the provider repeats the request once with `none`, and sends `none` from then on.
    std::string reasoning_effort = {};
    json response_schema = {};  ///< the answer must be JSON of this schema; null = none. That of a request replaces it
    std::string response_schema_name = "answer";
    json more = {};  ///< an object with further members, sent unchanged
};

struct openai_options {
    std::string api_key = {};   ///< sent only in the header `Authorization`; no message shows it. Optional on loopback addresses
    std::string model = {};     ///< empty = the profile's default
    std::string base_url = {};  ///< with the version, such as `http://localhost:8080/v1`; empty = the profile's
    openai_profile profile = {};
    openai_api api = openai_api::automatic;
    std::string key_variable = {};                 ///< named in hints about the key; empty = the profile's
    std::string model_variable = "OPENAI_MODEL";   ///< named in hints about an unknown model
    std::string url_variable = "OPENAI_BASE_URL";  ///< named in hints about a wrong address
    bool stream = true;
    openai_generation generation = {};
    std::vector<http_header> headers = {};  ///< further headers, such as `OpenAI-Organization`
    std::size_t max_response_bytes = std::size_t{16} << 20;
    net::https_options https = {};  ///< for the default transport
};

}  // namespace pyaichat::inline PYAICHAT_ABI
