#include <pyaichat/anthropic/codec.hpp>

#include <pyaichat/anthropic/anthropic.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include "canned.hpp"

#include <limits>
#include <set>

namespace ai = pyaichat;
namespace codec = pyaichat::anthropic_codec;

namespace codec_tests {
using ai::json;

namespace {

const ai::anthropic_options plain{.cache = ai::anthropic_cache::off};

json parsed(std::string_view text) {
    const auto value = ai::parse_json(text);
    REQUIRE(value);
    return *value;
}

json encoded(const ai::model_request& request, const ai::anthropic_options& options = plain) {
    const auto body = codec::encode_request(request, options);
    REQUIRE(body);
    return parsed(*body);
}

ai::capability_list tools() {
    return *ai::declare({{.name = "f", .description = "F.", .parameters = parsed(R"({"type": "object", "properties": {"x": {}}})")}});
}

/// A response to a request, as the service sends it.
ai::message respond(const ai::model_request& request, const std::string& content, const ai::anthropic_options& options = plain) {
    const auto prefix = codec::prefix_of(request, options);
    REQUIRE(prefix);
    const auto response = codec::decode_response(parsed(reply(content)), {.writer = codec::wire_writer(options), .prefix = *prefix});
    REQUIRE(response);
    return response->candidates.front().content;
}

ai::message replies(std::initializer_list<ai::response_part> parts, const std::string& text = "") {
    ai::message out;
    for (const ai::response_part& one : parts) {
        out.parts.push_back(one);
    }
    if (!text.empty()) {
        out.parts.push_back(ai::text_part{text});
    }
    return out;
}

ai::model_request question(const std::string& text = "q") {
    ai::model_request request;
    request.declarations = tools();
    request.messages.push_back(ai::user_message(text));
    return request;
}

const std::string thinking = R"({"type":"thinking","thinking":"","signature":"EvQB"})";
const std::string call = R"({"type":"tool_use","id":"toolu_1","name":"f","input":{"x":1},"caller":{"type":"direct"}})";

std::vector<std::string> types_of(const json& content) {
    std::vector<std::string> out;
    for (const json& block : content) {
        out.emplace_back(*ai::string_member(block, "type"));
    }
    return out;
}

}  // namespace

TEST_CASE("what the model sent goes back unchanged, empty thinking included") {
    ai::model_request request = question();
    const std::string redacted = R"({"type":"redacted_thinking","data":"abc"})";
    const std::string content = thinking + "," + redacted + R"(,{"type":"text","text":" Wait. ","citations":null},)" + call;
    request.messages.push_back(respond(request, content));
    request.messages.push_back(replies({{"toolu_1", "f", json{{"ok", true}, {"result", 3}}}}));
    CHECK(encoded(request)["messages"][1]["content"] == parsed("[" + content + "]"));
}

TEST_CASE("texts without words are not sent back") {
    ai::model_request request = question();
    request.messages.push_back(respond(request, R"({"type":"text","text":""},{"type":"text","text":" \n"},)" + call));
    request.messages.push_back(replies({{"toolu_1", "f", json{{"ok", true}}}}));
    CHECK(types_of(encoded(request)["messages"][1]["content"]) == std::vector<std::string>{"tool_use"});
}

TEST_CASE("results come first in the order of the calls, then texts; failed ones are marked, missing ones made up") {
    ai::model_request request = question();
    ai::message asked{.role = ai::role::model};
    for (const char* id : {"a", "b", "c"}) {
        asked.parts.push_back(ai::call_part{.id = id, .name = "f"});
    }
    request.messages.push_back(asked);
    ai::message answer = ai::user_message("Go on.");
    answer.parts.push_back(ai::response_part{"c", "f", ai::reply_with("C").envelope()});
    answer.parts.push_back(ai::response_part{"a", "f", ai::reply_error(ai::reply_code::timeout, "late").envelope()});
    request.messages.push_back(answer);
    const json content = encoded(request)["messages"][2]["content"];
    REQUIRE(types_of(content) == std::vector<std::string>{"tool_result", "tool_result", "tool_result", "text"});
    CHECK(content[0]["tool_use_id"] == "a");
    CHECK(content[0]["is_error"] == true);
    CHECK(parsed(*ai::string_member(content[0], "content"))["error"]["code"] == "timeout");
    CHECK(content[1]["is_error"] == true);
    CHECK(parsed(*ai::string_member(content[1], "content"))["error"]["code"] == "cancelled");
    CHECK(content[2]["tool_use_id"] == "c");
    CHECK_FALSE(content[2].contains("is_error"));
    CHECK(content[3]["text"] == "Go on.");
}

TEST_CASE("messages of another author are told from their parts, without thoughts, with ids that the service accepts") {
    ai::model_request request = question();
    ai::message foreign{.role = ai::role::model};
    foreign.parts = {ai::thought_part{"Hm."}, ai::text_part{"I look."}, ai::call_part{"functions.f:0", "f", json{{"x", 1}}},
                     ai::call_part{"", "g.h", json::array()}};
    foreign.wire = ai::wire_form{"gemini-3", json{{"parts", json::array()}}};
    request.messages.push_back(foreign);
    request.messages.push_back(replies({{"functions.f:0", "f", json{{"ok", true}}}, {"", "g.h", "plain text"}}));
    const json messages = encoded(request)["messages"];
    CHECK(messages[1]["content"] == parsed(R"([{"type":"text","text":"I look."},
        {"type":"tool_use","id":"functions_f_0","name":"f","input":{"x":1}},{"type":"tool_use","id":"toolu","name":"g_h","input":{}}])"));
    CHECK(messages[2]["content"][0]["tool_use_id"] == "functions_f_0");
    CHECK(messages[2]["content"][1]["tool_use_id"] == "toolu");
    CHECK(messages[2]["content"][1]["content"] == "plain text");
}

TEST_CASE("an id that was used before in the conversation is renamed in the call and in its result") {
    ai::model_request request = question();
    for (int round = 0; round < 2; ++round) {
        request.messages.push_back(respond(request, call));
        request.messages.push_back(replies({{"toolu_1", "f", json{{"ok", true}}}}));
    }
    const json messages = encoded(request)["messages"];
    CHECK(messages[3]["content"][0]["id"] == "toolu_1_2");
    CHECK(messages[3]["content"][0]["caller"]["type"] == "direct");
    CHECK(messages[4]["content"][0]["tool_use_id"] == "toolu_1_2");
}

TEST_CASE("calls without an id, or with the same, get ids of their own in the parts and in the wire form") {
    const auto response = codec::decode_response(
        parsed(
            reply(R"({"type":"tool_use","name":"f","input":{}},{"type":"tool_use","id":"","name":"f","input":null},)" + call + "," + call)),
        {.prefix = 7});
    REQUIRE(response);
    const ai::message& content = response->candidates.front().content;
    std::set<std::string> ids;
    for (std::size_t i = 0; i < 4; ++i) {
        const auto* part = content.parts[i].as<ai::call_part>();
        REQUIRE(part != nullptr);
        CHECK(part->arguments.is_object());
        CHECK(content.wire->body["content"][i]["id"] == part->id);
        ids.insert(part->id);
    }
    CHECK(ids.size() == 4);
    CHECK(ids.contains("toolu_1"));
}

TEST_CASE("thinking is left out if anything before it has changed") {
    const auto continued = [](ai::model_request request) {
        request.messages.push_back(respond(request, thinking + "," + call));
        request.messages.push_back(replies({{"toolu_1", "f", json{{"ok", true}}}}));
        request.messages.push_back(respond(request, thinking + R"(,{"type":"text","text":"A."})"));
        request.messages.push_back(ai::user_message("And?"));
        return request;
    };
    const auto thoughts_in = [](const ai::model_request& request) {
        int count = 0;
        const json body = encoded(request);
        for (const json& one : body["messages"]) {
            for (const json& block : one["content"]) {
                count += block.is_object() && block["type"] == "thinking" ? 1 : 0;
            }
        }
        return count;
    };
    const ai::model_request request = continued(question());
    CHECK(thoughts_in(request) == 2);

    ai::model_request other = request;
    other.instructions = "Be terse.";
    CHECK(thoughts_in(other) == 0);
    other = request;
    other.declarations = *ai::declare({{.name = "f", .description = "Another."}});
    CHECK(thoughts_in(other) == 0);
    other = request;
    other.messages = {};
    for (std::size_t i = 0; i < request.messages.size(); ++i) {
        other.messages.push_back(i == 2 ? replies({{"toolu_1", "f", json{{"ok", false}}}}) : request.messages[i]);
    }
    CHECK(thoughts_in(other) == 1);  // the first is still where it was

    // After the change, new thoughts are bound to what is sent now.
    other = request;
    other.instructions = "Be terse.";
    other = continued(other);
    CHECK(thoughts_in(other) == 2);
}

TEST_CASE("messages of another model are told from their parts") {
    ai::model_request request = question();
    ai::anthropic_options other = plain;
    other.model = "claude-sonnet-5-5";
    request.messages.push_back(respond(request, thinking + "," + call, other));
    request.messages.push_back(replies({{"toolu_1", "f", json{{"ok", true}}}}));
    CHECK(types_of(encoded(request)["messages"][1]["content"]) == std::vector<std::string>{"tool_use"});
}

TEST_CASE("neighbouring user messages are joined, and a message without words disappears") {
    ai::model_request request = question("one");
    request.messages.push_back(ai::message{.role = ai::role::model, .parts = {ai::thought_part{"Hm."}}});
    request.messages.push_back(ai::user_message(" \n"));
    request.messages.push_back(ai::user_message("two"));
    request.messages.push_back(ai::model_message("held back"));
    CHECK(encoded(request)["messages"] ==
          parsed(R"([{"role":"user","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}])"));
}

