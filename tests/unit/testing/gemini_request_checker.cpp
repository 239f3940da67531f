#include <pyaichat/testing/gemini_request_checker.hpp>

#include "catch.hpp"
#include "golden.hpp"

#include <functional>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace gemini_request_checker_tests {
using ai::json;

namespace {

constexpr const char* path = "/v1beta/models/gemini-3.8-flash:generateContent";
const std::vector<ai::http_header> with_key = {{"x-goog-api-key", "test-key"}};

/// Two finished steps in one turn: two parallel calls, then one, each step signed.
json legal_request() {
    return *ai::parse_json(R"({
        "contents": [
            {"role": "user", "parts": [{"text": "Weather and time?"}]},
            {"role": "model", "parts": [
                {"functionCall": {"id": "fc-1", "name": "get_weather", "args": {"city": "Paris"}}, "thoughtSignature": "c2lnbmF0dXJlLW9uZQ=="},
                {"functionCall": {"id": "fc-2", "name": "get_time", "args": {"city": "Tokyo"}}}]},
            {"role": "user", "parts": [
                {"functionResponse": {"id": "fc-1", "name": "get_weather", "response": {"output": "clear"}}},
                {"functionResponse": {"id": "fc-2", "name": "get_time", "response": {"output": "23:15"}}}]},
            {"role": "model", "parts": [
                {"functionCall": {"id": "fc-3", "name": "get_time", "args": {}}, "thoughtSignature": "c2lnbmF0dXJlLXR3bw=="}]},
            {"role": "user", "parts": [
                {"functionResponse": {"id": "fc-3", "name": "get_time", "response": {"output": "x"}}}]}],
        "systemInstruction": {"parts": [{"text": "Be terse."}]},
        "tools": [{"functionDeclarations": [
            {"name": "get_weather", "description": "Weather.", "parametersJsonSchema": {"type": "object", "properties": {"city": {"type": "string"}}}},
            {"name": "get_time", "description": "Time."}]}],
        "toolConfig": {"functionCallingConfig": {"mode": "AUTO"}}})");
}

std::optional<fake::service_refusal> check(const json& body) {
    return fake::check_gemini_request("POST", path, with_key, ai::dump_json(body));
}

json& parts(json& request, std::size_t content) {
    return request["contents"][content]["parts"];
}

struct mutant {
    const char* name;
    std::function<void(json&)> change;
    const char* text;  ///< of the refusal, from the beginning
};

constexpr const char* wrong_count =
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
constexpr const char* wrong_reply = "Please ensure that each function call has a function response with the same id and name";
constexpr const char* model_last = "Requests ending with a model turn are not supported.";

