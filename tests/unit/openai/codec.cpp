#include <pyaichat/openai/codec.hpp>

#include "catch.hpp"
#include "parsed.hpp"

#include <set>

namespace ai = pyaichat;
namespace codec = pyaichat::openai_codec;

namespace codec_tests {
using ai::json;

namespace {

ai::openai_options options_of(const char* profile) {
    ai::openai_options options{.model = "m1", .profile = *ai::openai_profile_named(profile), .stream = false};
    return options;
}

ai::model_request asking(std::initializer_list<ai::message> messages) {
    ai::model_request request;
    request.messages = messages;
    return request;
}

/// The `messages` of the encoded request.
json sent(const ai::model_request& request, const ai::openai_options& options) {
    const auto body = codec::encode_request(request, options);
    REQUIRE(body);
    const auto read = ai::parse_json(*body);
    REQUIRE(read);
    return (*read)["messages"];
}

ai::message calls_of_host(const char* first = "a", const char* second = "b") {
    return {.role = ai::role::model,
            .parts = {ai::call_part{first, "f", json::object({{"n", 1}})}, ai::call_part{second, "g", json::object()}}};
}

ai::message replies_of_host(const char* first = "a", const char* second = "b", const char* text = nullptr) {
    ai::message out{.parts = {ai::response_part{first, "f", json::object({{"ok", true}})}, ai::response_part{second, "g", "text"}}};
    if (text != nullptr) {
        out.parts.insert(out.parts.begin(), ai::text_part{text});
    }
    return out;
}

ai::model_response decoded(const char* text, bool functions = false) {
    auto response = codec::decode_response(support::parsed(text), options_of("openai"), functions);
    REQUIRE(response);
    return *std::move(response);
}

/// A completion with one message.
std::string completion(const std::string& message, const std::string& finish = "\"stop\"") {
    return R"({"id": "x", "choices": [{"index": 0, "message": )" + message + R"(, "finish_reason": )" + finish + "}]}";
}

}  // namespace

TEST_CASE("replies follow their calls, one message each, and the text of the user comes after them") {
    const json messages =
        sent(asking({ai::user_message("x"), calls_of_host(), replies_of_host("a", "b", "and now?")}), options_of("openai"));
    CHECK(messages == support::parsed(R"([{"role": "user", "content": "x"},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"n\":1}"}},
            {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "a", "content": "{\"ok\":true}"},
        {"role": "tool", "tool_call_id": "b", "content": "text"},
        {"role": "user", "content": "and now?"}])"));
}

TEST_CASE("Mistral gets ids of nine characters and the text of the user at the end of the last reply") {
    const json messages =
        sent(asking({ai::user_message("x"), calls_of_host("call_long_id", "b"), replies_of_host("call_long_id", "b", "\"and\""),
                     calls_of_host("call_long_id", "b"), replies_of_host("call_long_id", "b")}),
             options_of("mistral"));
    REQUIRE(messages.size() == 7);
    CHECK(messages[1]["content"] == "");
    CHECK(messages[3]["content"] == "text\n\n\"and\"");
    CHECK(messages[4]["role"] == "assistant");
    std::set<std::string> ids;
    for (const std::size_t at : {1u, 4u}) {
        for (const std::size_t call : {0u, 1u}) {
            const std::string id(*ai::string_member(messages[at]["tool_calls"][call], "id"));
            CHECK(id.size() == 9);
            CHECK(messages[at + 1 + call]["tool_call_id"] == id);
            ids.insert(id);
        }
    }
    CHECK(ids.size() == 4);
}

TEST_CASE("a call without a reply gets one, and a reply without a call is left out") {
    const json messages = sent(asking({ai::user_message("x"), calls_of_host(),
                                       ai::message{.parts = {ai::response_part{"b", "g", json::object()},
                                                             ai::response_part{"c", "h", json::object()}, ai::text_part{"go on"}}}}),
                               options_of("openai"));
    REQUIRE(messages.size() == 5);
    CHECK(messages[2]["tool_call_id"] == "a");
    CHECK(ai::as_string(messages[2]["content"])->find("cancelled") != std::string::npos);
    CHECK(messages[3]["tool_call_id"] == "b");
    CHECK(messages[4] == support::parsed(R"({"role": "user", "content": "go on"})"));
}

TEST_CASE("adjacent user messages are one; empty and trailing model messages are left out") {
    const ai::message empty{.role = ai::role::model, .parts = {ai::thought_part{"hm"}}};
    const json messages = sent(asking({ai::model_message("before"), ai::user_message("one"), ai::user_message("two"), empty,
                                       ai::user_message("three"), ai::model_message("cut")}),
                               options_of("openai"));
    CHECK(messages == support::parsed(R"([{"role": "user", "content": "one\n\ntwo\n\nthree"}])"));
    CHECK(codec::encode_request(asking({ai::model_message("x")}), options_of("openai")).error().code == ai::errc::invalid_argument);
    CHECK(codec::encode_request(asking({}), options_of("openai")).error().code == ai::errc::invalid_argument);
}

