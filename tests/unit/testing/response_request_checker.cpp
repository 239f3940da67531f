// The Responses API: what the emulator accepts and refuses.
#include <pyaichat/testing/openai_request_checker.hpp>

#include "catch.hpp"

#include <functional>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace response_request_checker_tests {
using ai::json;

namespace {

const std::vector<ai::http_header> headers = {{"Authorization", "Bearer test-key"}, {"Content-Type", "application/json"}};

json parsed(const char* text) {
    const auto value = ai::parse_json(text);
    REQUIRE(value);
    return *value;
}

/// A service that has written reasoning, a comment, a search and two calls.
fake::openai_service service_with_history() {
    fake::openai_service service;
    service.written.push_back(
        {.id = "resp_1", .input = parsed(R"([{"role": "user", "content": "Weather and time?"}])"), .output = parsed(R"([
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
        {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "phase": "commentary",
         "content": [{"type": "output_text", "text": "I look.", "annotations": []}]},
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search"}},
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "f", "arguments": "{}", "status": "completed"},
        {"type": "function_call", "id": "fc_2", "call_id": "call_2", "name": "g", "arguments": "{}", "status": "completed"}])")});
    return service;
}

/// The next request without state at the service.
json legal() {
    json request = parsed(R"({"model": "gpt-6-astra", "instructions": "Be terse.", "store": false, "stream": true,
        "include": ["reasoning.encrypted_content"], "reasoning": {"effort": "low"}, "tools": [
            {"type": "function", "name": "f", "description": "F.", "strict": false},
            {"type": "function", "name": "g", "parameters": {"type": "object", "properties": {}, "additionalProperties": false}}]})");
    const fake::openai_service service = service_with_history();
    request["input"] = service.written.front().input;
    for (const json& item : service.written.front().output) {
        request["input"].push_back(item);
    }
    request["input"].push_back(parsed(R"({"type": "function_call_output", "call_id": "call_2", "output": "23:15"})"));
    request["input"].push_back(parsed(R"({"type": "function_call_output", "call_id": "call_1", "output": "clear"})"));
    return request;
}

std::optional<fake::service_refusal> check(const json& body, const fake::openai_service& service = service_with_history()) {
    return fake::check_openai_request("POST", "/v1/responses", headers, ai::dump_json(body), service);
}

struct mutant {
    const char* name;
    std::function<void(json&)> change;
    const char* text;  ///< a piece of the refusal
};

void erase_item(json& request, std::size_t index) {
    request["input"].erase(index);
}

