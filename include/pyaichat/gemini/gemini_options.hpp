#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/net/https.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// The model that is asked when nobody chooses one.
inline constexpr const char* default_gemini_model = "gemini-3.8-flash";

/// How the model thinks before it answers. Models before Gemini 3 take a budget, Gemini 4 takes a level, Gemini 3 takes either; both
/// together are refused.
struct gemini_thinking {
    std::optional<bool> include_thoughts = {};  ///< summaries of the thoughts come as `thought_delta` and `thought_part`
    std::optional<int> budget = {};             ///< tokens; -1 = as the model likes, 0 = off where that can be had
    std::string level = {};                     ///< `MINIMAL`, `LOW`, `MEDIUM`, `HIGH`
};

/// The request's `generationConfig`. What is not set is not sent: from Gemini 3.6 on some of these are refused, and the service's own
/// values are the better ones.
struct gemini_generation {
    std::optional<double> temperature = {};
    std::optional<double> top_p = {};
    std::optional<int> top_k = {};
    std::optional<int> max_output_tokens = {};  ///< thinking included
    std::vector<std::string> stop_sequences = {};
    std::optional<int> candidate_count = {};
    std::optional<int> seed = {};
    std::optional<double> presence_penalty = {};
    std::optional<double> frequency_penalty = {};
    std::string response_mime_type = {};  ///< `application/json`
    json response_json_schema = {};       ///< null = none
    std::string media_resolution = {};    ///< `MEDIA_RESOLUTION_LOW`
    gemini_thinking thinking = {};
    json more = {};  ///< an object: members that have no name here, sent as they are
};

/// One entry of `safetySettings`: `{"HARM_CATEGORY_HARASSMENT", "BLOCK_ONLY_HIGH"}`. At most one for a category.
struct gemini_safety {
    std::string category = {};
    std::string threshold = {};
};

/// Whether the model may, must or must not call functions, unless the request (`model_request::mode`) says otherwise.
enum class gemini_tool_mode : unsigned char {
    automatic,  ///< `AUTO`: as the model likes
    any,        ///< `ANY`: it must, once: after the replies to its calls it may answer
    none,       ///< `NONE`
    validated,  ///< `VALIDATED`: as the model likes, arguments held to the schema by the service
};

/// Whether the ids of calls go back to the service.
enum class gemini_call_ids : unsigned char {
    automatic,  ///< where the service sent one
    never,      ///< for proxies and old routes that refuse the member
};

/// The form in which the parameters of functions are declared.
enum class gemini_parameters : unsigned char {
    json_schema,  ///< `parametersJsonSchema`: as the capability declares them
    closed,       ///< `parameters`: the closed subset that old routes and proxies want; a schema that it cannot express is an error
};

struct gemini_options {
    std::string api_key = {};                  ///< sent in the header `x-goog-api-key`, and nowhere else
    std::string model = default_gemini_model;  ///< with or without `models/`
    std::string base_url = "https://generativelanguage.googleapis.com";
    std::string api_version = "v1beta";
    std::string key_variable = "GEMINI_API_KEY";  ///< named in texts for a person when the key is rejected
    std::string model_variable = "GEMINI_MODEL";  ///< named in texts for a person when the model is unknown
    bool stream = true;                           ///< `streamGenerateContent`: the text is shown while it comes
    gemini_generation generation = {};
    std::vector<gemini_safety> safety = {};
    gemini_tool_mode tool_mode = gemini_tool_mode::automatic;
    std::vector<std::string> allowed_functions = {};  ///< with `any` and `validated`: only these; empty = all that are declared
    gemini_call_ids call_ids = gemini_call_ids::automatic;
    gemini_parameters parameters = gemini_parameters::json_schema;
    std::size_t max_response_bytes = std::size_t{64} << 20;
    net::https_options https = {};  ///< proxy and CA file of the library's own transport
};

}  // namespace pyaichat::inline PYAICHAT_ABI
