// The Responses API: requests of the official client, and what its replies amount to.
#include <pyaichat/openai/codec.hpp>
#include <pyaichat/openai/openai.hpp>

#include "openai/completion_reader.hpp"

#include "canned.hpp"
#include "catch.hpp"
#include "parsed.hpp"
#include "recording.hpp"

namespace ai = pyaichat;
namespace codec = pyaichat::openai_codec;
using ai::json;
using namespace std::chrono_literals;

namespace responses_tests {

namespace {

const std::string instructions = "You are a terse assistant inside a C++ host program.";
const std::string question = "What is the weather in Paris and the local time in Tokyo?";

ai::model_request asking() {
    ai::model_request request;
    request.instructions = instructions;
    request.messages.push_back(ai::user_message(question));
    request.time_left = 10s;
    return request;
}

ai::message replies_to(const ai::message& one, std::initializer_list<json> values) {
    ai::message out;
    auto value = values.begin();
    for (const ai::part& piece : one.parts) {
        if (const auto* call = piece.as<ai::call_part>()) {
            out.parts.push_back(ai::response_part{call->id, call->name, *value++});
        }
    }
    return out;
}

ai::capability_list declared_in(const json& body) {
    std::vector<ai::capability_spec> specs;
    for (const json& tool : body["tools"]) {
        specs.push_back({.name = std::string(*ai::string_member(tool, "name")),
                         .description = std::string(*ai::string_member(tool, "description")),
                         .parameters = tool["parameters"]});
    }
    return *ai::declare(specs);
}

std::string event(const std::string& data) {
    return "data: " + data + "\n\n";
}

struct outcome {
    ai::result<ai::model_response> response = ai::failure();
    std::string text = {};
    std::string thoughts = {};
};

outcome read(const std::string& body) {
    static const ai::openai_profile profile;
    outcome out;
    const ai::delta_sink sink([&out](ai::delta_sink::kind what, std::string_view text) {
        (what == ai::delta_sink::kind::thought ? out.thoughts : out.text).append(text).append("|");
    });
    codec::responses_reader reader(sink, {.writer = "w"}, {.profile = &profile}, 1 << 20);
    for (const char byte : body) {
        if (!reader.feed(std::string_view(&byte, 1))) {
            break;
        }
    }
    out.response = reader.finish();
    return out;
}

}  // namespace

TEST_CASE("the recorded loop with encrypted reasoning: every item goes back as it came") {
    if (!golden_requests_are_there()) {
        return;
    }
    const json recorded = recording("25");
    canned transport(served(recorded));
    ai::openai provider({.api_key = "k", .model = "gpt-6.1-sol", .stream = false, .generation = {.reasoning_effort = "low"}}, transport);
    ai::model_request request = asking();
    request.declarations = declared_in(recorded["requests"][0]["body"]);
    const auto first = provider.complete(request, {}, {});
    REQUIRE(first);
    request.messages.push_back(first->candidates.front().content);
    request.messages.push_back(replies_to(first->candidates.front().content, {json::object({{"temp_c", 18.5}}), "23:15"}));
    const auto second = provider.complete(request, {}, {});
    REQUIRE(second);
    CHECK(second->candidates.front().content.text() == "18.5 C; 23:15.");
    CHECK(second->candidates.front().finish == ai::finish_reason::stop);
    CHECK(second->usage == ai::token_usage{.input_tokens = 21, .output_tokens = 9});
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(transport.shared->seen[i].url == "https://api.openai.com/v1/responses");
        CHECK(transport.body(i) == recorded["requests"][i]["body"]);
    }
}

TEST_CASE("the recorded round trip with functions differs only by defaults that the client spells out") {
    if (!golden_requests_are_there()) {
        return;
    }
    const json recorded = recording("20");
    canned transport(served(recorded));
    ai::openai provider({.api_key = "k", .api = ai::openai_api::responses, .stream = false}, transport);
    ai::model_request request = asking();
    request.declarations = declared_in(recorded["requests"][0]["body"]);
    const auto first = provider.complete(request, {}, {});
    REQUIRE(first);
    request.messages.push_back(first->candidates.front().content);
    request.messages.push_back(replies_to(first->candidates.front().content, {json::object({{"temp_c", 18.5}}), "23:15"}));
    REQUIRE(provider.complete(request, {}, {}));
    for (std::size_t i = 0; i < 2; ++i) {
        json body = recorded["requests"][i]["body"];
        body.erase("tool_choice");
        body.erase("parallel_tool_calls");
        body["include"] = json::array({"reasoning.encrypted_content"});
        if (body["input"].is_string()) {
            body["input"] = json::array({json::object({{"role", "user"}, {"content", body["input"]}})});
        }
        CHECK(transport.body(i) == body);
    }
}

