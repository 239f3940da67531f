#include <pyaichat/gemini/codec.hpp>

#include <pyaichat/testing/gemini_request_checker.hpp>

#include "catch.hpp"
#include "parsed.hpp"

#include <vector>

namespace ai = pyaichat;
namespace codec = pyaichat::gemini_codec;
namespace fake = pyaichat::testing;

namespace codec_tests {
using ai::json;

namespace {

ai::message user(std::vector<ai::part> parts) {
    return {.role = ai::role::user, .parts = std::move(parts)};
}
ai::message model(std::vector<ai::part> parts) {
    return {.role = ai::role::model, .parts = std::move(parts)};
}

json body_of(const ai::model_request& request, const ai::gemini_options& options = {}) {
    const auto text = codec::encode_request(request, options);
    REQUIRE(text);
    const auto body = ai::parse_json(*text);
    REQUIRE(body);
    CHECK(ai::dump_json(*body).size() == text->size());  // compact, as `dump_json` writes it
    return *body;
}

json contents(ai::conversation messages, const ai::gemini_options& options = {}) {
    ai::model_request request;
    request.messages = std::move(messages);
    return body_of(request, options)["contents"];
}

/// What the strict service says to a request; empty = accepted.
std::string verdict(const json& body) {
    const auto refusal = fake::check_gemini_request("POST", "/v1beta/models/gemini-3.8-flash:generateContent",
                                                    {{"x-goog-api-key", "test-key"}}, ai::dump_json(body));
    return refusal ? refusal->message() : std::string();
}

ai::model_response response(const char* text) {
    auto decoded = codec::decode_response(support::parsed(text));
    REQUIRE(decoded);
    return std::move(*decoded);
}

}  // namespace

TEST_CASE("a question becomes one user content, with nothing that was not given") {
    ai::model_request request;
    request.messages.push_back(ai::user_message("Say hi."));
    CHECK(body_of(request) == support::parsed(R"({"contents": [{"role": "user", "parts": [{"text": "Say hi."}]}]})"));
}

TEST_CASE("instructions, declarations and the mode have their places; a function without parameters has no schema") {
    ai::model_request request;
    request.instructions = "Be terse.";
    request.messages.push_back(ai::user_message("x"));
    request.declarations = *ai::declare(
        {{.name = "get", .description = "Gets.", .parameters = support::parsed(R"({"type": "object", "additionalProperties": false})")},
         {.name = "list", .description = "Lists."}});
    const json body = body_of(request);
    CHECK(body["systemInstruction"] == support::parsed(R"({"parts": [{"text": "Be terse."}]})"));
    CHECK(body["tools"] == support::parsed(R"([{"functionDeclarations": [
        {"name": "get", "description": "Gets.", "parametersJsonSchema": {"type": "object", "additionalProperties": false}},
        {"name": "list", "description": "Lists."}]}])"));
    CHECK(body["toolConfig"] == support::parsed(R"({"functionCallingConfig": {"mode": "AUTO"}})"));
    request.mode = ai::tool_mode::required;
    CHECK(body_of(request)["toolConfig"]["functionCallingConfig"]["mode"] == "ANY");
    request.mode = ai::tool_mode::none;
    CHECK(body_of(request)["toolConfig"]["functionCallingConfig"]["mode"] == "NONE");
    CHECK(verdict(body).empty());
}

TEST_CASE("what the model sent goes back as it came, members that nobody knows included") {
    const json content = support::parsed(R"({"role": "model", "parts": [
        {"thought": true, "text": "Hm.", "novel": {"a": [1]}},
        {"functionCall": {"name": "f", "id": "fc-1", "args": {"x": 1.0}}, "thoughtSignature": "c2ln"},
        {"text": "", "thoughtSignature": "dHdv"}]})");
    const json sent =
        contents({ai::user_message("x"), codec::decode_content(content), user({ai::response_part{"fc-1", "f", json::object()}})});
    CHECK(sent[1] == content);
}