TEST_CASE("nothing to send is an error") {
    CHECK(codec::encode_request({}).error().code == ai::errc::invalid_argument);
    ai::model_request request;
    request.messages.push_back(ai::model_message("I begin."));
    CHECK(codec::encode_request(request).error().code == ai::errc::invalid_argument);
}

TEST_CASE("by default a request has a limit and a cache mark, and no sampling, thinking or choice") {
    ai::model_request request = question();
    request.instructions = "Be terse.";
    CHECK(encoded(request, {}) == parsed(R"({"model":"claude-haiku-5-5","max_tokens":16384,"stream":true,
        "cache_control":{"type":"ephemeral"},"system":"Be terse.","messages":[{"role":"user","content":"q"}],
        "tools":[{"name":"f","description":"F.","input_schema":{"type":"object","properties":{"x":{}}}}]})"));
}

TEST_CASE("a demanded call is forced on models that allow it, and asked for in words on others") {
    ai::model_request request = question();
    request.mode = ai::tool_mode::required;
    ai::anthropic_options older = plain;
    older.model = "claude-sonnet-4-5-20250929";
    CHECK(encoded(request, older)["tool_choice"] == json{{"type", "any"}});
    CHECK_FALSE(encoded(request).contains("tool_choice"));
    CHECK(encoded(request)["system"] == "Call at least one of the functions before you answer.");
    request.messages.push_back(respond(request, call, older));
    request.messages.push_back(replies({{"toolu_1", "f", json{{"ok", true}}}}));
    CHECK_FALSE(encoded(request, older).contains("tool_choice"));  // the model may answer now
    request.mode = ai::tool_mode::none;
    CHECK(encoded(request)["tool_choice"] == json{{"type", "none"}});
    older.thinking = {.type = "enabled", .budget = 2048};
    request.mode = ai::tool_mode::required;
    CHECK_FALSE(encoded(question(), older).contains("tool_choice"));
}

