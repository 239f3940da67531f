#include <pyaichat/testing/anthropic_request_checker.hpp>

#include "testing/anthropic_emulator/anthropic_rules.hpp"
#include "testing/emulation/loopback_server.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

service_refusal refuse_request(int status, std::string_view type, std::string_view message) {
    return {status, anthropic_error_body(type, message)};
}

bool has_model(const anthropic_service& service, std::string_view model) {
    return std::find(service.models.begin(), service.models.end(), model) != service.models.end();
}

std::optional<service_refusal> check_headers(const std::vector<http_header>& headers, const anthropic_service& service) {
    const std::string version = header_value(headers, "anthropic-version");
    if (version.empty()) {
        return refuse_request(400, "invalid_request_error", "anthropic-version: header is required");
    }
    const auto sent = std::count_if(headers.begin(), headers.end(),
                                    [](const http_header& one) { return detail::equals_ignoring_case(one.name, "anthropic-version"); });
    if (sent > 1 || std::find(service.versions.begin(), service.versions.end(), version) == service.versions.end()) {
        return refuse_request(400, "invalid_request_error",
                              "anthropic-version: \"" + version + (sent > 1 ? ", " + version : "") + "\" is not a valid version");
    }
    std::string key = header_value(headers, "x-api-key");
    if (const std::string bearer = header_value(headers, "Authorization"); key.empty() && bearer.starts_with("Bearer ")) {
        key = bearer.substr(7);
    }
    if (key.empty()) {
        return refuse_request(401, "authentication_error", "x-api-key header is required");
    }
    return key == service.api_key ? std::optional<service_refusal>() : refuse_request(401, "authentication_error", "API key is invalid.");
}

std::optional<service_refusal> check_body(std::string_view body, bool counting, std::string_view version,
                                          const anthropic_service& service) {
    const result<json> parsed = parse_json(body);
    if (!parsed || !parsed->is_object()) {
        return refuse_request(400, "invalid_request_error", "The request body is not valid JSON");
    }
    const auto refused = [](anthropic_violation wrong) {
        return wrong ? std::optional(refuse_request(400, "invalid_request_error", *wrong)) : std::nullopt;
    };
    if (auto wrong = refused(check_anthropic_shape(*parsed, counting))) {
        return wrong;
    }
    const std::string model(*string_member(*parsed, "model"));
    if (!has_model(service, model)) {
        return refuse_request(404, "not_found_error", "model: " + model);
    }
    if (auto wrong = refused(check_anthropic_tools(*parsed, version))) {
        return wrong;
    }
    if (auto wrong = refused(check_anthropic_output(*parsed))) {
        return wrong;
    }
    if (auto wrong = refused(check_anthropic_history(*parsed))) {
        return wrong;
    }
    if (auto wrong = refused(check_anthropic_images(*parsed))) {
        return wrong;
    }
    return refused(check_anthropic_thinking(*parsed, service));
}

}  // namespace

json anthropic_error_body(std::string_view type, std::string_view message, json details) {
    json error = {{"type", type}, {"message", message}};
    if (!details.is_null()) {
        error["details"] = std::move(details);
    }
    return {{"type", "error"}, {"error", std::move(error)}, {"request_id", "req_emulated"}};
}

std::optional<service_refusal> check_anthropic_request(std::string_view method, std::string_view target,
                                                       const std::vector<http_header>& headers, std::string_view body,
                                                       const anthropic_service& service) {
    const std::string_view path = target.substr(0, target.find('?'));
    const bool counting = path == "/v1/messages/count_tokens";
    const bool posts = path == "/v1/messages" || counting;
    constexpr std::string_view models = "/v1/models";
    const bool reads = path.starts_with(models) && (path.size() == models.size() || path[models.size()] == '/');
    if (!posts && !reads) {
        return refuse_request(404, "not_found_error", "Not Found");
    }
    if (method != (posts ? "POST" : "GET")) {
        return refuse_request(405, "invalid_request_error", "Method Not Allowed");
    }
    if (auto wrong = check_headers(headers, service)) {
        return wrong;
    }
    if (posts) {
        return check_body(body, counting, header_value(headers, "anthropic-version"), service);
    }
    const std::string_view model = path.size() > models.size() ? path.substr(models.size() + 1) : std::string_view();
    return model.empty() || has_model(service, model) ? std::optional<service_refusal>()
                                                      : refuse_request(404, "not_found_error", "model: " + std::string(model));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
