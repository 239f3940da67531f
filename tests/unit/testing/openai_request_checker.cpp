#include <pyaichat/testing/openai_request_checker.hpp>

#include "catch.hpp"

#include <functional>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace openai_request_checker_tests {
using ai::json;

namespace {

const std::vector<ai::http_header> headers = {{"Authorization", "Bearer test-key"}, {"Content-Type", "application/json"}};

/// Two parallel calls with their replies, and a text after them.
json legal_request() {
    return *ai::parse_json(R"({
        "model": "gpt-5.4-mini", "stream": true, "stream_options": {"include_usage": true}, "temperature": 0.5, "tool_choice": "auto",
        "messages": [
            {"role": "system", "content": "Be terse."},
            {"role": "user", "content": "Weather and time?"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "aaaaaaaaa", "type": "function", "function": {"name": "get_weather", "arguments": "{\"city\": \"Paris\"}"}},
                {"id": "bbbbbbbbb", "type": "function", "function": {"name": "get_time", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "bbbbbbbbb", "content": "23:15"},
            {"role": "tool", "tool_call_id": "aaaaaaaaa", "content": "clear"}],
        "tools": [
            {"type": "function", "function": {"name": "get_weather", "description": "Weather.", "strict": true, "parameters":
                {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": false}}},
            {"type": "function", "function": {"name": "get_time", "description": "Time."}}]})");
}

std::optional<fake::service_refusal> check(const json& body, const fake::openai_service& service = {}) {
    return fake::check_openai_request("POST", "/v1/chat/completions", headers, ai::dump_json(body), service);
}

json& message(json& request, std::size_t index) {
    return request["messages"][index];
}

struct mutant {
    const char* name;
    std::function<void(json&)> change;
    const char* text;  ///< a piece of the refusal
};

std::vector<mutant> mutants() {
    return {
        {"unknown member", [](json& r) { r["foo"] = 1; }, "Unrecognized request argument supplied: foo"},
        {"no model", [](json& r) { r.erase("model"); }, "Missing required parameter: 'model'."},
        {"no messages", [](json& r) { r.erase("messages"); }, "Missing required parameter: 'messages'."},
        {"empty messages", [](json& r) { r["messages"] = json::array(); }, "Invalid 'messages': empty array."},
        {"unknown model", [](json& r) { r["model"] = "gpt-0"; }, "The model `gpt-0` does not exist"},
        {"options without stream", [](json& r) { r["stream"] = false; }, "only allowed when 'stream' is enabled"},
        {"temperature above 2", [](json& r) { r["temperature"] = 99; }, "decimal above maximum value"},
        {"no tokens", [](json& r) { r["max_tokens"] = 0; }, "integer below minimum value"},
        {"empty tools", [](json& r) { r["tools"] = json::array(); }, "Invalid 'tools'"},
        {"choice without tools", [](json& r) { r.erase("tools"); }, "'tool_choice' is only allowed when 'tools' are specified."},
        {"name with a dot", [](json& r) { r["tools"][0]["function"]["name"] = "a.b"; }, "string does not match pattern"},
        {"two of a name", [](json& r) { r["tools"][1]["function"]["name"] = "get_weather"; }, "Duplicate function name"},
        {"schema of a text", [](json& r) { r["tools"][0]["function"]["parameters"]["type"] = "string"; }, "got 'type: \"string\"'"},
        {"strict, open object", [](json& r) { r["tools"][0]["function"]["parameters"].erase("additionalProperties"); },
         "'additionalProperties' is required to be supplied and to be false."},
        {"strict, optional property", [](json& r) { r["tools"][0]["function"]["parameters"].erase("required"); }, "Missing 'city'."},
        {"flat tool", [](json& r) { r["tools"][0] = json::object({{"type", "function"}, {"name", "f"}}); }, "Unknown parameter"},
        {"unknown format", [](json& r) { r["response_format"] = json::object({{"type", "xml"}}); }, "Invalid value: 'xml'"},
        {"answer without a schema",
         [](json& r) { r["response_format"] = json::object({{"type", "json_schema"}, {"json_schema", json::object({{"name", "a"}})}}); },
         "Missing required parameter: 'response_format.json_schema.schema'."},
        {"answer of a text",
         [](json& r) {
             r["response_format"] =
                 *ai::parse_json(R"({"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "string"}}})");
         },
         "got 'type: \"string\"'"},
        {"answer with a length",
         [](json& r) {
             r["response_format"] = *ai::parse_json(R"({"type": "json_schema", "json_schema": {"name": "a", "strict": true, "schema":
                 {"type": "object", "properties": {"x": {"type": "string", "minLength": 1}}, "required": ["x"],
                  "additionalProperties": false}}})");
         },
         "In context=('properties', 'x'), 'minLength' is not permitted."},
        {"unknown choice", [](json& r) { r["tool_choice"] = "any"; }, "Supported values are"},
        {"role of Gemini", [](json& r) { message(r, 1)["role"] = "model"; }, "Invalid value: 'model'. Supported values are"},
        {"second system message", [](json& r) { message(r, 1)["role"] = "system"; }, "only accepted at the start"},
        {"missing reply", [](json& r) { r["messages"].erase(4); }, "did not have response messages: aaaaaaaaa"},
        {"text between calls and replies", [](json& r) { r["messages"].insert(r["messages"].begin() + 3, message(r, 1)); },
         "did not have response messages"},
        {"reply without a call", [](json& r) { message(r, 4)["tool_call_id"] = "c"; }, "preceeding message with 'tool_calls'"},
        {"two replies to a call", [](json& r) { message(r, 4)["tool_call_id"] = "bbbbbbbbb"; }, "Duplicate value for 'tool_call_id'"},
        {"two calls of an id", [](json& r) { message(r, 2)["tool_calls"][1]["id"] = "aaaaaaaaa"; }, "Duplicate tool call id"},
        {"call without an id", [](json& r) { message(r, 2)["tool_calls"][1].erase("id"); }, "Missing required parameter"},
        {"long id", [](json& r) { message(r, 2)["tool_calls"][1]["id"] = std::string(41, 'x'); }, "string with length 41 instead"},
        {"call with an index", [](json& r) { message(r, 2)["tool_calls"][1]["index"] = 1; }, "Unknown parameter"},
        {"arguments of an object", [](json& r) { message(r, 2)["tool_calls"][1]["function"]["arguments"] = json::object(); },
         "invalid tool call arguments"},
        {"arguments of nothing", [](json& r) { message(r, 2)["tool_calls"][1]["function"]["arguments"] = ""; },
         "invalid tool call arguments"},
        {"empty calls", [](json& r) { message(r, 2)["tool_calls"] = json::array(); }, "tool_calls': empty array"},
        {"neither text nor calls", [](json& r) { message(r, 2).erase("tool_calls"); }, "must contain either 'content' or 'tool_calls'"},
        {"reasoning to OpenAI", [](json& r) { message(r, 2)["reasoning_content"] = "x"; }, "Unknown parameter"},
        {"reply of an object", [](json& r) { message(r, 4)["content"] = json::object(); }, "expected a string"},
        {"question of an object", [](json& r) { message(r, 1)["content"] = json::object(); }, "expected one of a string or array"},
        {"assistant at the end", [](json& r) { r["messages"].push_back(json::object({{"role", "assistant"}, {"content", "x"}})); },
         "Expected last role User or Tool"},
    };
}

}  // namespace