TEST_CASE("the first call of a content gets a placeholder if the model sent no signature, and all else goes back as it came") {
    const auto sent = [](const char* calls, const char* model = "gemini-3.8-flash") {
        const json content = support::parsed(calls);
        const ai::message kept = codec::decode_content(content);
        ai::message replies;
        for (const ai::part& piece : kept.parts) {
            if (const auto* call = piece.as<ai::call_part>()) {
                replies.parts.push_back(ai::response_part{call->id, call->name, json::object()});
            }
        }
        const json out = contents({ai::user_message("x"), kept, replies}, {.model = model});
        CHECK(kept.wire->body == content);
        return out[1]["parts"];
    };
    const json expected = support::parsed(R"([{"text": "Hm.", "a": 1}, {"functionCall": {"name": "f", "id": "1", "novel": 2}, "b": 3,
        "thoughtSignature": "skip_thought_signature_validator"}, {"functionCall": {"name": "g", "id": "2"}}])");
    for (const char* signature : {"", R"(, "thoughtSignature": "")", R"(, "thoughtSignature": null)"}) {
        CAPTURE(signature);
        const std::string calls =
            R"({"role": "model", "parts": [{"text": "Hm.", "a": 1}, {"functionCall": {"name": "f", "id": "1", "novel": 2}, "b": 3)" +
            std::string(signature) + R"(}, {"functionCall": {"name": "g", "id": "2"}}]})";
        CHECK(sent(calls.c_str()) == expected);
        CHECK(sent(calls.c_str(), "gemini-flash-latest") == expected);
        CHECK(sent(calls.c_str(), "gemini-2.5-pro") == support::parsed(calls.c_str())["parts"]);
    }
    const char* later = R"({"role": "model", "parts": [{"functionCall": {"name": "f"}, "thoughtSignature": "c2ln"},
                                                       {"functionCall": {"name": "g"}, "thoughtSignature": ""}]})";
    CHECK(sent(later) == support::parsed(later)["parts"]);
    const ai::message first = codec::decode_content(support::parsed(later));
    const ai::message second = codec::decode_content(support::parsed(R"({"role": "model", "parts": [{"functionCall": {"name": "h"}}]})"));
    const json merged = contents({ai::user_message("x"), first, second, ai::user_message("y")});
    REQUIRE(merged[1]["parts"].size() == 3);
    CHECK(merged[1]["parts"][2] == support::parsed(R"({"functionCall": {"name": "h"}})"));
}

TEST_CASE("a model content without role or with empty parts goes back in a form that the service takes") {
    const json sent = contents({ai::user_message("x"),
                                codec::decode_content(support::parsed(R"({"parts": [{}, {"text": "a"}, {"thoughtSignature": "c2ln"}]})")),
                                ai::user_message("y")});
    CHECK(sent[1] == support::parsed(R"({"role": "model", "parts": [{"text": "a"}, {"text": "", "thoughtSignature": "c2ln"}]})"));
}

TEST_CASE("parts without data, replies and ids that are no text do not go back, as the service would refuse them") {
    const json sent = contents({ai::user_message("x"), codec::decode_content(support::parsed(R"({"role": "model", "parts": [
             {"thought": true, "thoughtSignature": "c2ln"}, {"thought": true}, {"partMetadata": {"a": 1}}, {"text": null}, {"text": null, "thoughtSignature": null},
             {"functionResponse": {"name": "f", "response": {}}}, {"functionCall": {"name": "f", "id": 17, "args": {}}, "thoughtSignature": "dHdv"}]})")),
                                user({ai::response_part{"", "f", json::object()}})});
    CHECK(sent[1] == support::parsed(R"({"role": "model", "parts": [{"text": "", "thoughtSignature": "c2ln"},
                                {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "dHdv"}]})"));
}

