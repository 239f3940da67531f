#include <pyaichat/testing/openai_request_checker.hpp>

#include "testing/emulation/loopback_server.hpp"
#include "testing/openai_emulator/openai_rules.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

std::optional<service_refusal> check_key(const std::vector<http_header>& headers, const openai_service& service) {
    if (service.api_key.empty()) {
        return std::nullopt;
    }
    constexpr std::string_view scheme = "Bearer ";
    const std::string value = header_value(headers, "Authorization");
    if (!value.starts_with(scheme) || value.size() == scheme.size()) {
        return service_refusal{401, openai_error_body("You didn't provide an API key.")};
    }
    const std::string key = value.substr(scheme.size());
    if (key != service.api_key) {
        return service_refusal{401, openai_error_body("Incorrect API key provided: " + key + ". You can find your API key in your account.",
                                                      "invalid_request_error", {}, "invalid_api_key")};
    }
    return std::nullopt;
}

std::optional<service_refusal> check_completion_request(const json& request, const openai_service& service) {
    if (auto refusal = check_openai_members(request)) {
        return refusal;
    }
    const std::string model(*string_member(request, "model"));
    if (std::find(service.models.begin(), service.models.end(), model) == service.models.end()) {
        return service_refusal{404, openai_error_body("The model `" + model + "` does not exist or you do not have access to it.",
                                                      "invalid_request_error", {}, "model_not_found")};
    }
    if (auto refusal = check_openai_tools(request, service)) {
        return refusal;
    }
    if (auto refusal = check_openai_answer(request, service)) {
        return refusal;
    }
    return check_openai_history(*find_member(request, "messages"), service);
}

std::optional<service_refusal> check_response_request(const json& request, const openai_service& service) {
    if (auto refusal = check_response_members(request)) {
        return refusal;
    }
    const std::string model(*string_member(request, "model"));
    if (std::find(service.models.begin(), service.models.end(), model) == service.models.end()) {
        return openai_invalid("The requested model '" + model + "' does not exist.", "model", "model_not_found");
    }
    if (auto refusal = check_response_tools(request, service)) {
        return refusal;
    }
    if (auto refusal = check_openai_answer(request, service)) {
        return refusal;
    }
    return check_response_input(request, service);
}

}  // namespace

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

service_refusal openai_invalid(std::string_view message, std::string_view param, std::string_view code) {
    return {400, openai_error_body(message, "invalid_request_error", param, code)};
}

std::optional<service_refusal> check_openai_request(std::string_view method, std::string_view target,
                                                    const std::vector<http_header>& headers, std::string_view body,
                                                    const openai_service& service, std::string_view base) {
    const bool lists = method == "GET" && target == std::string(base) + "/models";
    const bool completes = method == "POST" && target == std::string(base) + "/chat/completions";
    const bool responds = method == "POST" && target == std::string(base) + "/responses";
    if (!lists && !completes && !responds) {
        return service_refusal{404, openai_error_body("Invalid URL (" + std::string(method) + " " + std::string(target) + ")")};
    }
    if (auto refusal = check_key(headers, service); refusal || lists) {
        return refusal;
    }
    if (!header_value(headers, "Content-Type").starts_with("application/json")) {
        return service_refusal{415, openai_error_body("Unsupported Media Type: use application/json.")};
    }
    const result<json> request = parse_json(body);
    const json body_sent = request ? *request : json();
    if (!body_sent.is_object()) {
        return openai_invalid("We could not parse the JSON body of your request. The API expects a JSON payload.");
    }
    return responds ? check_response_request(body_sent, service) : check_completion_request(body_sent, service);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
