#include <pyaichat/testing/anthropic_request_checker.hpp>

#include "catch.hpp"

#include <functional>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;

namespace {

const std::vector<ai::http_header> headers = {{"x-api-key", "test-key"}, {"anthropic-version", "2023-06-01"}};

json parsed(std::string_view text) {
    return ai::parse_json(text).value_or(json());  // before `main`, nothing can be required
}

const json first_request = parsed(R"({"model":"claude-haiku-5-5","max_tokens":1024,"system":"Be terse.",
    "tools":[{"name":"f","description":"F.","input_schema":{"type":"object","properties":{}}}],
    "messages":[{"role":"user","content":"q"}]})");
const json first_content = parsed(R"([{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"redacted_thinking","data":"abc"},
    {"type":"text","text":""},{"type":"tool_use","id":"toolu_1","name":"f","input":{"x":1}},
    {"type":"tool_use","id":"toolu_2","name":"f","input":{}}])");

/// A service that has written `first_content`.
fake::anthropic_service service() {
    fake::anthropic_service out;
    out.written.push_back({first_request, first_content});
    return out;
}

/// The second request of a run, as a good client sends it.
json second_request() {
    json out = first_request;
    json content = first_content;
    content.erase(2);
    out["messages"].push_back({{"role", "assistant"}, {"content", content}});
    out["messages"].push_back({{"role", "user"}, {"content", parsed(R"([{"type":"tool_result","tool_use_id":"toolu_1","content":"1"},
        {"type":"tool_result","tool_use_id":"toolu_2","content":"no","is_error":true},{"type":"text","text":"Go on."}])")}});
    return out;
}

std::string refusal_of(const json& request, std::string_view target = "/v1/messages") {
    const auto refused = fake::check_anthropic_request("POST", target, headers, ai::dump_json(request), service());
    return refused ? std::to_string(refused->status) + " " + refused->message() : "";
}

}  // namespace

TEST_CASE("what a good client sends is accepted") {
    CHECK(refusal_of(first_request).empty());
    CHECK(refusal_of(second_request()).empty());
    json counting = second_request();
    counting.erase("max_tokens");
    CHECK(refusal_of(counting, "/v1/messages/count_tokens").empty());
    CHECK_FALSE(fake::check_anthropic_request("GET", "/v1/models?limit=1000", headers, "", service()));
    CHECK_FALSE(fake::check_anthropic_request("GET", "/v1/models/claude-haiku-5-5", headers, "", service()));
    const std::vector<ai::http_header> bearer = {{"Authorization", "Bearer test-key"}, {"anthropic-version", "2026-10-21"}};
    CHECK_FALSE(fake::check_anthropic_request("POST", "/v1/messages", bearer, ai::dump_json(first_request), service()));
}

TEST_CASE("every mutant of a good request is refused for its own reason") {
    struct mutant {
        const char* reason;
        std::function<void(json&)> change;
    };
    const auto assistant = [](json& request) -> json& { return request["messages"][1]["content"]; };
    const auto results = [](json& request) -> json& { return request["messages"][2]["content"]; };
    const std::vector<mutant> mutants = {
        {"max_tokens: Field required", [](json& r) { r.erase("max_tokens"); }},
        {"max_tokens: Input should be a valid integer", [](json& r) { r["max_tokens"] = "many"; }},
        {"max_tokens: Input should be greater than or equal to 1", [](json& r) { r["max_tokens"] = 0; }},
        {"model: Field required", [](json& r) { r.erase("model"); }},
        {"model: claude-9", [](json& r) { r["model"] = "claude-9"; }},
        {"output_config.formats: Extra inputs are not permitted", [](json& r) { r["output_config"] = {{"formats", 1}}; }},
        {"output_config.effort: Input should be", [](json& r) { r["output_config"] = {{"effort", "huge"}}; }},
        {"output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
         [](json& r) { r["output_config"]["format"] = {{"type", "json_schema"}, {"schema", {{"type", "object"}}}}; }},
        {"output_config.format.schema: For 'integer' type, property 'minimum' is not supported",
         [](json& r) { r["output_config"]["format"] = {{"type", "json_schema"}, {"schema", {{"type", "integer"}, {"minimum", 1}}}}; }},
        {"output_config.format.schema: Recursive schemas are not supported",
         [](json& r) {
             r["output_config"]["format"] = {{"type", "json_schema"},
                                             {"schema", parsed(R"({"$ref": "#/$defs/a", "$defs": {"a": {"type": "array",
                                                 "items": {"$ref": "#/$defs/a"}}}})")}};
         }},
        {"instructions: Extra inputs are not permitted", [](json& r) { r["instructions"] = "x"; }},
        {"messages: Input should be a valid list", [](json& r) { r["messages"] = "x"; }},
        {"messages: at least one message is required", [](json& r) { r["messages"] = json::array(); }},
        {"messages: first message must use the \"user\" role", [](json& r) { r["messages"].erase(0); }},
        {"messages.0.role: Input should be 'user', 'assistant' or 'system'", [](json& r) { r["messages"][0]["role"] = "tool"; }},
        {"messages.0.name: Extra inputs are not permitted", [](json& r) { r["messages"][0]["name"] = "x"; }},
        {"messages.0: all messages must have non-empty content", [](json& r) { r["messages"][0]["content"] = ""; }},
        {"messages: text content blocks must be non-empty", [&](json& r) { results(r).push_back({{"type", "text"}, {"text", ""}}); }},
        {"messages: text content blocks must contain non-whitespace text",
         [&](json& r) { results(r).push_back({{"type", "text"}, {"text", " \n"}}); }},
        {"must end with a user message", [](json& r) { r["messages"].push_back({{"role", "assistant"}, {"content", "So"}}); }},
        {"messages.1.content.2.tool_use.foo: Extra inputs are not permitted", [&](json& r) { assistant(r)[2]["foo"] = 1; }},
        {"messages.1.content.2.tool_use.input: Input should be a valid dictionary", [&](json& r) { assistant(r)[2]["input"] = "{}"; }},
        {"messages.1.content.2.tool_use.id: Field required", [&](json& r) { assistant(r)[2].erase("id"); }},
        {"String should match pattern '^[a-zA-Z0-9_-]+$'", [&](json& r) { assistant(r)[2]["id"] = "functions.f:0"; }},
        {"`tool_use` ids must be unique", [&](json& r) { assistant(r)[3]["id"] = "toolu_1"; }},
        {"unexpected `tool_use_id` found in `tool_result` blocks: toolu_9", [&](json& r) { results(r)[0]["tool_use_id"] = "toolu_9"; }},
        {"`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1", [&](json& r) { results(r).erase(0); }},
        {"`tool_use` ids were found without `tool_result` blocks immediately after: toolu_2",
         [&](json& r) { std::swap(results(r)[1], results(r)[2]); }},
        {"each tool_use must have a single result", [&](json& r) { results(r)[1]["tool_use_id"] = "toolu_1"; }},
        {"content cannot be empty if `is_error` is true", [&](json& r) { results(r)[1]["content"] = ""; }},
        {"must define tools", [](json& r) { r.erase("tools"); }},
        {"tools.0.custom.name: String should match pattern", [](json& r) { r["tools"][0]["name"] = "a.b"; }},
        {"tools.0.custom.input_schema.type: Field required", [](json& r) { r["tools"][0]["input_schema"].erase("type"); }},
        {"tools.0.custom.input_schema.type: Input should be 'object'", [](json& r) { r["tools"][0]["input_schema"]["type"] = "array"; }},
        {"does not support oneOf, allOf, or anyOf", [](json& r) { r["tools"][0]["input_schema"]["anyOf"] = json::array(); }},
        {"tools.0.custom.parameters: Extra inputs are not permitted", [](json& r) { r["tools"][0]["parameters"] = json::object(); }},
        {"Tool names must be unique", [](json& r) { r["tools"].push_back(json(r["tools"][0])); }},
        {"Too many strict tools (21)",
         [](json& r) {
             for (int i = 0; i < 21; ++i) {
                 json tool = r["tools"][0];
                 tool["name"] = "t" + std::to_string(i);
                 tool["strict"] = true;
                 r["tools"].push_back(std::move(tool));
             }
         }},
        {"does not support forced tool use", [](json& r) { r["tool_choice"] = {{"type", "any"}}; }},
        {"does not support sampling parameters", [](json& r) { r["temperature"] = 1; }},
        {"\"thinking.type.enabled\" is not supported", [](json& r) { r["thinking"] = {{"type", "enabled"}, {"budget_tokens", 2048}}; }},
        {"messages.1.content.0: Invalid `signature` in `thinking` block", [&](json& r) { assistant(r)[0]["signature"] = ""; }},
        {"cannot be modified", [&](json& r) { assistant(r)[0]["thinking"] = "Hm."; }},
        {"cannot be modified", [&](json& r) { std::swap(assistant(r)[0], assistant(r)[1]); }},
        {"messages.1.content.0: `thinking` or `redacted_thinking` blocks", [&](json& r) { assistant(r).erase(0); }},
        {"bound to a different conversation", [](json& r) { r["system"] = "Be verbose."; }},
        {"bound to a different conversation", [](json& r) { r["tools"][0]["description"] = "G."; }},
        {"bound to a different conversation", [](json& r) { r["messages"][0]["content"] = "Another q."; }},
        {"`tool_result` blocks are not allowed in `assistant` messages", [&](json& r) { assistant(r).push_back(json(results(r)[0])); }},
        {"does not match any of the expected tags", [&](json& r) { results(r).push_back({{"type", "function"}}); }},
    };
    for (const mutant& one : mutants) {
        json request = second_request();
        one.change(request);
        const std::string refusal = refusal_of(request);
        CAPTURE(one.reason, refusal);
        CHECK(refusal.find(one.reason) != std::string::npos);
    }
}