std::vector<mutant> mutants() {
    return {
        {"reordered replies without ids",
         [](json& r) {
             for (json& part : parts(r, 1)) {
                 part["functionCall"].erase("id");
             }
             for (json& part : parts(r, 2)) {
                 part["functionResponse"].erase("id");
             }
             std::swap(parts(r, 2)[0], parts(r, 2)[1]);
         },
         wrong_reply},
        {"two replies with the same id",
         [](json& r) {
             parts(r, 2)[1]["functionResponse"]["id"] = "fc-1";
             parts(r, 2)[1]["functionResponse"]["name"] = "get_weather";
         },
         wrong_reply},
        {"a dropped id in a reply", [](json& r) { parts(r, 2)[0]["functionResponse"].erase("id"); },
         "Please ensure that the id of each function call is echoed in its function response"},
        {"a dropped id in a call", [](json& r) { parts(r, 1)[0]["functionCall"].erase("id"); },
         "Please ensure that function responses have no id when their function calls had none"},
        {"another id in a reply", [](json& r) { parts(r, 4)[0]["functionResponse"]["id"] = "made-up"; }, wrong_reply},
        {"another name in a reply", [](json& r) { parts(r, 4)[0]["functionResponse"]["name"] = "get_weather"; }, wrong_reply},
        {"a moved signature",
         [](json& r) {
             parts(r, 1)[1]["thoughtSignature"] = parts(r, 1)[0]["thoughtSignature"];
             parts(r, 1)[0].erase("thoughtSignature");
         },
         "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing "
         "thought_signature may lead to degraded model performance. Additional data, function call `default_api:get_weather` , position 2. "
         "Please "
         "refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details."},
        {"a dropped signature of the second step", [](json& r) { parts(r, 3)[0].erase("thoughtSignature"); },
         "Function call is missing a thought_signature in functionCall parts."},
        {"a signature inside the call",
         [](json& r) {
             parts(r, 3)[0]["functionCall"]["thoughtSignature"] = parts(r, 3)[0]["thoughtSignature"];
             parts(r, 3)[0].erase("thoughtSignature");
         },
         "Invalid JSON payload received. Unknown name \"thoughtSignature\" at 'contents[3].parts[0].function_call': Cannot find field."},
        {"a signature that is no base64", [](json& r) { parts(r, 1)[0]["thoughtSignature"] = "not base64!"; },
         "Invalid value at 'contents[1].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed for \"not base64!\""},
        {"a missing reply", [](json& r) { parts(r, 2).erase(1); }, wrong_count},
        {"a reply too many", [](json& r) { parts(r, 4).push_back(parts(r, 4)[0]); }, wrong_count},
        {"replies in two contents",
         [](json& r) {
             json second = json::object({{"role", "user"}});
             second["parts"] = json::array();
             second["parts"].push_back(parts(r, 2)[1]);
             parts(r, 2).erase(1);
             r["contents"].insert(r["contents"].begin() + 3, second);
         },
         wrong_count},
        {"text instead of replies", [](json& r) { parts(r, 4) = json::array({json::object({{"text", "never mind"}})}); }, wrong_count},
        {"replies by the model", [](json& r) { r["contents"][4]["role"] = "model"; },
         "Please ensure that function response turn comes immediately after a function call turn."},
        {"replies to nobody", [](json& r) { parts(r, 3) = json::array({json::object({{"text", "hm"}})}); },
         "Please ensure that function response turn comes immediately after a function call turn."},
        {"calls after a model content",
         [](json& r) {
             json said = json::object({{"role", "model"}});
             said["parts"] = json::array({json::object({{"text", "Let me see."}})});
             r["contents"].insert(r["contents"].begin() + 1, said);
         },
         "Please ensure that function call turn comes immediately after a user turn or after a function response turn."},
        {"calls first", [](json& r) { r["contents"].erase(0); },
         "Please ensure that function call turn comes immediately after a user turn or after a function response turn."},
        {"calls and replies in one content", [](json& r) { parts(r, 1).push_back(parts(r, 2)[0]); },
         "Please ensure that function call turn contains at least one function_call part which can not be mixed with function_response "
         "parts."},
        {"a trailing model content",
         [](json& r) {
             json said = json::object({{"role", "model"}});
             said["parts"] = json::array({json::object({{"text", "The answer is"}})});
             r["contents"].push_back(said);
         },
         model_last},
        {"a trailing call content", [](json& r) { r["contents"].erase(4); }, model_last},
        {"text after the last replies", [](json& r) { parts(r, 4).push_back(json::object({{"text", "Hurry."}})); }, model_last},
        {"text between the last replies",
         [](json& r) {
             r["contents"].erase(4);
             r["contents"].erase(3);
             parts(r, 2).insert(parts(r, 2).begin() + 1, json::object({{"text", "Hurry."}}));
         },
         model_last},
        {"the model in the body", [](json& r) { r["model"] = "models/gemini-3.8-flash"; },
         "Invalid JSON payload received. Unknown name \"model\": Cannot find field."},
        {"a member in two spellings", [](json& r) { r["system_instruction"] = r["systemInstruction"]; },
         "Invalid JSON payload received. Unknown name \"system_instruction\": The same field is already set in its other spelling."},
        {"a temperature of 3", [](json& r) { r["generationConfig"]["temperature"] = 3; },
         "Unable to submit request because it has a temperature value out of the supported range from 0 to 2."},
        {"a negative topP", [](json& r) { r["generationConfig"]["topP"] = -0.1; },
         "Unable to submit request because it has a topP value out of the supported range from 0 to 1."},
        {"no output tokens", [](json& r) { r["generationConfig"]["maxOutputTokens"] = 0; },
         "Unable to submit request because it has a maxOutputTokens value out of the supported range from 1 to 2147483647."},
        {"21 logprobs", [](json& r) { r["generationConfig"]["logprobs"] = 21; },
         "Unable to submit request because it has a logprobs value out of the supported range from 0 to 20."},
        {"no candidates", [](json& r) { r["generationConfig"]["candidateCount"] = 0; },
         "Unable to submit request because it has a candidateCount value out of the supported range from 1 to 8."},
        {"a thinking budget of -2", [](json& r) { r["generationConfig"]["thinkingConfig"]["thinkingBudget"] = -2; },
         "Unable to submit request because it has a thinking budget value out of the supported range from 0 to 2147483647."},
        {"an int32 that is too large", [](json& r) { r["generationConfig"]["seed"] = 2147483648; },
         "Invalid value at 'generation_config.seed' (TYPE_INT32), 2147483648"},
        {"an int64 that is too large",
         [](json& r) {
             r["tools"][0]["functionDeclarations"][1]["parameters"] =
                 *ai::parse_json(R"({"type": "OBJECT", "maxProperties": "9223372036854775808"})");
         },
         "Invalid value at 'tools[0].function_declarations[1].parameters.max_properties' (TYPE_INT64), \"9223372036854775808\""},
        {"an unknown member at the top", [](json& r) { r["foo"] = 1; },
         "Invalid JSON payload received. Unknown name \"foo\": Cannot find field."},
        {"an unknown member below", [](json& r) { r["generationConfig"]["foo"] = 1; },
         "Invalid JSON payload received. Unknown name \"foo\" at 'generation_config': Cannot find field."},
        {"an unknown member in a part", [](json& r) { parts(r, 0)[0]["cache_control"] = true; },
         "Invalid JSON payload received. Unknown name \"cache_control\" at 'contents[0].parts[0]': Cannot find field."},
        {"a list for a single field", [](json& r) { r["systemInstruction"] = json::array({r["systemInstruction"]}); },
         "Invalid JSON payload received. Unknown name \"systemInstruction\": Proto field is not repeating, cannot start list."},
        {"a bad mode", [](json& r) { r["toolConfig"]["functionCallingConfig"]["mode"] = "FOO"; },
         "Invalid value at 'tool_config.function_calling_config.mode' "
         "(type.googleapis.com/google.ai.generativelanguage.v1beta.FunctionCallingConfig.Mode), \"FOO\""},
        {"a mode in lower case", [](json& r) { r["toolConfig"]["functionCallingConfig"]["mode"] = "auto"; },
         "Invalid value at 'tool_config.function_calling_config.mode' "},
        {"two data members in a part", [](json& r) { parts(r, 0)[0]["functionCall"] = json::object({{"name", "f"}}); },
         "Invalid value at 'contents[0].parts[0]' (oneof), oneof field 'data' is already set. Cannot set 'text'"},
        {"a response that is no object", [](json& r) { parts(r, 4)[0]["functionResponse"]["response"] = "text"; },
         "Invalid value at 'contents[4].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct), \"text\""},
        {"arguments as text", [](json& r) { parts(r, 3)[0]["functionCall"]["args"] = "{}"; },
         "Invalid value at 'contents[3].parts[0].function_call.args' (type.googleapis.com/google.protobuf.Struct), \"{}\""},
        {"a schema keyword that is not OpenAPI",
         [](json& r) {
             json schema = *ai::parse_json(R"({"type": "OBJECT", "properties": {"a": {"type": "STRING"}, "b": {"const": 1}}})");
             r["tools"][0]["functionDeclarations"][1]["parameters"] = schema;
         },
         "Invalid JSON payload received. Unknown name \"const\" at 'tools[0].function_declarations[1].parameters.properties[1].value': "
         "Cannot find field."},
        {"a type list in the OpenAPI schema",
         [](json& r) { r["tools"][0]["functionDeclarations"][1]["parameters"] = *ai::parse_json(R"({"type": ["STRING", "NULL"]})"); },
         "Invalid JSON payload received. Unknown name \"type\" at 'tools[0].function_declarations[1].parameters': Proto field is not "
         "repeating, cannot "
         "start list."},
        {"both kinds of schema",
         [](json& r) { r["tools"][0]["functionDeclarations"][0]["parameters"] = *ai::parse_json(R"({"type": "OBJECT"})"); },
         "* GenerateContentRequest.tools[0].function_declarations[0]: parameters and parameters_json_schema are mutually exclusive.\n"},
        {"a role of another API", [](json& r) { r["contents"][2]["role"] = "function"; }, "Please use a valid role: user, model."},
        {"an empty response name", [](json& r) { parts(r, 4)[0]["functionResponse"]["name"] = ""; },
         "* GenerateContentRequest.contents[4].parts[0].function_response.name: Name cannot be empty.\n"},
        {"no contents", [](json& r) { r.erase("contents"); }, "* GenerateContentRequest.contents: contents is not specified\n"},
        {"empty parts", [](json& r) { parts(r, 0) = json::array(); },
         "* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.\n"},
        {"a part without data", [](json& r) { parts(r, 0)[0] = json::object({{"thought", true}}); },
         "* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field\n"},
        {"a bad function name", [](json& r) { r["tools"][0]["functionDeclarations"][1]["name"] = "9lives"; },
         "* GenerateContentRequest.tools[0].function_declarations[1].name: Invalid function name. Must start with a letter or an "
         "underscore. Must be "
         "alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.\n"},
        {"a function name of 65 characters", [](json& r) { r["tools"][0]["functionDeclarations"][1]["name"] = std::string(65, 'f'); },
         "* GenerateContentRequest.tools[0].function_declarations[1].name: Invalid function name."},
        {"a function declared twice", [](json& r) { r["tools"][0]["functionDeclarations"][1]["name"] = "get_weather"; },
         "* GenerateContentRequest.tools[0].function_declarations[1].name: Duplicate function declaration found: get_weather\n"},
        {"a mode without declarations", [](json& r) { r.erase("tools"); }, "Function calling config is set without function_declarations."},
        {"allowed names in mode AUTO",
         [](json& r) { r["toolConfig"]["functionCallingConfig"]["allowedFunctionNames"] = json::array({"get_time"}); },
         "* GenerateContentRequest.tool_config.function_calling_config.allowed_function_names: only supported with"},
        {"a penalty", [](json& r) { r["generationConfig"]["presencePenalty"] = 0.5; }, "Penalty is not enabled for this model."},
    };
}

}  // namespace