TEST_CASE("a message of the same author goes back unchanged, except for what services do not take back") {
    const json wire =
        support::parsed(R"({"role": "assistant", "content": null, "refusal": null, "annotations": [], "audio": null, "index": 0,
        "reasoning_content": "hm", "reasoning_details": [{"type": "reasoning.text", "text": "hm", "signature": "s", "index": 0}],
        "tool_calls": [{"index": 0, "id": "functions.f:0", "type": "function", "extra_content": {"google": {"thought_signature": "t"}},
                        "function": {"name": "f", "arguments": "{ \"n\": 1.0 }"}},
                       {"id": "", "function": {"name": "g", "arguments": ""}},
                       {"id": "functions.f:0", "function": {"name": "g", "arguments": {"a": 2}}}]})");
    const ai::openai_options options = options_of("openai");
    const ai::message one = codec::decode_message(wire, options);
    CHECK(one.wire->body == wire);
    std::vector<std::string> ids;
    ai::message replies;
    for (const ai::part& piece : one.parts) {
        if (const auto* call = piece.as<ai::call_part>()) {
            ids.push_back(call->id);
            replies.parts.push_back(ai::response_part{call->id, call->name, json::object()});
        }
    }
    REQUIRE(std::set<std::string>(ids.begin(), ids.end()).size() == 3);
    CHECK(codec::decode_message(wire, options).parts.back().as<ai::call_part>()->id == ids[2]);  // deterministic
    const json messages = sent(asking({ai::user_message("x"), one, replies}), options);
    json expected = support::parsed(R"({"role": "assistant", "content": null,
        "reasoning_content": "hm", "reasoning_details": [{"type": "reasoning.text", "text": "hm", "signature": "s", "index": 0}],
        "tool_calls": [{"id": "functions.f:0", "type": "function", "extra_content": {"google": {"thought_signature": "t"}},
                        "function": {"name": "f", "arguments": "{ \"n\": 1.0 }"}},
                       {"type": "function", "function": {"name": "g", "arguments": "{}"}},
                       {"type": "function", "function": {"name": "g", "arguments": "{\"a\":2}"}}]})");
    expected["tool_calls"][1]["id"] = ids[1];
    expected["tool_calls"][2]["id"] = ids[2];
    CHECK(messages[1] == expected);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(messages[2 + i]["tool_call_id"] == ids[i]);
    }
}

TEST_CASE("another family, server or provider gets the message anew, without reasoning and signatures") {
    const json wire = support::parsed(R"({"role": "assistant", "content": "so", "reasoning_content": "hm", "tool_calls": [
        {"id": "functions.f:0", "type": "function", "extra_content": {"google": {}}, "function": {"name": "f", "arguments": "{}"}}]})");
    ai::openai_options writer = options_of("openai");
    writer.model = "gpt-5.4-mini";
    ai::openai_options same = writer;
    same.model = "gpt-5.6-terra";
    CHECK(codec::wire_writer(writer) == codec::wire_writer(same));
    ai::openai_options other_family = writer;
    other_family.model = "gpt-6-sol";
    ai::openai_options other_server = writer;
    other_server.base_url = "http://localhost:1/v1";
    const ai::message one = codec::decode_message(wire, writer);
    const ai::model_request request =
        asking({ai::user_message("x"), one, ai::message{.parts = {ai::response_part{"functions.f:0", "f", json::object()}}}});
    CHECK(sent(request, same)[1]["reasoning_content"] == "hm");
    for (const ai::openai_options& other : {other_family, other_server}) {
        const json messages = sent(request, other);
        CHECK_FALSE(messages[1].contains("reasoning_content"));
        CHECK_FALSE(messages[1]["tool_calls"][0].contains("extra_content"));
        CHECK(messages[1]["content"] == "so");
        const std::string id(*ai::string_member(messages[1]["tool_calls"][0], "id"));
        CHECK(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos);
        CHECK(messages[2]["tool_call_id"] == id);
    }
    CHECK(sent(request, options_of("gemini"))[1]["tool_calls"][0]["extra_content"]["google"]["thought_signature"] ==
          "skip_thought_signature_validator");
    CHECK(sent(request, options_of("deepseek"))[1]["reasoning_content"] == "");
    CHECK(sent(asking({ai::user_message("x"), ai::model_message("y"), ai::user_message("z")}), options_of("kimi"))[1] ==
          support::parsed(R"({"role": "assistant", "content": "y", "reasoning_content": ""})"));
}

