#include "testing/gemini_emulator/gemini_models.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::size_t default_page_size = 50;
constexpr std::size_t max_page_size = 1000;

std::size_t number_of(std::string_view text) {
    std::size_t out = 0;
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
}

/// The number of characters in all strings, without member names. `parse_json` has limited the recursion depth.
std::size_t characters(const json& value) {
    if (const auto text = as_string(value)) {
        return text->size();
    }
    std::size_t out = 0;
    for (const json& element : value) {
        out += element.is_structured() || element.is_string() ? characters(element) : 0;
    }
    return out;
}

}  // namespace

json gemini_model_document(std::string_view model) {
    const bool embeds = model.find("embedding") != std::string_view::npos;
    json out = json::object();
    out["name"] = (model.starts_with("tunedModels/") ? "" : "models/") + std::string(model);
    out["version"] = gemini_profile_of_model(model).name;
    out["displayName"] = "Emulated " + std::string(model);
    out["description"] = "Answers from a script.";
    out["inputTokenLimit"] = 1048576;
    out["outputTokenLimit"] = 65536;
    out["supportedGenerationMethods"] =
        embeds ? json::array({"embedContent"})
               : json::array({"generateContent", "countTokens", "createCachedContent", "batchGenerateContent"});
    out["temperature"] = 1;
    out["topP"] = 0.95;
    out["topK"] = 64;
    out["maxTemperature"] = 2;
    out["thinking"] = !embeds;
    return out;
}

json gemini_model_list(const gemini_service& service, const gemini_target& target) {
    std::string_view token = target.parameter("pageToken").value_or("");
    token.remove_prefix(std::min(token.size(), page_token_prefix.size()));
    const std::size_t requested = number_of(target.parameter("pageSize").value_or("0"));
    const std::size_t page = requested == 0 ? default_page_size : std::min(requested, max_page_size);
    const std::size_t begin = std::min(number_of(token), service.models.size());
    const std::size_t end = std::min(begin + page, service.models.size());
    json out = json::object();
    out["models"] = json::array();
    for (std::size_t index = begin; index < end; ++index) {
        out["models"].push_back(gemini_model_document(service.models[index]));
    }
    if (end < service.models.size()) {
        out["nextPageToken"] = std::string(page_token_prefix) + std::to_string(end);
    }
    return out;
}

json gemini_token_count(const json& request) {
    const std::size_t tokens = std::max<std::size_t>((characters(request) + 3) / 4, 1);
    json detail = json::object();
    detail["modality"] = "TEXT";
    detail["tokenCount"] = tokens;
    json out = json::object();
    out["totalTokens"] = tokens;
    out["promptTokensDetails"] = json::array();
    out["promptTokensDetails"].push_back(std::move(detail));
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