TEST_CASE("parts with side members alone, and signatures that are not strings, do not go back, as the service would refuse them") {
    const json sent = contents({ai::user_message("x"), codec::decode_content(support::parsed(R"({"role": "model", "parts": [
             {"videoMetadata": {"fps": 1}}, {"mediaResolution": {}, "mediaProcessing": {}, "speechMetadata": {}, "audioTranscription": {}},
             {"text": "a", "thoughtSignature": 7, "novel": 1}, {"thoughtSignature": {}}, {"novelData": {}}]})")),
                                ai::user_message("y")});
    CHECK(sent[1]["parts"] == support::parsed(R"([{"text": "a", "novel": 1}, {"novelData": {}}])"));
}

TEST_CASE("ids are echoed exactly where they were received, and replies are sent as they stand") {
    const json sent = contents({ai::user_message("x"), codec::decode_content(support::parsed(R"({"role": "model", "parts": [
                                    {"functionCall": {"name": "f", "id": "fc-1"}, "thoughtSignature": "c2ln"}, {"functionCall": {"name": "g"}}]})")),
                                user({ai::response_part{"fc-1", "f", support::parsed(R"({"ok": true, "result": 1})")},
                                      ai::response_part{"", "g", support::parsed(R"({"ok": false, "error": {"code": "busy"}})")}})});
    CHECK(sent[2]["parts"] == support::parsed(R"([{"functionResponse": {"id": "fc-1", "name": "f", "response": {"ok": true, "result": 1}}},
                                         {"functionResponse": {"name": "g", "response": {"ok": false, "error": {"code": "busy"}}}}])"));
}

TEST_CASE("texts go before the replies, also when they come in a message of their own") {
    const ai::message calls = codec::decode_content(
        support::parsed(R"({"role": "model", "parts": [{"functionCall": {"name": "f"}, "thoughtSignature": "c2ln"}]})"));
    const json expected = support::parsed(R"([{"text": "hurry"}, {"functionResponse": {"name": "f", "response": {}}}])");
    const ai::response_part reply{"", "f", json::object()};
    CHECK(contents({ai::user_message("x"), calls, user({reply, ai::text_part{"hurry"}})})[2]["parts"] == expected);
    const json apart = contents({ai::user_message("x"), calls, user({reply}), ai::user_message("hurry")});
    CHECK(apart.size() == 3);
    CHECK(apart[2]["parts"] == expected);
}

TEST_CASE("a foreign or synthetic model message is told anew: no thoughts, a placeholder on the first call only") {
    ai::message foreign = model({ai::thought_part{"secret"}, ai::text_part{"Let me see."}, ai::call_part{"c1", "f", json::object()},
                                 ai::call_part{"c2", "g", json::object({{"x", 1}})}});
    foreign.wire = ai::wire_form{"openai", json::object({{"role", "assistant"}})};
    const ai::message replies = user({ai::response_part{"c1", "f", json::object()}, ai::response_part{"c2", "g", json::object()}});
    ai::model_request request;
    request.messages = {ai::user_message("x"), foreign, replies};
    const json body = body_of(request);
    CHECK(body["contents"][1] == support::parsed(R"({"role": "model", "parts": [
        {"text": "Let me see."},
        {"functionCall": {"id": "c1", "name": "f", "args": {}}, "thoughtSignature": "skip_thought_signature_validator"},
        {"functionCall": {"id": "c2", "name": "g", "args": {"x": 1}}}]})"));
    CHECK(verdict(body).empty());
}

TEST_CASE("empty contents and a trailing model content are never sent") {
    ai::message empty = model({});
    ai::message nothing = codec::decode_content(support::parsed(R"({"role": "model"})"));
    const json sent =
        contents({ai::user_message("x"), empty, nothing, ai::user_message(""), ai::user_message("y"), ai::model_message("The answer")});
    CHECK(sent == support::parsed(R"([{"role": "user", "parts": [{"text": "x"}, {"text": "y"}]}])"));
}

TEST_CASE("the same request has the same text") {
    ai::model_request request;
    request.messages.push_back(ai::user_message("x"));
    request.declarations =
        *ai::declare({{.name = "f", .description = "F.", .parameters = support::parsed(R"({"type": "object", "b": 1, "a": 2})")}});
    CHECK(*codec::encode_request(request) == *codec::encode_request(request));
}

