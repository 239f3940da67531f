#include <pyaichat/testing/openai_request_checker.hpp>

#include "testing/gemini_emulator/loopback_server.hpp"
#include "testing/openai_emulator/openai_rules.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

std::optional<openai_refusal> check_key(const std::vector<http_header>& headers, const openai_service& service) {
    if (service.api_key.empty()) {
        return std::nullopt;
    }
    constexpr std::string_view scheme = "Bearer ";
    const std::string value = header_value(headers, "Authorization");
    if (!value.starts_with(scheme) || value.size() == scheme.size()) {
        return openai_refusal{401, openai_error_body("You didn't provide an API key.")};
    }
    const std::string key = value.substr(scheme.size());
    if (key != service.api_key) {
        return openai_refusal{401, openai_error_body("Incorrect API key provided: " + key + ". You can find your API key in your account.",
                                                     "invalid_request_error", {}, "invalid_api_key")};
    }
    return std::nullopt;
}

std::optional<openai_refusal> check_body(const json& request, const openai_service& service) {
    if (!request.is_object()) {
        return openai_invalid("We could not parse the JSON body of your request. The API expects a JSON payload.");
    }
    if (auto refusal = check_openai_members(request)) {
        return refusal;
    }
    const std::string model(*string_member(request, "model"));
    if (std::find(service.models.begin(), service.models.end(), model) == service.models.end()) {
        return openai_refusal{404, openai_error_body("The model `" + model + "` does not exist or you do not have access to it.",
                                                     "invalid_request_error", {}, "model_not_found")};
    }
    if (auto refusal = check_openai_tools(request, service)) {
        return refusal;
    }
    return check_openai_history(*find_member(request, "messages"), service);
}

}  // namespace

std::string openai_refusal::message() const {
    const json* error = find_member(body, "error");
    return error != nullptr ? std::string(string_member(*error, "message").value_or("")) : std::string();
}

json openai_error_body(std::string_view message, std::string_view type, std::string_view param, std::string_view code) {
    const auto or_null = [](std::string_view text) { return text.empty() ? json() : json(std::string(text)); };
    json error = json::object();
    error["message"] = std::string(message);
    error["type"] = std::string(type);
    error["param"] = or_null(param);
    error["code"] = or_null(code);
    json out = json::object();
    out["error"] = std::move(error);
    return out;
}

openai_refusal openai_invalid(std::string_view message, std::string_view param, std::string_view code) {
    return {400, openai_error_body(message, "invalid_request_error", param, code)};
}

std::optional<openai_refusal> check_openai_request(std::string_view method, std::string_view target,
                                                   const std::vector<http_header>& headers, std::string_view body,
                                                   const openai_service& service, std::string_view base) {
    const bool lists = method == "GET" && target == std::string(base) + "/models";
    const bool completes = method == "POST" && target == std::string(base) + "/chat/completions";
    if (!lists && !completes) {
        return openai_refusal{404, openai_error_body("Invalid URL (" + std::string(method) + " " + std::string(target) + ")")};
    }
    if (auto refusal = check_key(headers, service); refusal || lists) {
        return refusal;
    }
    if (!header_value(headers, "Content-Type").starts_with("application/json")) {
        return openai_refusal{415, openai_error_body("Unsupported Media Type: use application/json.")};
    }
    const result<json> request = parse_json(body);
    return check_body(request ? *request : json(), service);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
