#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/net/https.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// The default of `gemini_options::model`.
inline constexpr const char* default_gemini_model = "gemini-3.8-flash";

/// How the model thinks before it answers. Models before Gemini 3 take a budget, Gemini 4 a level, Gemini 3 either but not both.
struct gemini_thinking {
    std::optional<bool> include_thoughts = {};  ///< send summaries as `thought_delta` and `thought_part`
    std::optional<int> budget = {};             ///< tokens; -1 = the model decides, 0 = off if the model allows it
    std::string level = {};                     ///< `MINIMAL`, `LOW`, `MEDIUM`, `HIGH`
};

/// The `generationConfig` of a request. Only members that are set are sent. Prefer the defaults of the service: from Gemini 3.6 on, some
/// of these options are refused.
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
    json more = {};  ///< an object with further members, sent unchanged
};

/// One entry of `safetySettings`: `{"HARM_CATEGORY_HARASSMENT", "BLOCK_ONLY_HIGH"}`. At most one per category.
struct gemini_safety {
    std::string category = {};
    std::string threshold = {};
};

/// Whether the model may, must or must not call functions. `model_request::mode` overrides it.
enum class gemini_tool_mode : unsigned char {
    automatic,  ///< `AUTO`: the model decides
    any,        ///< `ANY`: the model must call first; after the replies it may answer
    none,       ///< `NONE`: no calls
    validated,  ///< `VALIDATED`: the model decides; the service validates the arguments
};

/// Whether call ids are sent back to the service.
enum class gemini_call_ids : unsigned char {
    automatic,  ///< if the service sent an id
    never,      ///< for proxies and old endpoints that refuse ids
};

/// How the parameters of functions are declared.
enum class gemini_parameters : unsigned char {
    json_schema,  ///< `parametersJsonSchema`: the schema of the capability
    closed,       ///< `parameters`: for proxies and old endpoints; see `closed_schema`
};

struct gemini_options {
    std::string api_key = {};                  ///< sent only in the header `x-goog-api-key`; no message shows it
    std::string model = default_gemini_model;  ///< with or without `models/`
    std::string base_url = "https://generativelanguage.googleapis.com";
    std::string api_version = "v1beta";
    std::string key_variable = "GEMINI_API_KEY";  ///< named in hints about the key
    std::string model_variable = "GEMINI_MODEL";  ///< named in hints about an unknown model
    bool stream = true;                           ///< use `streamGenerateContent`
    gemini_generation generation = {};
    std::vector<gemini_safety> safety = {};
    gemini_tool_mode tool_mode = gemini_tool_mode::automatic;
    std::vector<std::string> allowed_functions = {};  ///< with `any` and `validated`: only these; empty = all
    gemini_call_ids call_ids = gemini_call_ids::automatic;
    gemini_parameters parameters = gemini_parameters::json_schema;
    /// An object with further members of the request, in the service's own form, such as `{"tools": [{"googleSearch": {}}]}`. Elements of
    /// `tools` and `safetySettings` are appended to those of the SDK. Members of `toolConfig` and `generationConfig` are added to its own.
    /// Other members are sent unchanged. Requests fail with `invalid_argument` if the SDK or another option sets the same member:
    /// `contents`, `systemInstruction`, `model`, `functionDeclarations`, `functionCallingConfig`, or one that `generation` sets. Beside
    /// declared functions, `toolConfig` gets `includeServerSideToolInvocations` unless it is set here.
    json raw_members = {};
    std::size_t max_response_bytes = std::size_t{16} << 20;
    net::https_options https = {};  ///< for the default transport
};

}  // namespace pyaichat::inline PYAICHAT_ABI