TEST_CASE("a conversation of which nothing can be sent is refused before anything is sent") {
    for (const ai::conversation& nothing :
         {ai::conversation{}, ai::conversation{ai::user_message("")}, ai::conversation{ai::model_message("Hello.")},
          ai::conversation{user({ai::response_part{"fc-1", "f", json::object()}})}}) {
        ai::model_request request;
        request.messages = nothing;
        const auto body = codec::encode_request(request);
        REQUIRE_FALSE(body);
        CHECK(body.error().code == ai::errc::invalid_argument);
    }
}

TEST_CASE("a history begins with the user, whatever was imported") {
    const ai::message calls = codec::decode_content(support::parsed(R"({"role": "model", "parts": [{"functionCall": {"name": "f"}}]})"));
    const json sent = contents({ai::model_message("Welcome!"), calls, user({ai::response_part{"", "f", json::object()}}),
                                ai::user_message("x"), ai::model_message("y"), ai::user_message("z")});
    CHECK(sent == support::parsed(R"([{"role": "user", "parts": [{"text": "x"}]}, {"role": "model", "parts": [{"text": "y"}]},
                             {"role": "user", "parts": [{"text": "z"}]}])"));
}

TEST_CASE("each call has exactly one reply, in the order of the calls: missing ones are told, others left out") {
    const ai::message calls = codec::decode_content(support::parsed(R"({"role": "model", "parts": [
        {"functionCall": {"name": "f", "id": "a"}, "thoughtSignature": "c2ln"}, {"functionCall": {"name": "f", "id": "b"}},
        {"functionCall": {"name": "g", "id": "c"}}]})"));
    const auto reply = [](const char* id, const char* name, int value) {
        return ai::response_part{id, name, json::object({{"result", value}})};
    };
    const auto order_of = [](const json& parts) {
        std::string out;
        for (const json& part : parts) {
            const json& one = part["functionResponse"];
            const json* result = ai::find_member(one["response"], "result");
            out += std::string(*ai::string_member(one, "id")) + (result != nullptr ? ai::dump_json(*result) : "-") + " ";
        }
        return out;
    };
    const auto sent = [&](std::vector<ai::part> replies) {
        ai::model_request request;
        request.messages = {ai::user_message("x"), calls, user(std::move(replies)), ai::user_message("go on")};
        json body = body_of(request);
        CHECK(verdict(body).empty());
        CHECK(body["contents"].size() == 3);
        CHECK(body["contents"][2]["parts"][0]["text"] == "go on");
        body["contents"][2]["parts"].erase(0);
        return order_of(body["contents"][2]["parts"]);
    };
    CHECK(sent({reply("a", "f", 1), reply("b", "f", 2), reply("c", "g", 3)}) == "a1 b2 c3 ");
    CHECK(sent({reply("c", "g", 3), reply("b", "f", 2), reply("a", "f", 1)}) == "a1 b2 c3 ");
    CHECK(sent({reply("b", "f", 2)}) == "a- b2 c- ");
    CHECK(sent({}) == "a- b- c- ");
    CHECK(sent({reply("a", "f", 1), reply("a", "f", 9), reply("z", "f", 8), reply("", "f", 2)}) == "a1 b2 c- ");
}

TEST_CASE("ids are left out everywhere when the host says so") {
    const ai::message calls = codec::decode_content(support::parsed(
        R"({"role": "model", "parts": [{"functionCall": {"name": "f", "id": "a", "args": {"x": 1}}, "thoughtSignature": "c2ln"}]})"));
    const json sent = contents({ai::user_message("x"), calls, user({ai::response_part{"a", "f", json::object()}})},
                               {.call_ids = ai::gemini_call_ids::never});
    CHECK(sent[1]["parts"] == support::parsed(R"([{"functionCall": {"name": "f", "args": {"x": 1}}, "thoughtSignature": "c2ln"}])"));
    CHECK(sent[2]["parts"] == support::parsed(R"([{"functionResponse": {"name": "f", "response": {}}}])"));
}