TEST_CASE("a history with calls declares their functions, even if the host declares none") {
    ai::model_request request = question();
    request.messages.push_back(respond(request, call));
    request.messages.push_back(replies({{"toolu_1", "f", json{{"ok", true}}}}));
    request.declarations = {};
    const json body = encoded(request);
    REQUIRE(body["tools"].size() == 1);
    CHECK(body["tools"][0]["name"] == "f");
    CHECK(body["tool_choice"] == json{{"type", "none"}});
}

TEST_CASE("schemas have an object at the root and no combinations there, and are strict only on request") {
    ai::model_request request = question();
    request.declarations = *ai::declare({
        {.name = "a", .description = "A."},
        {.name = "b", .description = "B.", .parameters = parsed(R"({"type":"object","anyOf":[{"required":["x"]},{"required":["y"]}]})")},
        {.name = "c", .description = "C.", .parameters = parsed(R"({"type":"object","additionalProperties":false,"properties":{}})")},
    });
    const json tools = encoded(request)["tools"];
    CHECK(tools[0]["input_schema"] == parsed(R"({"type":"object","properties":{}})"));
    CHECK_FALSE(tools[1]["input_schema"].contains("anyOf"));
    CHECK(tools[1]["input_schema"]["description"] == R"(must fit at least one of [{"required":["x"]},{"required":["y"]}])");
    CHECK_FALSE(tools[2].contains("strict"));
    request.mode = ai::tool_mode::validated;
    const json strict = encoded(request)["tools"];
    CHECK_FALSE(strict[0].contains("strict"));
    CHECK(strict[2]["strict"] == true);
}