TEST_CASE("a legal request is accepted, under both versions") {
    CHECK_FALSE(check(legal_request()));
    CHECK_FALSE(
        fake::check_gemini_request("POST", "/v1/models/gemini-3.8-flash:generateContent", with_key, ai::dump_json(legal_request())));
    CHECK_FALSE(fake::check_gemini_request("GET", "/v1beta/models/gemini-3.8-flash", with_key, ""));
    for (const char* target : {"/v1alpha/models/gemini-3.8-flash:generateContent", "/v1/models/gemini-3.8-flash:streamGenerateContent",
                               "/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse&prettyPrint=false"}) {
        CHECK_FALSE(fake::check_gemini_request("POST", target, with_key, ai::dump_json(legal_request())));
    }
    CHECK_FALSE(fake::check_gemini_request("POST", "/v1beta/tunedModels/mine:generateContent", with_key, ai::dump_json(legal_request()),
                                           {.models = {"tunedModels/mine"}}));
}

TEST_CASE("paths into a schema count its properties in the order in which they were sent") {
    const auto refusal = fake::check_gemini_request("POST", path, with_key, R"({
        "contents": [{"role": "user", "parts": [{"text": "x"}]}],
        "tools": [{"functionDeclarations": [{"name": "f", "description": "d", "parameters": {"type": "OBJECT", "properties": {
            "zebra": {"type": "STRING"}, "apple": {"const": 1}}}}]}]})");
    REQUIRE(refusal);
    CHECK(refusal->message() ==
          "Invalid JSON payload received. Unknown name \"const\" at 'tools[0].function_declarations[0].parameters.properties[1].value': "
          "Cannot find field.");
}

