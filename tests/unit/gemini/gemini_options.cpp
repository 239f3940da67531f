#include <pyaichat/gemini/gemini_options.hpp>

#include <pyaichat/core/env.hpp>
#include <pyaichat/gemini/codec.hpp>

#include "catch.hpp"

#include <limits>

namespace ai = pyaichat;

namespace gemini_options_tests {
using ai::json;

namespace {

ai::model_request question() {
    ai::model_request request;
    request.messages.push_back(ai::user_message("x"));
    return request;
}

ai::model_request question_with_functions() {
    ai::model_request request = question();
    request.declarations = *ai::declare({{.name = "f", .description = "F."}, {.name = "g", .description = "G."}});
    return request;
}

/// The same, one step later.
ai::model_request replies() {
    ai::model_request request = question_with_functions();
    request.messages.push_back(ai::message{.role = ai::role::model, .parts = {ai::call_part{.name = "f"}}});
    request.messages.push_back(ai::message{.parts = {ai::response_part{.name = "f"}}});
    return request;
}

json body_of(const ai::model_request& request, const ai::gemini_options& options) {
    const auto text = ai::gemini_codec::encode_request(request, options);
    REQUIRE(text);
    return *ai::parse_json(*text);
}

json calling(const ai::model_request& request, const ai::gemini_options& options) {
    return body_of(request, options)["toolConfig"]["functionCallingConfig"];
}

std::string refusal(const ai::gemini_options& options, const ai::model_request& request = question()) {
    const auto text = ai::gemini_codec::encode_request(request, options);
    if (text) {
        return "";
    }
    CHECK(text.error().code == ai::errc::invalid_argument);
    CHECK_FALSE(text.error().hint.empty());
    return text.error().message;
}

}  // namespace

TEST_CASE("what is not set is not sent") {
    const json body = body_of(question(), {});
    CHECK(body.size() == 1);
    CHECK(body.contains("contents"));
}

TEST_CASE("each option of the generation has its member") {
    ai::gemini_options options;
    options.generation = {.temperature = 0.5,
                          .top_p = 0.9,
                          .top_k = 40,
                          .max_output_tokens = 100,
                          .stop_sequences = {"END"},
                          .candidate_count = 2,
                          .seed = 7,
                          .presence_penalty = 0.25,
                          .frequency_penalty = 0.0,
                          .response_mime_type = "application/json",
                          .response_json_schema = json::object({{"type", "object"}}),
                          .media_resolution = "MEDIA_RESOLUTION_LOW",
                          .thinking = {.include_thoughts = true, .level = "LOW"},
                          .more = json::object({{"responseModalities", json::array({"TEXT"})}, {"seed", 1}})};
    CHECK(body_of(question(), options)["generationConfig"] == *ai::parse_json(R"({
        "temperature": 0.5, "topP": 0.9, "topK": 40, "maxOutputTokens": 100, "stopSequences": ["END"], "candidateCount": 2, "seed": 7,
        "presencePenalty": 0.25, "frequencyPenalty": 0.0, "responseMimeType": "application/json", "responseJsonSchema": {"type": "object"},
        "mediaResolution": "MEDIA_RESOLUTION_LOW", "thinkingConfig": {"includeThoughts": true, "thinkingLevel": "LOW"},
        "responseModalities": ["TEXT"]})"));
    options.generation = {.thinking = {.budget = -1}};
    CHECK(body_of(question(), options)["generationConfig"] == *ai::parse_json(R"({"thinkingConfig": {"thinkingBudget": -1}})"));
}

TEST_CASE("safety settings are sent as they are given") {
    const json body =
        body_of(question(), {.safety = {{"HARM_CATEGORY_HARASSMENT", "BLOCK_ONLY_HIGH"}, {"HARM_CATEGORY_JAILBREAK", "OFF"}}});
    CHECK(body["safetySettings"] == *ai::parse_json(R"([{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_ONLY_HIGH"},
                                                        {"category": "HARM_CATEGORY_JAILBREAK", "threshold": "OFF"}])"));
}

TEST_CASE("what the service would refuse whatever the model is refused at once") {
    CHECK(refusal({.generation = {.thinking = {.budget = 1, .level = "LOW"}}}) == "a thinking budget and a thinking level are set");
    CHECK(refusal({.generation = {.temperature = std::numeric_limits<double>::quiet_NaN()}}) ==
          "a generation option is not a finite number");
    CHECK(refusal({.generation = {.more = json::array()}}) == "`generation.more` is not an object");
    CHECK(refusal({.safety = {{"HARM_CATEGORY_HARASSMENT", "OFF"}, {"HARM_CATEGORY_HARASSMENT", "BLOCK_NONE"}}}) ==
          "two safety settings for HARM_CATEGORY_HARASSMENT");
    CHECK(refusal({.tool_mode = ai::gemini_tool_mode::any, .allowed_functions = {"h"}}, question_with_functions()) ==
          "the allowed function `h` is not declared");
}