TEST_CASE("a schema is reduced to what the server accepts, and words replace the rest") {
    ai::anthropic_options options = plain;
    options.parameters = ai::schema_profiles::llamacpp;
    ai::model_request request = question();
    request.declarations = *ai::declare({{.name = "f", .description = "F.", .parameters = parsed(R"({"type": "object", "properties": {
        "code": {"type": "string", "pattern": "^(?=a)a+$"}, "text": {"type": "string", "maxLength": 5000}}})")}});
    CHECK(encoded(request)["tools"][0]["input_schema"]["properties"]["code"]["pattern"] == "^(?=a)a+$");
    CHECK(encoded(request, options)["tools"][0]["input_schema"] == parsed(R"({"type": "object", "properties": {
        "code": {"type": "string", "description": "must match the pattern \"^(?=a)a+$\""},
        "text": {"type": "string", "description": "at most 5000 characters"}}})"));
}

TEST_CASE("the schema of an answer is sent if the service can hold an answer to it, and replaces that of the options") {
    const json schema = parsed(R"({"type": "object", "additionalProperties": false, "required": ["a"], "properties": {
        "a": {"$ref": "#/$defs/a"}, "b": {"type": ["string", "null"], "format": "date"}},
        "$defs": {"a": {"type": "array", "items": {"enum": ["x", 1, null]}}}})");
    ai::anthropic_options options = plain;
    options.thinking.effort = "low";
    options.generation.response_schema = parsed(R"({"type": "object"})");
    const auto takes = [&](const json& one, const char* model = "claude-haiku-5-5") {
        ai::anthropic_options chosen = options;
        chosen.model = model;
        return ai::anthropic(chosen).takes_answer_schema(one);
    };
    CHECK(takes(schema));
    CHECK_FALSE(takes(schema, "claude-sonnet-4-1"));
    CHECK(takes(schema, "claude-haiku-4-5-20251001"));
    CHECK_FALSE(takes(schema, "qwen3:8b"));
    ai::model_request request = question();
    json with_dialect = schema;
    with_dialect["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    request.answer_schema = std::make_shared<const json>(with_dialect);
    CHECK(encoded(request, options)["output_config"] == json{{"effort", "low"}, {"format", {{"type", "json_schema"}, {"schema", schema}}}});
    for (const char* changed :
         {R"({"type": "string"})", R"({"type": "object", "properties": {}})", R"({"type": "object", "additionalProperties": {}})",
          R"({"type": "object", "additionalProperties": false, "properties": {"a": {"type": "integer", "minimum": 1}}})",
          R"({"type": "object", "additionalProperties": false, "properties": {"a": true}})",
          R"({"type": "object", "additionalProperties": false, "properties": {"a": {}}})",
          R"({"type": "object", "additionalProperties": false, "properties": {"a": {"enum": [[]]}}})",
          R"({"type": "object", "additionalProperties": false, "properties": {"a": {"$ref": "#"}}})",
          R"({"type": "object", "additionalProperties": false, "properties": {"a": {"$ref": "#/$defs/a"}},
              "$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}}})"}) {
        CAPTURE(changed);
        CHECK_FALSE(takes(parsed(changed)));
        request.answer_schema = std::make_shared<const json>(parsed(changed));
        CHECK(encoded(request, options)["output_config"] == json{{"effort", "low"}});
    }
    json wide = parsed(R"({"type": "object", "additionalProperties": false})");
    for (int i = 0; i < 25; ++i) {
        wide["properties"]["p" + std::to_string(i)] = {{"type", "string"}};
    }
    CHECK_FALSE(takes(wide));
    wide["required"] = {"p0"};
    CHECK(takes(wide));
    request.answer_schema.reset();
    CHECK(encoded(request, options)["output_config"]["format"]["schema"] == parsed(R"({"type": "object"})"));
}