TEST_CASE("the recorded stream is read") {
    if (!golden_requests_are_there()) {
        return;
    }
    const outcome out = read(served(recording("22")).front().body);
    REQUIRE(out.response);
    const auto* call = out.response->candidates.front().content.parts.front().as<ai::call_part>();
    REQUIRE(call != nullptr);
    CHECK(call->id == "call_0001");
    CHECK(call->arguments == json::object({{"city", "Paris"}}));
    CHECK(out.response->candidates.front().finish == ai::finish_reason::stop);
}

TEST_CASE("texts, comments and reasoning are told apart while they stream") {
    const outcome out = read(
        event(R"({"type": "response.output_item.added", "output_index": 0, "item": {"type": "reasoning"}})") +
        event(R"({"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": "hm"})") +
        event(
            R"({"type": "response.output_item.done", "output_index": 0, "item": {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "hm"}]}})") +
        event(R"({"type": "response.output_item.added", "output_index": 1, "item": {"type": "message", "phase": "commentary"}})") +
        event(R"({"type": "response.output_text.delta", "output_index": 1, "delta": "I look."})") +
        event(R"({"type": "response.output_text.delta", "output_index": 2, "delta": "It is."})") +
        event(
            R"({"type": "response.completed", "response": {"status": "completed", "output": [ {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "hm"}]}, {"type": "web_search_call", "x": 1}, {"type": "message", "phase": "commentary", "content": [{"type": "output_text", "text": "I look."}]}, {"type": "message", "phase": "final_answer", "content": [{"type": "output_text", "text": "It is."}]}]}})"));
    CHECK(out.text == "It is.|");
    CHECK(out.thoughts == "hm|I look.|");
    REQUIRE(out.response);
    const ai::message& one = out.response->candidates.front().content;
    CHECK(one.text() == "It is.");
    CHECK(one.wire->body["output"].size() == 4);
    CHECK(one.wire->body["output"][1] == support::parsed(R"({"type": "web_search_call", "x": 1})"));
}

TEST_CASE("a response that is cut, failed, refused or blocked is told apart") {
    const auto finished = [](const char* response) {
        return read(event(R"({"type": "response.completed", "response": )" + std::string(response) + "}"));
    };
    const auto incomplete = [&](const char* reason) {
        const std::string body = R"({"status": "incomplete", "incomplete_details": {"reason": ")" + std::string(reason) +
                                 R"("}, "output": [{"type": "function_call", "call_id": "a", "name": "f", "arguments": ""}]})";
        return finished(body.c_str()).response->candidates.front();
    };
    CHECK(incomplete("max_output_tokens").finish == ai::finish_reason::length);
    CHECK(incomplete("max_output_tokens").content.parts.front().as<ai::call_part>()->arguments == "");
    CHECK(incomplete("content_filter").finish == ai::finish_reason::blocked);
    const auto refused =
        finished(R"({"status": "completed", "output": [{"type": "message", "content": [{"type": "refusal", "refusal": "no"}]}]})");
    CHECK(refused.response->candidates.front().finish == ai::finish_reason::blocked);
    CHECK(refused.response->candidates.front().finish_message == "no");
    CHECK(read(event(R"({"type": "response.failed", "response": {"status": "failed", "error": {"code": "server_error", "message": "x"}}})"))
              .response.error()
              .code == ai::errc::unavailable);
    CHECK(read(event(R"({"type": "error", "code": "rate_limit_exceeded", "message": "x"})")).response.error().code ==
          ai::errc::rate_limited);
    CHECK(read(event(R"({"type": "response.created", "response": {}})")).response.error().code == ai::errc::connection_failed);
    CHECK(read(R"({"object": "response", "status": "completed", "output": []})").response);
    CHECK(read(R"({"foo": 1})").response.error().code == ai::errc::bad_response);
}