TEST_CASE("a reply that is no object, or speaks of `$ref`, is sent in a form that the service takes") {
    const auto sent = [](json response) {
        const ai::message calls = codec::decode_content(
            support::parsed(R"({"role": "model", "parts": [{"functionCall": {"name": "f"}, "thoughtSignature": "c2ln"}]})"));
        return contents({ai::user_message("x"), calls,
                         user({ai::response_part{"", "f", std::move(response)}})})[2]["parts"][0]["functionResponse"]["response"];
    };
    CHECK(sent(5) == support::parsed(R"({"output": 5})"));
    CHECK(sent(support::parsed(R"([{"$ref": "#/x"}])")) == support::parsed(R"({"output": ["{\"$ref\":\"#/x\"}"]})"));
    CHECK(sent(support::parsed(R"({"$ref": "a.png"})")) == support::parsed(R"({"output": "{\"$ref\":\"a.png\"}"})"));
    CHECK(sent(support::parsed(R"({"ok": true, "result": {"schema": {"$ref": "#"}, "n": 1}})")) ==
          support::parsed(R"({"ok": true, "result": {"schema": "{\"$ref\":\"#\"}", "n": 1}})"));
}

TEST_CASE("what another generation of models wrote is told anew, as its signatures are good for itself only") {
    CHECK(codec::wire_writer("gemini-3.8-flash") == "gemini-3");
    CHECK(codec::wire_writer("models/gemini-2.5-pro") == "gemini-2");
    CHECK(codec::wire_writer("gemini-flash-latest") == "gemini");
    CHECK(codec::wire_writer("tunedModels/mine") == "gemini");
    const auto signature_of = [](const char* writer, const char* model) {
        const ai::message calls = codec::decode_content(
            support::parsed(R"({"role": "model", "parts": [{"functionCall": {"name": "f"}, "thoughtSignature": "c2ln"}]})"), writer);
        return contents({ai::user_message("x"), calls, user({ai::response_part{"", "f", json::object()}})},
                        {.model = model})[1]["parts"][0]["thoughtSignature"];
    };
    CHECK(signature_of("gemini-3", "gemini-3.8-flash") == "c2ln");
    CHECK(signature_of("gemini-3", "gemini-flash-latest") == "c2ln");
    CHECK(signature_of("gemini", "gemini-3.8-flash") == "c2ln");
    CHECK(signature_of("gemini-2", "gemini-3.8-flash") == "skip_thought_signature_validator");
    CHECK(signature_of("openai", "gemini-flash-latest") == "skip_thought_signature_validator");
}

TEST_CASE("text of any bytes is sent as UTF-8") {
    CHECK(contents({ai::user_message("a\xff\"\\\n\x01\xc3\xa9")})[0]["parts"][0]["text"] == "a\xef\xbf\xbd\"\\\n\x01\xc3\xa9");
}

TEST_CASE("a response is taken apart: text, thoughts, calls, usage and who answered") {
    const ai::model_response got = response(R"({"candidates": [{"content": {"role": "model", "parts": [
            {"text": "thinking", "thought": true}, {"text": "Let me see."},
            {"functionCall": {"id": "fc-1", "name": "f", "args": {"x": 1}}, "thoughtSignature": "c2ln"}, {"functionCall": {"name": "g"}},
            {"executableCode": {"code": "1"}}, {}]}, "finishReason": "STOP", "finishMessage": "Model generated function call(s).", "index": 0}],
        "usageMetadata": {"promptTokenCount": 120, "cachedContentTokenCount": 20, "candidatesTokenCount": 32, "thoughtsTokenCount": 58, "totalTokenCount": 210},
        "modelVersion": "gemini-3.8-flash"})");
    REQUIRE(got.candidates.size() == 1);
    const ai::candidate& first = got.candidates.front();
    CHECK(first.finish == ai::finish_reason::stop);
    CHECK(first.finish_text == "STOP");
    CHECK(first.finish_message == "Model generated function call(s).");
    const auto& parts = first.content.parts;
    REQUIRE(parts.size() == 6);
    CHECK(parts[0].as<ai::thought_part>()->text == "thinking");
    CHECK(parts[1].as<ai::text_part>()->text == "Let me see.");
    CHECK(parts[2].as<ai::call_part>()->id == "fc-1");
    CHECK(parts[2].as<ai::call_part>()->arguments == support::parsed(R"({"x": 1})"));
    CHECK(parts[3].as<ai::call_part>()->id.empty());
    CHECK(parts[3].as<ai::call_part>()->arguments == json::object());
    CHECK(parts[4].as<ai::opaque_part>());
    CHECK(parts[5].as<ai::opaque_part>());
    CHECK(first.content.wire->provider == "gemini");
    CHECK(got.usage == ai::token_usage{.input_tokens = 120, .output_tokens = 90, .cached_tokens = 20, .thought_tokens = 58});
    CHECK(got.model == "gemini-3.8-flash");
    CHECK_FALSE(got.prompt_block);
}

TEST_CASE("every finish reason has its meaning, and an unknown word is kept") {
    const std::vector<std::pair<const char*, ai::finish_reason>> all = {
        {"STOP", ai::finish_reason::stop},
        {"MAX_TOKENS", ai::finish_reason::length},
        {"CONTINUATION", ai::finish_reason::length},
        {"SAFETY", ai::finish_reason::blocked},
        {"RECITATION", ai::finish_reason::blocked},
        {"LANGUAGE", ai::finish_reason::blocked},
        {"BLOCKLIST", ai::finish_reason::blocked},
        {"PROHIBITED_CONTENT", ai::finish_reason::blocked},
        {"SPII", ai::finish_reason::blocked},
        {"MALFORMED_FUNCTION_CALL", ai::finish_reason::malformed},
        {"UNEXPECTED_TOOL_CALL", ai::finish_reason::malformed},
        {"TOO_MANY_TOOL_CALLS", ai::finish_reason::malformed},
        {"MISSING_THOUGHT_SIGNATURE", ai::finish_reason::malformed},
        {"MALFORMED_RESPONSE", ai::finish_reason::malformed},
        {"OTHER", ai::finish_reason::malformed},
        {"FINISH_REASON_UNSPECIFIED", ai::finish_reason::unknown},
        {"SOMETHING_NEW", ai::finish_reason::unknown},
    };
    for (const auto& [word, meaning] : all) {
        CAPTURE(word);
        json body = support::parsed(R"({"candidates": [{}]})");
        body["candidates"][0]["finishReason"] = word;
        const auto got = codec::decode_response(body);
        REQUIRE(got);
        CHECK(got->candidates.front().finish == meaning);
        CHECK(got->candidates.front().finish_text == word);
    }
}

TEST_CASE("odd candidates are reported, not failed") {
    CHECK(response(R"({})").candidates.empty());
    CHECK(response(R"({"candidates": []})").candidates.empty());
    CHECK(response(R"({"candidates": null, "usageMetadata": null})").candidates.empty());
    for (const char* candidate :
         {R"({})", R"({"content": {}})", R"({"content": {"role": "model"}})", R"({"content": {"parts": []}})",
          R"({"content": {"parts": [{}]}})", R"({"content": null})", R"({"content": {"parts": "x"}})",
          R"({"content": {"parts": [1, null, "x", []]}})",
          R"({"finishReason": "OTHER", "finishMessage": "Model failed to generate content due to internal error."})",
          R"({"finishReason": 5})", R"(5)", R"(null)"}) {
        CAPTURE(candidate);
        json body = json::object();
        body["candidates"] = json::array();
        body["candidates"].push_back(support::parsed(candidate));
        const auto got = codec::decode_response(body);
        REQUIRE(got);
        REQUIRE(got->candidates.size() == 1);
        CHECK(got->candidates.front().content.text().empty());
        CHECK_FALSE(got->candidates.front().content.has_calls());
    }
}

TEST_CASE("a malformed call is passed on as the loop expects it") {
    const auto call = [](const char* wire) {
        json part = json::object();
        part["functionCall"] = support::parsed(wire);
        json content = json::object();
        content["parts"] = json::array();
        content["parts"].push_back(part);
        const ai::message decoded = codec::decode_content(content);
        REQUIRE(decoded.parts.size() == 1);
        REQUIRE(decoded.parts.front().as<ai::call_part>());
        return *decoded.parts.front().as<ai::call_part>();
    };
    CHECK(call(R"({"args": {}})").name.empty());
    CHECK(call(R"({"name": 5, "args": {}})").name.empty());
    CHECK(call(R"("f")").name.empty());
    CHECK(call(R"([])").name.empty());
    CHECK(call(R"({"name": "f", "args": "{}"})").arguments == "{}");
    CHECK(call(R"({"name": "f", "args": null})").arguments == json::object());
    CHECK_FALSE(call(R"({"name": "f", "partialArgs": [{"jsonPath": "$.a"}]})").arguments.is_object());
    CHECK(call(R"({"name": "f", "id": 7})").id.empty());
    CHECK_FALSE(call(R"({"name": "f", "willContinue": true})").arguments.is_object());
    CHECK(call(R"({"name": "f", "willContinue": false})").arguments == json::object());
}

TEST_CASE("counts are read as numbers and as strings of digits, and others are zero") {
    const auto got = response(R"({"candidates": [], "usageMetadata": {"promptTokenCount": "38", "toolUsePromptTokenCount": 2.0,
        "candidatesTokenCount": "six", "thoughtsTokenCount": -1, "cachedContentTokenCount": "4"}})");
    CHECK(got.usage.input_tokens == 40);
    CHECK(got.usage.output_tokens == 0);
    CHECK(got.usage.cached_tokens == 4);
}