std::vector<mutant> mutants() {
    return {
        {"messages", [](json& r) { r["messages"] = r["input"]; }, "Unknown parameter: 'messages'."},
        {"limit of Chat Completions", [](json& r) { r["max_completion_tokens"] = 5; }, "Unknown parameter: 'max_completion_tokens'."},
        {"effort of Chat Completions", [](json& r) { r["reasoning_effort"] = "low"; }, "Unknown parameter: 'reasoning_effort'."},
        {"no model", [](json& r) { r.erase("model"); }, "Missing required parameter: 'model'."},
        {"no input", [](json& r) { r.erase("input"); }, "Missing required parameter: 'input'."},
        {"empty input", [](json& r) { r["input"] = json::array(); }, "Invalid 'input': empty array."},
        {"unknown model", [](json& r) { r["model"] = "gpt-0"; }, "The requested model 'gpt-0' does not exist."},
        {"unknown effort", [](json& r) { r["reasoning"]["effort"] = "huge"; }, "Invalid value: 'huge'"},
        {"effort that the model lacks", [](json& r) { r["reasoning"]["effort"] = "none"; },
         "is not supported with the 'gpt-6-astra' model"},
        {"unknown member of reasoning", [](json& r) { r["reasoning"]["budget"] = 1; }, "Unknown parameter: 'reasoning.budget'."},
        {"unknown include", [](json& r) { r["include"].push_back("all"); }, "Invalid value: 'all'"},
        {"no tokens", [](json& r) { r["max_output_tokens"] = 0; }, "integer below minimum value"},
        {"text for a flag", [](json& r) { r["store"] = "no"; }, "Invalid type for 'store'"},
        {"nested tool", [](json& r) { r["tools"][0] = parsed(R"({"type": "function", "function": {"name": "f"}})"); },
         "Missing required parameter: 'tools[0].name'."},
        {"unknown member of a tool", [](json& r) { r["tools"][0]["foo"] = 1; }, "Unknown parameter: 'tools[0].foo'."},
        {"strict by default", [](json& r) { r["tools"][1]["parameters"].erase("additionalProperties"); },
         "'additionalProperties' is required to be supplied and to be false."},
        {"two of a name", [](json& r) { r["tools"][1]["name"] = "f"; }, "Duplicate function name"},
        {"format of Chat Completions", [](json& r) { r["response_format"] = json::object(); }, "Unknown parameter: 'response_format'."},
        {"unknown format", [](json& r) { r["text"] = parsed(R"({"format": {"type": "xml"}})"); }, "Invalid value: 'xml'"},
        {"answer with a name of the world",
         [](json& r) { r["text"] = parsed(R"({"format": {"type": "json_schema", "name": "a b", "schema": {"type": "object"}}})"); },
         "'text.format.name': string does not match pattern"},
        {"unknown choice", [](json& r) { r["tool_choice"] = parsed(R"({"type": "function", "name": "h"})"); }, "not found in 'tools'"},
        {"unknown member of an item", [](json& r) { r["input"][0]["foo"] = 1; }, "Unknown parameter: 'input[0].foo'."},
        {"unknown role", [](json& r) { r["input"][0]["role"] = "tool"; }, "Invalid value: 'tool'"},
        {"unknown item", [](json& r) { r["input"].push_back(parsed(R"({"type": "web_search_call", "id": "ws_9"})")); },
         "Invalid value: 'web_search_call'"},
        {"content of Chat Completions", [](json& r) { r["input"][0]["content"] = parsed(R"([{"type": "text", "text": "x"}])"); },
         "Supported values are: input_text"},
        {"id of a call as id of an item", [](json& r) { r["input"][6]["id"] = "call_2"; }, "Expected an ID that begins with 'fc'."},
        {"changed reasoning", [](json& r) { r["input"][1]["encrypted_content"] = "gAAB"; }, "could not be verified"},
        {"made-up reasoning", [](json& r) { r["input"][1]["id"] = "rs_9"; }, "could not be verified"},
        {"reasoning alone",
         [](json& r) { erase_item(r, 2), erase_item(r, 2), erase_item(r, 2), erase_item(r, 2), erase_item(r, 2), erase_item(r, 2); },
         "without its required following item"},
        {"question after reasoning", [](json& r) { r["input"].insert(r["input"].begin() + 2, r["input"][0]); },
         "without its required following item"},
        {"item without its reasoning", [](json& r) { erase_item(r, 1); }, "without its required 'reasoning' item: 'rs_1'"},
        {"phase left out", [](json& r) { r["input"][2].erase("phase"); }, "Item 'msg_1' differs"},
        {"phase unknown", [](json& r) { r["input"][0]["phase"] = "middle"; }, "Invalid value: 'middle'"},
        {"changed search", [](json& r) { r["input"][3].erase("action"); }, "Item 'ws_1' differs"},
        {"changed arguments", [](json& r) { r["input"][4]["arguments"] = "{\"x\":1}"; }, "Item 'fc_1' differs"},
        {"no output", [](json& r) { erase_item(r, 6); }, "No tool output found for function call call_2."},
        {"output without a call", [](json& r) { r["input"][6]["call_id"] = "fc_2"; },
         "No tool call found for function call output with call_id fc_2."},
        {"output twice", [](json& r) { r["input"].push_back(r["input"][7]); }, "Duplicate function call output"},
        {"item twice", [](json& r) { r["input"].push_back(r["input"][5]); }, "Duplicate item found with id fc_2."},
        {"call id twice",
         [](json& r) { r["input"].push_back(parsed(R"({"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}"})")); },
         "Duplicate item found"},
        {"arguments of an object",
         [](json& r) { r["input"].push_back(parsed(R"({"type": "function_call", "call_id": "call_9", "name": "f", "arguments": {}})")); },
         "arguments': expected a string"},
        {"output of an object", [](json& r) { r["input"][6]["output"] = json::object(); }, "output': expected one of"},
        {"assistant at the end", [](json& r) { r["input"].push_back(parsed(R"({"role": "assistant", "content": "x"})")); },
         "Expected the last item"},
        {"unknown previous response", [](json& r) { r["previous_response_id"] = "resp_9"; },
         "Previous response with id 'resp_9' not found."},
    };
}

}  // namespace

TEST_CASE("a legal request to the Responses API is accepted, and so is a question as a text") {
    const auto refused = check(legal());
    INFO((refused ? refused->message() : ""));
    CHECK_FALSE(refused);
    CHECK_FALSE(check(parsed(R"({"model": "gpt-5.4-mini", "input": "x"})")));
}

TEST_CASE("every mutant of a legal request to the Responses API is refused with its text") {
    for (const mutant& one : mutants()) {
        CAPTURE(one.name);
        json request = legal();
        one.change(request);
        const auto refused = check(request);
        REQUIRE(refused);
        INFO(refused->message());
        CHECK(refused->message().find(one.text) != std::string::npos);
        CHECK(refused->status >= 400);
    }
}

TEST_CASE("a stored response continues by its id, and one that was not stored does not") {
    json request = legal();
    request["previous_response_id"] = "resp_1";
    request["input"] = json::array({request["input"][6], request["input"][7]});
    CHECK_FALSE(check(request));
    request["input"].erase(0);
    CHECK(check(request)->message() == "No tool output found for function call call_2.");
    fake::openai_service forgetful = service_with_history();
    forgetful.written.front().stored = false;
    CHECK(check(request, forgetful)->message() == "Previous response with id 'resp_1' not found.");

    json without_content = legal();
    fake::openai_service service = service_with_history();
    service.written.front().output[0].erase("encrypted_content");
    without_content["input"][1].erase("encrypted_content");
    CHECK(check(without_content, service)->status == 404);
    without_content["store"] = true;
    CHECK_FALSE(check(without_content, service));
}

}  // namespace response_request_checker_tests