TEST_CASE("a legal request to OpenAI is accepted") {
    const auto refused = check(legal_request());
    INFO((refused ? refused->message() : ""));
    CHECK_FALSE(refused);
    CHECK_FALSE(fake::check_openai_request("GET", "/v1/models", headers, ""));
}

TEST_CASE("every mutant of a legal request to OpenAI is refused with its text") {
    for (const mutant& one : mutants()) {
        CAPTURE(one.name);
        json request = legal_request();
        one.change(request);
        const auto refused = check(request);
        REQUIRE(refused);
        CHECK(refused->message().find(one.text) != std::string::npos);
        CHECK(refused->status >= 400);
    }
}

TEST_CASE("to OpenAI, a wrong path, key, header or body is refused before anything else") {
    const auto status = [](const char* method, const char* target, std::vector<ai::http_header> given, const char* body) {
        return fake::check_openai_request(method, target, given, body)->status;
    };
    CHECK(status("POST", "/chat/completions", headers, "{}") == 404);
    CHECK(status("GET", "/v1/chat/completions", headers, "{}") == 404);
    CHECK(status("POST", "/v1/chat/completions", {}, "{}") == 401);
    CHECK(status("POST", "/v1/chat/completions", {{"Authorization", "Bearer other"}}, "{}") == 401);
    CHECK(status("GET", "/v1/models", {{"Authorization", "Bearer "}}, "") == 401);
    CHECK(status("POST", "/v1/chat/completions", {headers[0]}, "{}") == 415);
    CHECK(status("POST", "/v1/chat/completions", headers, "no JSON") == 400);
}

TEST_CASE("a service may demand more, or take functions only without reasoning") {
    json request = legal_request();
    CHECK_FALSE(check(request, {.nine_character_ids = true}));
    request["messages"].push_back(json::object({{"role", "user"}, {"content", "and?"}}));
    CHECK(check(request, {.nine_character_ids = true})->message() == "Unexpected role 'user' after role 'tool'");
    CHECK(check(request, {.demanded_member = "reasoning_content"})->message().find("must be passed back") != std::string::npos);
    CHECK(check(request, {.demanded_call_member = "extra_content"})->message().find("thought_signature") != std::string::npos);
    request["messages"][2]["tool_calls"][0]["id"] = "call_1";
    CHECK(check(request, {.nine_character_ids = true})->message().find("with a length of 9") != std::string::npos);

    json thinking = legal_request();
    thinking["model"] = "gpt-5.6-terra";
    CHECK(check(thinking)->message().find("set reasoning_effort to 'none'") != std::string::npos);
    thinking["reasoning_effort"] = "none";
    CHECK_FALSE(check(thinking));
    thinking["model"] = "gpt-6-astra";
    CHECK(check(thinking)->message().find("does not support 'none'") != std::string::npos);
}

}  // namespace openai_request_checker_tests