TEST_CASE("raw members are merged with what the SDK writes, and other members are sent unchanged") {
    const ai::gemini_options options{
        .generation = {.seed = 7},
        .safety = {{"HARM_CATEGORY_HARASSMENT", "OFF"}},
        .raw_members = *ai::parse_json(R"({"serviceTier": "flex", "cached_content": "cachedContents/abc", "labels": {"a_b": "c"},
            "store": null, "tools": [{"googleSearch": {}}, {"code_execution": {}}],
            "toolConfig": {"retrieval_config": {"languageCode": "en"}},
            "generation_config": {"logprobs": 3, "top_k": null}, "safetySettings": [{"category": "HARM_CATEGORY_JAILBREAK", "threshold": "OFF"}]})")};
    const json body = body_of(question_with_functions(), options);
    CHECK(body["serviceTier"] == "flex");
    CHECK(body["cachedContent"] == "cachedContents/abc");
    CHECK(body["labels"] == *ai::parse_json(R"({"a_b": "c"})"));
    CHECK_FALSE(body.contains("store"));
    REQUIRE(body["tools"].size() == 3);
    CHECK(body["tools"][0]["functionDeclarations"].size() == 2);
    CHECK(body["tools"][1] == *ai::parse_json(R"({"googleSearch": {}})"));
    CHECK(body["tools"][2] == *ai::parse_json(R"({"codeExecution": {}})"));
    CHECK(body["toolConfig"] == *ai::parse_json(R"({"functionCallingConfig": {"mode": "AUTO"}, "includeServerSideToolInvocations": true,
                                                    "retrievalConfig": {"languageCode": "en"}})"));
    CHECK(body["generationConfig"] == *ai::parse_json(R"({"seed": 7, "logprobs": 3})"));
    CHECK(body["safetySettings"].size() == 2);
    const json alone = body_of(question(), options);
    CHECK(alone["tools"].size() == 2);
    CHECK(alone["toolConfig"] == *ai::parse_json(R"({"retrievalConfig": {"languageCode": "en"}})"));
    const ai::gemini_options refusing{
        .raw_members = *ai::parse_json(R"({"tools": [{"googleSearch": {}}], "toolConfig": {"includeServerSideToolInvocations": false}})")};
    CHECK(body_of(question_with_functions(), refusing)["toolConfig"]["includeServerSideToolInvocations"] == false);
}

TEST_CASE("raw members that the SDK sets, or that have the wrong form, are refused") {
    const auto raw = [](const char* members) { return refusal({.generation = {.seed = 7}, .raw_members = *ai::parse_json(members)}); };
    CHECK(raw("[]") == "`raw_members` is not an object");
    CHECK(raw(R"({"contents": []})") == "`raw_members`: `contents` is written by the SDK");
    CHECK(raw(R"({"system_instruction": null})") == "`raw_members`: `systemInstruction` is written by the SDK");
    CHECK(raw(R"({"model": "x"})") == "`raw_members`: `model` is written by the SDK");
    CHECK(raw(R"({"tools": [{"function_declarations": []}]})") == "`raw_members`: `tools.functionDeclarations` is written by the SDK");
    CHECK(raw(R"({"toolConfig": {"functionCallingConfig": {}}})") ==
          "`raw_members`: `toolConfig.functionCallingConfig` is written by the SDK");
    CHECK(raw(R"({"generationConfig": {"seed": 1}})") == "`raw_members`: `generationConfig.seed` is also set by the option `generation`");
    CHECK(raw(R"({"serviceTier": "flex", "service_tier": "flex"})") == "`raw_members`: `serviceTier` is given twice");
    CHECK(raw(R"({"tools": {"googleSearch": {}}})") == "`raw_members`: `tools` is not a list");
    CHECK(raw(R"({"tools": ["googleSearch"]})") == "`raw_members`: `tools` has an element that is not an object");
    CHECK(raw(R"({"toolConfig": 5})") == "`raw_members`: `toolConfig` is not an object");
    CHECK(refusal({.safety = {{"HARM_CATEGORY_HARASSMENT", "OFF"}},
                   .raw_members = *ai::parse_json(R"({"safetySettings": [{"category": "HARM_CATEGORY_HARASSMENT"}]})")}) ==
          "two safety settings for HARM_CATEGORY_HARASSMENT");
}

