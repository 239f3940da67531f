#include <pyaichat/testing/gemini_request_checker.hpp>

#include "testing/gemini_history.hpp"
#include "testing/gemini_rules.hpp"
#include "testing/gemini_shape.hpp"
#include "testing/loopback_server.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline v0::testing {

namespace {

constexpr std::string_view generate = ":generateContent";

json detail(const char* type) {
    json out = json::object();
    out["@type"] = std::string("type.googleapis.com/google.rpc.") + type;
    return out;
}

gemini_refusal refuse(int status, std::string_view name, std::string_view message, json details = json::array()) {
    return {status, gemini_error_body(status, name, message, std::move(details))};
}

gemini_refusal invalid_argument(std::string_view message) {
    return refuse(400, "INVALID_ARGUMENT", message);
}

/// `/{version}/models/{model}` with or without `:generateContent`.
struct endpoint {
    std::string_view version = {};
    std::string_view model = {};
    bool generates = false;
};

std::optional<endpoint> parse_path(std::string_view path) {
    for (const std::string_view version : {"v1", "v1beta"}) {
        const std::string prefix = "/" + std::string(version) + "/models/";
        if (path.starts_with(prefix)) {
            endpoint out;
            out.version = version;
            out.model = path.substr(prefix.size());
            out.generates = out.model.ends_with(generate);
            out.model.remove_suffix(out.generates ? generate.size() : 0);
            if (out.model.empty() || out.model.find_first_of("/:") != std::string_view::npos) {
                return std::nullopt;
            }
            return out;
        }
    }
    return std::nullopt;
}

std::optional<gemini_refusal> check_key(const std::vector<http_header>& headers, const gemini_service& service) {
    const std::string key = header_value(headers, "x-goog-api-key");
    if (key.empty()) {
        return refuse(
            403, "PERMISSION_DENIED",
            "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API "
            "consumer identity to call this API.");
    }
    if (key != service.api_key) {
        constexpr const char* text = "API key not valid. Please pass a valid API key.";
        json info = detail("ErrorInfo");
        info["reason"] = "API_KEY_INVALID";
        info["domain"] = "googleapis.com";
        info["metadata"]["service"] = "generativelanguage.googleapis.com";
        json localized = detail("LocalizedMessage");
        localized["locale"] = "en-US";
        localized["message"] = text;
        json details = json::array();
        details.push_back(std::move(info));
        details.push_back(std::move(localized));
        return refuse(400, "INVALID_ARGUMENT", text, std::move(details));
    }
    return std::nullopt;
}

std::optional<gemini_refusal> check_shape(const json& request) {
    const std::vector<gemini_violation> found = check_gemini_shape(request);
    if (found.empty()) {
        return std::nullopt;
    }
    std::string message;
    json bad = detail("BadRequest");
    bad["fieldViolations"] = json::array();
    for (const gemini_violation& one : found) {
        message += (message.empty() ? "" : "\n") + one.description;
        json violation = json::object();
        violation["field"] = one.field;
        violation["description"] = one.description;
        bad["fieldViolations"].push_back(std::move(violation));
    }
    json details = json::array();
    details.push_back(std::move(bad));
    return refuse(400, "INVALID_ARGUMENT", message, std::move(details));
}

std::optional<gemini_refusal> check_model(const endpoint& wanted, const gemini_service& service) {
    if (std::find(service.models.begin(), service.models.end(), wanted.model) != service.models.end()) {
        return std::nullopt;
    }
    return refuse(
        404, "NOT_FOUND",
        "models/" + std::string(wanted.model) + " is not found for API version " + std::string(wanted.version) +
            ", or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.");
}

}  // namespace

std::string gemini_refusal::message() const {
    const json* error = find_member(body, "error");
    return error == nullptr ? std::string() : std::string(string_member(*error, "message").value_or(""));
}

json gemini_error_body(int code, std::string_view status, std::string_view message, json details) {
    json error = json::object();
    error["code"] = code;
    error["message"] = std::string(message);
    error["status"] = std::string(status);
    if (!details.empty()) {
        error["details"] = std::move(details);
    }
    json body = json::object();
    body["error"] = std::move(error);
    return body;
}

std::optional<gemini_refusal> check_gemini_request(std::string_view method, std::string_view path, const std::vector<http_header>& headers,
                                                   std::string_view body, const gemini_service& service) {
    const std::optional<endpoint> wanted = parse_path(path);
    if (!wanted || method != (wanted->generates ? "POST" : "GET")) {
        return refuse(404, "NOT_FOUND", "Requested entity was not found.");
    }
    if (std::optional<gemini_refusal> found = check_key(headers, service)) {
        return found;
    }
    if (!wanted->generates) {
        return check_model(*wanted, service);
    }
    const result<json> request = parse_json(body);
    if (!request) {
        return invalid_argument("Invalid JSON payload received. " + request.error().message);
    }
    if (std::optional<gemini_refusal> found = check_shape(*request)) {
        return found;
    }
    if (std::optional<gemini_refusal> found = check_model(*wanted, service)) {
        return found;
    }
    if (const std::optional<std::string> found = check_gemini_fields(*request)) {
        return invalid_argument(*found);
    }
    const json& contents = *proto_member(*request, "contents");
    if (const std::optional<std::string> found = check_gemini_history(contents)) {
        return invalid_argument(*found);
    }
    if (const std::optional<std::string> found = check_gemini_signatures(contents, service.issued_signatures)) {
        return invalid_argument(*found);
    }
    if (const std::optional<std::string> found = check_gemini_abilities(*request, wanted->model)) {
        return invalid_argument(*found);
    }
    return std::nullopt;
}

}  // namespace pyaichat::inline v0::testing
