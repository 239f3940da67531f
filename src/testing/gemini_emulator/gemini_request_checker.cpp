#include <pyaichat/testing/gemini_request_checker.hpp>

#include <pyaichat/core/text.hpp>

#include "testing/emulation/loopback_server.hpp"
#include "testing/gemini_emulator/gemini_rules.hpp"
#include "testing/gemini_emulator/gemini_target.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

service_refusal refuse(int status, std::string_view name, std::string_view message, json details = json::array()) {
    return {status, gemini_error_body(status, name, message, std::move(details))};
}

service_refusal invalid_argument(std::string_view message) {
    return refuse(400, "INVALID_ARGUMENT", message);
}

service_refusal invalid_argument(const std::string& message, const std::vector<gemini_violation>& violations) {
    json fields = json::array();
    for (const gemini_violation& violation : violations) {
        fields.push_back(json{{"field", violation.field}, {"description", violation.description}});
    }
    const json details = {{"@type", "type.googleapis.com/google.rpc.BadRequest"}, {"fieldViolations", std::move(fields)}};
    return refuse(400, "INVALID_ARGUMENT", message, json::array({details}));
}

/// The service accepts `?key=`. The emulator refuses it, because it leaves the key in the logs of every proxy on the way.
std::optional<service_refusal> check_query(const gemini_target& target) {
    for (const auto& [name, value] : target.query) {
        if (name == "key") {
            return invalid_argument("The API key is in the URL, which ends up in logs. Send it in the header x-goog-api-key.");
        }
        const bool listing = target.method == gemini_method::list_models && (name == "pageSize" || name == "pageToken");
        if (name != "alt" && name != "prettyPrint" && !listing) {
            return invalid_argument("Invalid JSON payload received. Unknown name \"" + name + "\": Cannot bind query parameter. Field '" +
                                    name + "' could not be found in request message.");
        }
        if (name == "alt" && value != "json" && (value != "sse" || target.method != gemini_method::stream)) {
            return invalid_argument("Invalid value \"" + value + "\" for the query parameter alt.");
        }
    }
    return std::nullopt;
}

std::optional<service_refusal> check_key(const std::vector<http_header>& headers, const gemini_service& service) {
    const std::string key = header_value(headers, "x-goog-api-key");
    if (key.empty()) {
        return refuse(
            403, "PERMISSION_DENIED",
            "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API "
            "consumer identity to call this API.");
    }
    if (key != service.api_key) {
        constexpr const char* text = "API key not valid. Please pass a valid API key.";
        const json info = {{"@type", "type.googleapis.com/google.rpc.ErrorInfo"},
                           {"reason", "API_KEY_INVALID"},
                           {"domain", "googleapis.com"},
                           {"metadata", {{"service", "generativelanguage.googleapis.com"}}}};
        const json localized = {{"@type", "type.googleapis.com/google.rpc.LocalizedMessage"}, {"locale", "en-US"}, {"message", text}};
        return refuse(400, "INVALID_ARGUMENT", text, json::array({info, localized}));
    }
    return std::nullopt;
}

std::optional<service_refusal> check_shape(std::string_view text, const json& request, std::string_view message_name) {
    const std::vector<gemini_violation> found = check_gemini_shape(text, request, message_name);
    std::string message;
    for (const gemini_violation& violation : found) {
        message += (message.empty() ? "" : "\n") + violation.description;
    }
    return found.empty() ? std::nullopt : std::optional(invalid_argument(message, found));
}

/// One line per violation, with the name of the message.
std::optional<service_refusal> report(const std::vector<gemini_violation>& found, const std::string& message_name) {
    std::string message;
    for (const gemini_violation& violation : found) {
        message += "* " + message_name + "." + violation.field + ": " + violation.description + "\n";
    }
    return found.empty() ? std::nullopt : std::optional(invalid_argument(message, found));
}