TEST_CASE("the mode is sent with declarations only, and the request's goes before the option's") {
    CHECK_FALSE(body_of(question(), {.tool_mode = ai::gemini_tool_mode::any}).contains("toolConfig"));
    CHECK(calling(question_with_functions(), {})["mode"] == "AUTO");
    CHECK(calling(question_with_functions(), {.tool_mode = ai::gemini_tool_mode::none})["mode"] == "NONE");
    CHECK(calling(question_with_functions(), {.tool_mode = ai::gemini_tool_mode::validated})["mode"] == "VALIDATED");
    ai::model_request request = question_with_functions();
    request.mode = ai::tool_mode::none;
    CHECK(calling(request, {.tool_mode = ai::gemini_tool_mode::any})["mode"] == "NONE");
    request.mode = ai::tool_mode::required;
    CHECK(calling(request, {})["mode"] == "ANY");
    request.mode = ai::tool_mode::validated;
    CHECK(calling(request, {.tool_mode = ai::gemini_tool_mode::none})["mode"] == "VALIDATED");
}

TEST_CASE("ANY holds until the model has called, as it could never answer otherwise") {
    const ai::gemini_options any{.tool_mode = ai::gemini_tool_mode::any, .allowed_functions = {"g"}};
    CHECK(calling(question_with_functions(), any) == *ai::parse_json(R"({"mode": "ANY", "allowedFunctionNames": ["g"]})"));
    CHECK(calling(replies(), any) == *ai::parse_json(R"({"mode": "AUTO"})"));
    ai::model_request required = replies();
    required.mode = ai::tool_mode::required;
    CHECK(calling(required, {})["mode"] == "AUTO");
    ai::model_request next = replies();
    next.messages.push_back(ai::model_message("Done."));
    next.messages.push_back(ai::user_message("And now?"));
    CHECK(calling(next, any)["mode"] == "ANY");
    CHECK(calling(replies(), {.tool_mode = ai::gemini_tool_mode::validated, .allowed_functions = {"f"}}) ==
          *ai::parse_json(R"({"mode": "VALIDATED", "allowedFunctionNames": ["f"]})"));
}

TEST_CASE("parameters are declared in the closed form when the host says so, and what it cannot express is named") {
    const ai::gemini_options closed{.parameters = ai::gemini_parameters::closed};
    ai::model_request request = question();
    request.declarations = *ai::declare(
        {{.name = "f",
          .description = "F.",
          .parameters = *ai::parse_json(R"({"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": false})")},
         {.name = "g", .description = "G.", .parameters = *ai::parse_json(R"({"type": "object"})")}});
    CHECK(
        body_of(request, closed)["tools"][0]["functionDeclarations"] ==
        *ai::parse_json(R"([{"name": "f", "description": "F.", "parameters": {"type": "OBJECT", "properties": {"n": {"type": "INTEGER"}}}},
                              {"name": "g", "description": "G."}])"));
    request.declarations =
        *ai::declare({{.name = "f",
                       .description = "F.",
                       .parameters = *ai::parse_json(R"({"type": "object", "properties": {"n": {"type": "integer", "multipleOf": 2}}})")}});
    CHECK(refusal(closed, request) ==
          "the parameters of `f` cannot be declared in the closed form: \"/properties/n/multipleOf\": `multipleOf` cannot be expressed");
}

TEST_CASE("the options on the reference page can be sent") {
    // [options]
    const ai::gemini_options options{
        .api_key = ai::env("GEMINI_API_KEY"),
        .generation = {.max_output_tokens = 2000, .thinking = {.include_thoughts = true, .level = "LOW"}},
        .safety = {{"HARM_CATEGORY_HARASSMENT", "BLOCK_ONLY_HIGH"}},
        .tool_mode = ai::gemini_tool_mode::validated,
        .https = {.ca_file = "/etc/ssl/company.pem", .proxy = "http://proxy.example:3128"},
    };
    // [/options]
    const json body = body_of(question_with_functions(), options);
    CHECK(body["generationConfig"]["thinkingConfig"]["thinkingLevel"] == "LOW");
    CHECK(body["safetySettings"].size() == 1);
    CHECK(body["toolConfig"]["functionCallingConfig"]["mode"] == "VALIDATED");
}

TEST_CASE("the raw members on the reference page can be sent") {
    // [raw_members]
    const ai::gemini_options options{
        .api_key = ai::env("GEMINI_API_KEY"),
        .raw_members = {{"serviceTier", "flex"}, {"tools", ai::json::array({{{"googleSearch", ai::json::object()}}})}},
    };
    // [/raw_members]
    const json body = body_of(question(), options);
    CHECK(body["serviceTier"] == "flex");
    CHECK(body["tools"] == *ai::parse_json(R"([{"googleSearch": {}}])"));
}

}  // namespace gemini_options_tests