TEST_CASE("options that the service refuses are refused before a request") {
    const auto refused = [](const ai::anthropic_options& options) {
        const auto body = codec::encode_request(question(), options);
        return !body && body.error().code == ai::errc::invalid_argument && !body.error().hint.empty();
    };
    CHECK(refused({.max_tokens = 0}));
    CHECK(refused({.thinking = {.type = "enabled"}}));
    CHECK(refused({.thinking = {.type = "adaptive", .budget = 2048}}));
    CHECK(refused({.thinking = {.type = "enabled", .budget = 1000}}));
    CHECK(refused({.max_tokens = 2048, .thinking = {.type = "enabled", .budget = 2048}}));
    CHECK(refused({.thinking = {.display = "summarized"}}));
    CHECK(refused({.generation = {.temperature = std::numeric_limits<double>::infinity()}}));
    CHECK(refused({.generation = {.more = json::array()}}));
    CHECK(refused({.generation = {.more = {{"messages", json::array()}}}}));
    CHECK_FALSE(refused({.thinking = {.type = "enabled", .budget = 1024}}));
}

TEST_CASE("stop reasons are understood") {
    const auto finish = [](const std::string& word) {
        const auto response = codec::decode_response(parsed(reply(R"({"type":"text","text":"x"})", word)));
        REQUIRE(response);
        CHECK(response->candidates.front().finish_text == word);
        return response->candidates.front().finish;
    };
    for (const char* word : {"end_turn", "stop_sequence", "tool_use"}) {
        CHECK(finish(word) == ai::finish_reason::stop);
    }
    CHECK(finish("max_tokens") == ai::finish_reason::length);
    CHECK(finish("model_context_window_exceeded") == ai::finish_reason::length);
    CHECK(finish("refusal") == ai::finish_reason::blocked);
    CHECK(finish("pause_turn") == ai::finish_reason::unknown);
    CHECK(finish("a_new_word") == ai::finish_reason::unknown);
    CHECK(finish("") == ai::finish_reason::unknown);
}

TEST_CASE("cached tokens count as input, thinking as output, and what is missing is zero") {
    const auto usage = [](const std::string& members) {
        json body = parsed(reply(""));
        body["usage"] = parsed(members);
        return codec::decode_response(body)->usage;
    };
    CHECK(usage(R"({"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":30,"output_tokens":8,
                    "output_tokens_details":{"thinking_tokens":5}})") ==
          ai::token_usage{.input_tokens = 60, .output_tokens = 8, .cached_tokens = 30, .thought_tokens = 5, .cache_write_tokens = 20});
    CHECK(usage(R"({"input_tokens":null,"output_tokens":-3,"output_tokens_details":null})") == ai::token_usage{});
}

TEST_CASE("documents that are not messages fail, and hostile ones do not block the host") {
    CHECK(codec::decode_response(parsed("[]")).error().code == ai::errc::bad_response);
    CHECK(codec::decode_response(parsed("{}")).error().code == ai::errc::bad_response);
    CHECK(codec::decode_response(parsed(R"({"error":"Model is loading"})")).error().message.find("Model is loading") != std::string::npos);
    json many = parsed(reply(""));
    many["content"] = json::array_t(2001, json{{"type", "text"}, {"text", "x"}});
    CHECK(codec::decode_response(many).error().code == ai::errc::too_large);
    json text = parsed(reply(""));
    text["content"] = "in short";
    CHECK(codec::decode_response(text)->candidates.front().content.text() == "in short");
}

}  // namespace codec_tests