TEST_CASE("what is required is told line by line, and as field violations") {
    json request = legal_request();
    parts(request, 4)[0]["functionResponse"]["name"] = "";
    request["tools"][0]["functionDeclarations"][1]["name"] = "9lives";
    const auto refusal = check(request);
    REQUIRE(refusal);
    const json& violations = refusal->body["error"]["details"][0]["fieldViolations"];
    REQUIRE(violations.size() == 2);
    CHECK(violations[0]["field"] == "contents[4].parts[0].function_response.name");
    CHECK(violations[1]["field"] == "tools[0].function_declarations[1].name");
    const std::string message = refusal->message();
    CHECK(std::count(message.begin(), message.end(), '\n') == 2);
}

TEST_CASE("every mutant of a legal request is refused with its text") {
    for (const mutant& one : mutants()) {
        json request = legal_request();
        one.change(request);
        const auto refusal = check(request);
        CAPTURE(one.name, ai::dump_json(request));
        REQUIRE(refusal);
        CHECK(refusal->status == 400);
        CAPTURE(refusal->message());
        CHECK(refusal->message().rfind(one.text, 0) == 0);
        CHECK(ai::string_member(*ai::find_member(refusal->body, "error"), "status") == "INVALID_ARGUMENT");
    }
}

TEST_CASE("all violations of the message types are told at once, each as a field violation") {
    json request = legal_request();
    request["foo"] = 1;
    request["contents"][0]["parts"][0]["text"] = 5;
    request["toolConfig"]["functionCallingConfig"]["mode"] = "FOO";
    const auto refusal = check(request);
    REQUIRE(refusal);
    const json& violations = refusal->body["error"]["details"][0]["fieldViolations"];
    REQUIRE(violations.size() == 3);
    CHECK(violations[0]["field"] == "contents[0].parts[0].text");
    CHECK(violations[0]["description"] == "Invalid value at 'contents[0].parts[0].text' (TYPE_STRING), 5");
    CHECK(violations[1]["field"] == "");
    CHECK(violations[2]["field"] == "tool_config.function_calling_config.mode");
    const std::string message = refusal->message();
    CHECK(std::count(message.begin(), message.end(), '\n') == 2);
}