TEST_CASE("the finished items are the output if the last event has none") {
    const outcome out = read(
        event(
            R"({"type": "response.output_item.done", "output_index": 1, "item": {"type": "message", "content": [{"type": "output_text", "text": "b"}]}})") +
        event(R"({"type": "response.completed", "response": {"status": "completed"}})"));
    REQUIRE(out.response);
    CHECK(out.response->candidates.front().content.text() == "b");
    const std::string call = R"({"type": "response.output_item.done", "item": {"type": "function_call", "name": "f", "call_id": )";
    const outcome calls = read(event(call + R"("a", "arguments": "{}"}})") + event(call + R"("b", "arguments": "{}"}})") +
                               event(R"({"type": "response.completed"})"));
    REQUIRE(calls.response);
    CHECK(calls.response->candidates.front().content.parts.size() == 2);
    CHECK(calls.response->candidates.front().finish == ai::finish_reason::stop);
}

TEST_CASE("only the models of the profile use the Responses API, unless the options choose") {
    CHECK(codec::uses_responses({.model = "gpt-6-astra"}));
    CHECK(codec::uses_responses({.model = "gpt-5.4-pro"}));
    CHECK_FALSE(codec::uses_responses({.model = "gpt-5.4-mini"}));
    CHECK_FALSE(codec::uses_responses({.model = "gpt-6-astra", .profile = *ai::openai_profile_named("openrouter")}));
    CHECK_FALSE(codec::uses_responses({.model = "gpt-6-astra", .api = ai::openai_api::chat}));
    CHECK(codec::uses_responses({.model = "m", .api = ai::openai_api::responses}));
}

TEST_CASE("reasoning that nothing follows does not go back, and arguments that are not a text become one") {
    const ai::openai_options options{.model = "gpt-6.1-sol", .stream = false};
    ai::model_request request = asking();
    const auto sent_after = [&](const char* output) {
        request.messages = {ai::user_message("x"), codec::decode_message(support::parsed(output), options), ai::user_message("and?")};
        return (*ai::parse_json(*codec::encode_request(request, options)))["input"];
    };
    CHECK(sent_after(R"([{"type": "message", "role": "assistant", "content": []}, {"type": "reasoning", "id": "rs_1"}])").size() == 3);
    CHECK(sent_after(R"([{"type": "reasoning", "id": "rs_1"}])").size() == 1);
    CHECK(sent_after(R"([{"type": "function_call", "call_id": "c", "name": "f", "arguments": ""}])")[1]["arguments"] == "");
    CHECK(sent_after(R"([{"type": "function_call", "call_id": "c", "name": "f", "arguments": {"n": 1}}])")[1]["arguments"] == R"({"n":1})");
}

TEST_CASE("the Responses API gets each call id once in a conversation") {
    const ai::openai_options options{.model = "gpt-6.1-sol", .stream = false};
    ai::model_request request = asking();
    const ai::message call =
        codec::decode_message(support::parsed(R"([{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}])"), options);
    const ai::message reply{.parts = {ai::response_part{"c", "f", json::object()}}};
    request.messages = {ai::user_message("x"), call, reply, call, reply};
    const json input = (*ai::parse_json(*codec::encode_request(request, options)))["input"];
    CHECK(input[1]["call_id"] == "c");
    CHECK(input[2]["call_id"] == "c");
    CHECK(input[3]["call_id"] != "c");
    CHECK(input[4]["call_id"] == input[3]["call_id"]);
}

TEST_CASE("a message of Chat Completions is told anew as items") {
    const ai::openai_options chat{.model = "gpt-6-sol"};
    const ai::openai_options responses{.model = "gpt-6-sol", .api = ai::openai_api::responses, .stream = false};
    const ai::message one = codec::decode_message(
        support::parsed(R"({"content": "so", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{\"n\":1}"}}]})"), chat);
    ai::model_request request = asking();
    request.messages.push_back(one);
    request.messages.push_back({.parts = {ai::response_part{"c", "f", json::object()}, ai::text_part{"and?"}}});
    const auto body = codec::encode_request(request, responses);
    REQUIRE(body);
    CHECK(
        (*ai::parse_json(*body))["input"] ==
        json::array({json::object({{"role", "user"}, {"content", question}}), support::parsed(R"({"role": "assistant", "content": "so"})"),
                     support::parsed(R"({"type": "function_call", "call_id": "c", "name": "f", "arguments": "{\"n\":1}"})"),
                     support::parsed(R"({"type": "function_call_output", "call_id": "c", "output": "{}"})"),
                     support::parsed(R"({"role": "user", "content": "and?"})")}));
}

}  // namespace responses_tests