TEST_CASE("each profile sends what its service takes") {
    ai::model_request request = asking({ai::user_message("x")});
    request.instructions = "Be terse.";
    request.mode = ai::tool_mode::required;
    request.declarations =
        *ai::declare({{.name = "f", .description = "F."},
                      {.name = "g",
                       .description = "G.",
                       .parameters = support::parsed(R"({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"],
                                   "additionalProperties": false})")}});
    const auto body = [&](ai::openai_options options) {
        options.stream = true;
        options.generation.max_output_tokens = 9;
        return *ai::parse_json(*codec::encode_request(request, options));
    };
    const json openai = body(options_of("openai"));
    CHECK(openai["max_completion_tokens"] == 9);
    CHECK(openai["tool_choice"] == "required");
    CHECK(openai["stream_options"] == json::object({{"include_usage", true}}));
    CHECK_FALSE(openai.contains("parallel_tool_calls"));
    CHECK_FALSE(openai["tools"][0]["function"].contains("parameters"));
    CHECK(openai["messages"][0] == support::parsed(R"({"role": "system", "content": "Be terse."})"));
    const json ollama = body(options_of("ollama"));
    CHECK(ollama["max_tokens"] == 9);
    CHECK_FALSE(ollama.contains("tool_choice"));
    CHECK(ollama["tools"][0]["function"]["parameters"] == support::parsed(R"({"type": "object", "properties": {}})"));
    CHECK(body(options_of("llamacpp"))["parallel_tool_calls"] == true);
    CHECK_FALSE(body(options_of("mistral")).contains("stream_options"));

    request.mode = ai::tool_mode::validated;
    CHECK(body(options_of("openai"))["tools"][1]["function"]["strict"] == true);
    CHECK_FALSE(body(options_of("openai"))["tools"][0]["function"].contains("strict"));
    CHECK_FALSE(body(options_of("ollama"))["tools"][1]["function"].contains("strict"));
    request.mode = ai::tool_mode::none;
    CHECK(body(options_of("openai"))["tool_choice"] == "none");
    request.declarations = {};
    CHECK_FALSE(body(options_of("openai")).contains("tools"));
    CHECK_FALSE(body(options_of("openai")).contains("tool_choice"));
}

TEST_CASE("each profile declares only what its service accepts of a schema, and words replace the rest") {
    const char* const schema = R"({"type": "object", "properties": {
        "code": {"type": "string", "pattern": "^(?=a)a+$"}, "text": {"type": "string", "maxLength": 5000}}})";
    ai::model_request request = asking({ai::user_message("x")});
    request.declarations = *ai::declare({{.name = "f", .description = "F.", .parameters = support::parsed(schema)}});
    for (const std::string& name : ai::openai_profile_names()) {
        INFO(name);
        const json body = support::parsed(codec::encode_request(request, options_of(name.c_str()))->c_str());
        const json& properties = body["tools"][0]["function"]["parameters"]["properties"];
        if (name == "openai" || name == "openrouter" || name == "deepseek" || name == "kimi") {
            CHECK(properties == support::parsed(schema)["properties"]);
        } else {
            CHECK(properties["code"] == support::parsed(R"({"type": "string", "description": "must match the pattern \"^(?=a)a+$\""})"));
            CHECK(properties["text"] == support::parsed(R"({"type": "string", "description": "at most 5000 characters"})"));
        }
    }
}

TEST_CASE("a demand to call does not outlive the replies") {
    ai::model_request request = asking({ai::user_message("x"), calls_of_host(), replies_of_host()});
    request.mode = ai::tool_mode::required;
    request.declarations = *ai::declare({{.name = "f", .description = "F."}});
    CHECK(codec::encode_request(request, options_of("openai"))->find("tool_choice") == std::string::npos);
}