std::optional<service_refusal> check_model(const gemini_target& target, const gemini_service& service) {
    if (std::find(service.models.begin(), service.models.end(), target.model) != service.models.end()) {
        return std::nullopt;
    }
    const std::string name = (target.model.starts_with("tunedModels/") ? "" : "models/") + target.model;
    const std::string method = target.method == gemini_method::count_tokens ? "countTokens" : "generateContent";
    return refuse(404, "NOT_FOUND",
                  name + " is not found for API version " + target.version + ", or is not supported for " + method +
                      ". Call ListModels to see the list of available models and their supported methods.");
}

std::optional<service_refusal> check_count(const json& request) {
    const json& contents = proto_member(request, "contents");
    const json& whole = proto_member(request, "generateContentRequest");
    if (!contents.is_null() && !whole.is_null()) {
        return invalid_argument("Only one of contents and generate_content_request can be set.");
    }
    if (whole.is_null()) {
        return report(check_gemini_contents(contents), "CountTokensRequest");
    }
    if (proto_text(whole, "model").empty()) {
        return invalid_argument("* CountTokensRequest.generate_content_request.model: model is not specified\n");
    }
    return report(check_gemini_fields(whole), "CountTokensRequest.generate_content_request");
}

std::optional<service_refusal> check_generate(const json& request, const gemini_target& target, const gemini_service& service) {
    const gemini_profile profile = service.profile_of(target.model);
    if (std::optional<service_refusal> found = report(check_gemini_fields(request), "GenerateContentRequest")) {
        return found;
    }
    if (!calling_config(request).is_null() && !declares_functions(request)) {
        return invalid_argument("Function calling config is set without function_declarations.");
    }
    const json& contents = proto_member(request, "contents");
    std::optional<std::string> found = check_gemini_history(contents, profile);
    if (!found && profile.requires_signatures) {
        found = check_gemini_signatures(contents, service.issued_signatures);
    }
    if (!found) {
        found = check_gemini_abilities(request, target.model, profile, target.method == gemini_method::stream);
    }
    return found ? std::optional(invalid_argument(*found)) : std::nullopt;
}

std::optional<service_refusal> check_page(const gemini_target& target) {
    const std::string_view size = target.parameter("pageSize").value_or("50");
    if (size.empty() || !std::all_of(size.begin(), size.end(), detail::is_digit)) {
        return invalid_argument("Invalid value at 'page_size' (TYPE_INT32), \"" + std::string(size) + "\"");
    }
    const std::string_view token = target.parameter("pageToken").value_or("");
    if (!token.empty() && !token.starts_with(page_token_prefix)) {
        return invalid_argument("Invalid page token.");
    }
    return std::nullopt;
}

}  // namespace

json gemini_error_body(int code, std::string_view status, std::string_view message, json details) {
    json error = {{"code", code}, {"message", std::string(message)}, {"status", std::string(status)}};
    if (!details.empty()) {
        error["details"] = std::move(details);
    }
    return {{"error", std::move(error)}};
}

std::optional<service_refusal> check_gemini_request(std::string_view method, std::string_view target,
                                                    const std::vector<http_header>& headers, std::string_view body,
                                                    const gemini_service& service) {
    const std::optional<gemini_target> parsed = parse_gemini_target(method, target);
    if (!parsed) {
        return refuse(404, "NOT_FOUND", "Requested entity was not found.");
    }
    if (std::optional<service_refusal> found = check_query(*parsed)) {
        return found;
    }
    if (std::optional<service_refusal> found = check_key(headers, service)) {
        return found;
    }
    if (parsed->method == gemini_method::list_models) {
        return check_page(*parsed);
    }
    if (parsed->method == gemini_method::describe_model) {
        return check_model(*parsed, service);
    }
    const result<json> request = parse_json(body);
    if (!request) {
        return invalid_argument("Invalid JSON payload received. " + request.error().message);
    }
    const bool counts = parsed->method == gemini_method::count_tokens;
    if (std::optional<service_refusal> found = check_shape(body, *request, counts ? "CountTokensRequest" : "GenerateContentRequest")) {
        return found;
    }
    if (std::optional<service_refusal> found = check_model(*parsed, service)) {
        return found;
    }
    return counts ? check_count(*request) : check_generate(*request, *parsed, service);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