TEST_CASE("a blocked prompt is told by the service's word, empty candidates or not") {
    CHECK(response(R"({"candidates": [{}], "promptFeedback": {"blockReason": "SAFETY"}})").prompt_block == "SAFETY");
    CHECK_FALSE(
        response(R"({"candidates": [{"content": {"parts": [{"text": "a"}]}}], "promptFeedback": {"blockReason": "SAFETY"}})").prompt_block);
    const auto got = response(R"({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}})");
    CHECK(got.prompt_block == "PROHIBITED_CONTENT");
    CHECK(got.candidates.empty());
}

TEST_CASE("a response of more parts or values than a frame can bear to look at is refused") {
    const auto decoded = [](std::size_t candidates, std::size_t calls, std::size_t values) {
        ai::json call = {{"functionCall", {{"name", "f"}}}};
        ai::json parts = ai::json(calls, call);
        if (values > 0) {
            call["functionCall"]["args"]["x"] = ai::json(values, 0);
            parts.push_back(call);
        }
        const ai::json one = {{"finishReason", "STOP"}, {"content", {{"role", "model"}, {"parts", parts}}}};
        return codec::decode_response({{"candidates", ai::json(candidates, one)}}, "gemini-3");
    };
    CHECK(decoded(1, 2'000, 0));
    CHECK(decoded(1, 10, 90'000));
    for (const auto& refused :
         {decoded(1, 2'001, 0), decoded(20, 200, 0), decoded(1, 10, 100'000), decoded(2, 10, 60'000), decoded(100'001, 0, 0)}) {
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ai::errc::too_large);
        CHECK_FALSE(refused.error().hint.empty());
    }
}

TEST_CASE("a body that is no response is a failure") {
    for (const char* body : {"[]", "null", "5", R"("text")", R"({"foo": 1})"}) {
        CAPTURE(body);
        const auto got = codec::decode_response(support::parsed(body));
        REQUIRE_FALSE(got);
        CHECK(got.error().code == ai::errc::bad_response);
    }
    const auto error = codec::decode_response(
        support::parsed(R"({"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}})"));
    REQUIRE_FALSE(error);
    CHECK(error.error().code == ai::errc::unavailable);
}

}  // namespace codec_tests