TEST_CASE("arguments are an object, or what the loop refuses") {
    const auto arguments = [](const std::string& written, const std::string& finish) {
        const auto response = decoded(
            completion(R"({"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": )" + written + "}}]}", finish).c_str());
        return response.candidates.front().content.parts.front().as<ai::call_part>()->arguments;
    };
    for (const char* finish : {"\"stop\"", "\"tool_calls\"", "\"function_call\""}) {
        CHECK(arguments(R"("{\"a\": 1}")", finish) == json::object({{"a", 1}}));
        CHECK(arguments(R"("")", finish) == json::object());
        CHECK(arguments(R"(" \n")", finish) == json::object());
        CHECK(arguments("null", finish) == json::object());
    }
    CHECK(arguments(R"("")", "\"length\"") == "");
    CHECK(arguments(R"("{\"note\": \"The")", "\"length\"") == "{\"note\": \"The");
    CHECK(arguments(R"("[1]")", "\"stop\"") == "[1]");
    CHECK(arguments("[1]", "\"stop\"") == json::array({1}));
}

TEST_CASE("texts, reasoning and lists of parts are read under all their names") {
    const auto parts = [](const char* message) { return decoded(completion(message).c_str()).candidates.front().content.parts; };
    CHECK(parts(R"({"content": "a", "reasoning_content": "t"})").front().as<ai::thought_part>()->text == "t");
    CHECK(parts(R"({"content": "a", "reasoning": "t"})").front().as<ai::thought_part>()->text == "t");
    const auto mistral = parts(R"({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "t"}]},
                                               {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]})");
    REQUIRE(mistral.size() == 2);
    CHECK(mistral[0].as<ai::thought_part>()->text == "t");
    CHECK(mistral[1].as<ai::text_part>()->text == "ab");
    CHECK(parts(R"({"content": null})").empty());
    CHECK(parts(R"({"content": "", "tool_calls": []})").empty());
    CHECK(parts(R"({"content": "", "tool_calls": null})").empty());
}

TEST_CASE("a finish reason is mapped, and a text that is a call is malformed") {
    const auto finish = [](const char* word) { return decoded(completion(R"({"content": "a"})", word).c_str()).candidates[0].finish; };
    CHECK(finish("\"stop\"") == ai::finish_reason::stop);
    CHECK(finish("\"length\"") == ai::finish_reason::length);
    CHECK(finish("\"content_filter\"") == ai::finish_reason::blocked);
    CHECK(finish("\"error\"") == ai::finish_reason::unknown);
    CHECK(finish("null") == ai::finish_reason::unknown);
    CHECK(finish("\"\"") == ai::finish_reason::unknown);
    for (const char* text : {R"(<tool_call>\n{\"name\": \"f\"}\n</tool_call>)", R"([TOOL_CALLS][{\"name\": \"f\"}])",
                             R"(<function=f>{}</function>)", R"(```tool_code\nf()\n```)"}) {
        CAPTURE(text);
        const std::string body = completion(R"({"content": ")" + std::string(text) + "\"}");
        CHECK(decoded(body.c_str(), true).candidates[0].finish == ai::finish_reason::malformed);
        CHECK(decoded(body.c_str(), false).candidates[0].finish == ai::finish_reason::stop);
    }
    CHECK(decoded(completion(R"({"content": "Write <tool_call>x</tool_call> to call."})").c_str(), true).candidates[0].finish ==
          ai::finish_reason::stop);
}

TEST_CASE("several choices are candidates in the order of their indices") {
    const auto response = decoded(R"({"choices": [{"index": 1, "message": {"content": "b"}, "finish_reason": "stop"},
                                                  {"index": 0, "message": {"content": "a"}, "finish_reason": "length"}]})");
    REQUIRE(response.candidates.size() == 2);
    CHECK(response.candidates[0].content.text() == "a");
    CHECK(response.candidates[0].finish == ai::finish_reason::length);
    CHECK(response.candidates[1].content.text() == "b");
}

TEST_CASE("usage is read with its cached and reasoning parts, under all their names") {
    const auto usage = [](const char* text) { return decoded((R"({"choices": [], "usage": )" + std::string(text) + "}").c_str()).usage; };
    CHECK(usage(R"({"prompt_tokens": 82, "completion_tokens": 45, "prompt_tokens_details": {"cached_tokens": 64},
                    "completion_tokens_details": {"reasoning_tokens": 30}})") ==
          ai::token_usage{.input_tokens = 82, .output_tokens = 45, .cached_tokens = 64, .thought_tokens = 30});
    CHECK(usage(R"({"prompt_tokens": 9, "prompt_cache_hit_tokens": 4, "prompt_tokens_details": null})") ==
          ai::token_usage{.input_tokens = 9, .cached_tokens = 4});
    CHECK(usage("null") == ai::token_usage{});
    CHECK(usage(R"({"prompt_tokens": null, "completion_tokens": -3})") == ai::token_usage{});
}

TEST_CASE("a body that is no completion is a bad response, and one with too many calls is too large") {
    for (const char* text : {"{}", "[]", "\"x\"", R"({"foo": 1})"}) {
        CHECK(codec::decode_response(support::parsed(text)).error().code == ai::errc::bad_response);
    }
    json body = support::parsed(R"({"choices": [{"message": {"tool_calls": []}}]})");
    for (int i = 0; i < 3000; ++i) {
        body["choices"][0]["message"]["tool_calls"].push_back(support::parsed(R"({"id": "a"})"));
    }
    CHECK(codec::decode_response(body).error().code == ai::errc::too_large);
}

}  // namespace codec_tests