TEST_CASE("snake_case members, nulls and both base64 alphabets are accepted, as the service does") {
    json request = legal_request();
    request["system_instruction"] = request["systemInstruction"];
    request.erase("systemInstruction");
    request["cachedContent"] = nullptr;
    parts(request, 1)[0]["thought_signature"] = "c2ln_-s";
    parts(request, 1)[0].erase("thoughtSignature");
    CHECK_FALSE(check(request));
}

TEST_CASE("replies with the right ids are accepted in any order, and a function needs no description") {
    json request = legal_request();
    std::swap(parts(request, 2)[0], parts(request, 2)[1]);
    request["tools"][0]["functionDeclarations"][1].erase("description");
    CHECK_FALSE(check(request));
}

TEST_CASE("the thinking budget of each 2.5 model has its range") {
    const auto takes = [](const std::string& model, int budget) {
        const fake::gemini_service service{.models = {model}};
        json request = *ai::parse_json(R"({"contents": [{"role": "user", "parts": [{"text": "x"}]}]})");
        request["generationConfig"]["thinkingConfig"]["thinkingBudget"] = budget;
        return !fake::check_gemini_request("POST", "/v1/models/" + model + ":generateContent", with_key, ai::dump_json(request), service);
    };
    for (const char* model : {"gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite"}) {
        CAPTURE(model);
        CHECK(takes(model, -1));
        CHECK(takes(model, 0) == (model != std::string("gemini-2.5-pro")));
        CHECK(takes(model, 100) == (model == std::string("gemini-2.5-flash")));
        CHECK(takes(model, 30'000) == (model == std::string("gemini-2.5-pro")));
        CHECK_FALSE(takes(model, 40'000));
    }
}

TEST_CASE("the schema of an answer is refused where the service cannot read it, and unknown keywords are ignored") {
    const auto refusal = [](const char* schema) {
        json request = legal_request();
        request["generationConfig"]["responseMimeType"] = "application/json";
        request["generationConfig"]["responseJsonSchema"] = *ai::parse_json(schema);
        const auto found = check(request);
        return found ? found->message() : std::string();
    };
    const std::string begin = "Invalid JSON schema at 'generation_config.response_json_schema";
    CHECK(refusal(R"({"type": "object", "properties": {"a": {"type": ["string", "null"], "pattern": "^x"}, "b": {"$ref": "#/$defs/n"}},
                      "$defs": {"n": {"enum": ["a", 1]}}})")
              .empty());
    CHECK(refusal(R"({"type": "object", "properties": {"next": {"$ref": "#"}}})").empty());
    CHECK(refusal("5") == begin + "': is not an object.");
    CHECK(refusal(R"({"items": {"type": "any"}})") == begin + ".items.type': is not a type.");
    CHECK(refusal(R"({"anyOf": [{"enum": [true]}]})") == begin + ".anyOf[0].enum': has a value that is neither a string nor a number.");
    CHECK(refusal(R"({"properties": {"a": {"$ref": "#", "description": "d"}}})") ==
          begin + ".properties[a]': a node with `$ref` has the member `description`.");
    CHECK(refusal(R"({"properties": {"a": {"$ref": "#/$defs/b"}}})") ==
          begin + ".properties[a]': the reference \"#/$defs/b\" leads to nothing.");
    CHECK(refusal(R"({"properties": {"a": {"$ref": "#"}}, "required": ["a"]})") ==
          begin + ".properties[a]': the reference \"#\" is recursive through required properties.");
}

TEST_CASE("HEAD is accepted where GET is") {
    CHECK_FALSE(fake::check_gemini_request("HEAD", "/v1beta/models/gemini-3.8-flash", with_key, ""));
    CHECK_FALSE(fake::check_gemini_request("HEAD", "/v1beta/models?pageSize=5", with_key, ""));
    CHECK(fake::check_gemini_request("HEAD", path, with_key, ""));
}

TEST_CASE("a request whose tokens are counted names its model in the body") {
    json count = json::object();
    count["generateContentRequest"] = legal_request();
    count["generateContentRequest"]["model"] = "models/gemini-3.8-flash";
    const auto refusal = [&] {
        return fake::check_gemini_request("POST", "/v1beta/models/gemini-3.8-flash:countTokens", with_key, ai::dump_json(count));
    };
    CHECK_FALSE(refusal());
    count["model"] = "models/gemini-3.8-flash";
    CHECK(refusal());
}

TEST_CASE("placeholders stand for a signature, and turns of the past need none") {
    json request = legal_request();
    parts(request, 1)[0]["thoughtSignature"] = "skip_thought_signature_validator";
    parts(request, 3)[0]["thoughtSignature"] = "context_engineering_is_the_way_to_go";
    CHECK_FALSE(check(request));
    json past = legal_request();
    parts(past, 1)[0].erase("thoughtSignature");
    past["contents"].push_back(*ai::parse_json(R"({"role": "model", "parts": [{"text": "Done."}]})"));
    past["contents"].push_back(*ai::parse_json(R"({"role": "user", "parts": [{"text": "And now?"}]})"));
    CHECK_FALSE(check(past));
}

TEST_CASE("text before the replies is accepted and does not begin a new turn") {
    json request = legal_request();
    parts(request, 2).insert(parts(request, 2).begin(), json::object({{"text", "Note this."}}));
    CHECK_FALSE(check(request));
    parts(request, 1)[0].erase("thoughtSignature");
    CHECK(check(request));
}

TEST_CASE("a signature that was given out is corrupted in any other part") {
    fake::gemini_service service;
    const json request = legal_request();
    service.issued_signatures.emplace("c2lnbmF0dXJlLW9uZQ==", request["contents"][1]["parts"][0]);
    CHECK_FALSE(fake::check_gemini_request("POST", path, with_key, ai::dump_json(request), service));
    json moved = request;
    parts(moved, 3)[0]["thoughtSignature"] = "c2lnbmF0dXJlLW9uZQ==";
    const auto refusal = fake::check_gemini_request("POST", path, with_key, ai::dump_json(moved), service);
    REQUIRE(refusal);
    CHECK(refusal->message() == "Corrupted thought signature.");
}

TEST_CASE("path, key and model are refused before the body is looked at, with the service's status") {
    struct expectation {
        const char* method;
        const char* path;
        std::vector<ai::http_header> headers;
        const char* body;
        int status;
        const char* text;
    };
    const std::vector<expectation> all = {
        {"GET", path, with_key, "", 404, "Requested entity was not found."},
        {"GET", "/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse", with_key, "", 404, "Requested entity was not found."},
        {"POST", "/v1beta/models", with_key, "{}", 404, "Requested entity was not found."},
        {"POST", "/v1beta/models/gemini-3.8-flash:embedContent", with_key, "{}", 404, "Requested entity was not found."},
        {"POST", "/v1beta/models/gemini-3.8-flash:generateContent?key=test-key", with_key, "{}", 400, "The API key is in the URL"},
        {"POST", "/v1beta/models/gemini-3.8-flash:generateContent?alt=sse", with_key, "{}", 400, "Invalid value \"sse\" for the query"},
        {"POST", "/v1beta/models/gemini-3.8-flash:streamGenerateContent?stream=1", with_key, "{}", 400,
         "Invalid JSON payload received. Unknown name \"stream\": Cannot bind query parameter."},
        {"GET", "/v1beta/models?pageSize=ten", with_key, "", 400, "Invalid value at 'page_size' (TYPE_INT32), \"ten\""},
        {"GET", "/v1beta/models", {}, "", 403, "Method doesn't allow unregistered callers"},
        {"POST", "/v1beta/models/gemini-9:countTokens", with_key, R"({"contents": [{"parts": [{"text": "x"}]}]})", 404,
         "models/gemini-9 is not found for API version v1beta, or is not supported for countTokens."},
        {"POST", "/v1beta/models/gemini-3.8-flash:countTokens", with_key,
         R"({"contents": [{"parts": [{"text": "x"}]}], "generateContentRequest": {"model": "models/gemini-3.8-flash"}})", 400,
         "Only one of contents and generate_content_request can be set."},
        {"POST", "/v2/models/gemini-3.8-flash:generateContent", with_key, "{}", 404, "Requested entity"},
        {"POST", "/v1/models/models/gemini-3.8-flash:generateContent", with_key, "{}", 404, "Requested entity"},
        {"POST", path, {}, "nonsense", 403, "Method doesn't allow unregistered callers"},
        {"POST", path, {{"X-Goog-Api-Key", "wrong"}}, "nonsense", 400, "API key not valid. Please pass a valid API key."},
        {"POST", path, with_key, "{\"contents\": [", 400, "Invalid JSON payload received. "},
        {"POST", path, with_key, "[]", 400, "Invalid value at ''"},
        {"POST", "/v1beta/models/gemini-9:generateContent", with_key, R"({"contents": [{"role": "user", "parts": [{"text": "x"}]}]})", 404,
         "models/gemini-9 is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of "
         "available "
         "models and their supported methods."},
        {"GET", "/v1/models/gemini-9", with_key, "", 404, "models/gemini-9 is not found for API version v1,"},
    };
    for (const expectation& one : all) {
        CAPTURE(one.method, one.path, one.body);
        const auto refusal = fake::check_gemini_request(one.method, one.path, one.headers, one.body);
        REQUIRE(refusal);
        CHECK(refusal->status == one.status);
        CAPTURE(refusal->message());
        CHECK(refusal->message().rfind(one.text, 0) == 0);
    }
}

TEST_CASE("the unary requests recorded from the official client are accepted") {
    if (!golden_requests_are_there()) {
        return;
    }
    for (const char* number : {"01", "02", "03", "06", "16", "17", "91", "96"}) {
        for (const golden_request& one : golden_requests(number)) {
            CAPTURE(number);
            const auto refusal = fake::check_gemini_request("POST", one.path, with_key, ai::dump_json(one.body));
            CAPTURE(refusal ? refusal->message() : std::string());
            CHECK_FALSE(refusal);
        }
    }
}

}  // namespace gemini_request_checker_tests