TEST_CASE("thinking that is left out altogether is accepted, and older models do not bind it") {
    json request = second_request();
    request["messages"][1]["content"].erase(0);
    request["messages"][1]["content"].erase(0);
    request["system"] = "Be verbose.";
    CHECK(refusal_of(request).empty());
    fake::anthropic_service older = service();
    older.binds_thinking = false;
    json changed = second_request();
    changed["system"] = "Be verbose.";
    CHECK_FALSE(fake::check_anthropic_request("POST", "/v1/messages", headers, ai::dump_json(changed), older));
}

TEST_CASE("path, method, version and key are checked first") {
    const auto refusal = [](const char* method, const char* target, const std::vector<ai::http_header>& sent) {
        const auto refused = fake::check_anthropic_request(method, target, sent, "no JSON");
        REQUIRE(refused);
        return std::to_string(refused->status) + " " + refused->message();
    };
    CHECK(refusal("POST", "/v1/v1/messages", headers) == "404 Not Found");
    CHECK(refusal("GET", "/v1/messages", headers) == "405 Method Not Allowed");
    CHECK(refusal("POST", "/v1/messages", {}) == "400 anthropic-version: header is required");
    CHECK(refusal("POST", "/v1/messages", {{"anthropic-version", "2023-10-01"}}) ==
          "400 anthropic-version: \"2023-10-01\" is not a valid version");
    CHECK(refusal("POST", "/v1/messages", {{"anthropic-version", "2023-06-01"}, {"Anthropic-Version", "2023-06-01"}}) ==
          "400 anthropic-version: \"2023-06-01, 2023-06-01\" is not a valid version");
    CHECK(refusal("POST", "/v1/messages", {{"anthropic-version", "2023-06-01"}}) == "401 x-api-key header is required");
    CHECK(refusal("POST", "/v1/messages", {{"anthropic-version", "2023-06-01"}, {"x-api-key", "x"}}) == "401 API key is invalid.");
    CHECK(refusal("POST", "/v1/messages", headers) == "400 The request body is not valid JSON");
    CHECK(refusal("GET", "/v1/models/unknown", headers) == "404 model: unknown");
}
