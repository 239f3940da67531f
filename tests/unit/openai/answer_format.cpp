#include <pyaichat/openai/codec.hpp>
#include <pyaichat/openai/openai.hpp>
#include <pyaichat/testing/openai_emulator.hpp>

#include "canned.hpp"
#include "catch.hpp"
#include "parsed.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace {

const char* const strict = R"({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
    "properties": {"n": {"type": ["integer", "null"], "minimum": 0}, "of": {"$ref": "#/$defs/of"}}, "required": ["n", "of"],
    "additionalProperties": false, "$defs": {"of": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/of"}]}}}})";
const char* const loose = R"({"type": "object", "properties": {"code": {"type": "string", "pattern": "^(?=a)a+$"}}})";

ai::model_request asking(const char* schema, bool functions = false) {
    ai::model_request request;
    request.messages.push_back(ai::user_message("x"));
    request.answer_schema = std::make_shared<const json>(support::parsed(schema));
    request.time_left = 10s;
    if (functions) {
        request.declarations = *ai::declare({{.name = "f", .description = "F."}});
    }
    return request;
}

json body_of(const ai::model_request& request, const ai::openai_options& options) {
    const auto body = ai::openai_codec::encode_request(request, options);
    REQUIRE(body);
    return *ai::parse_json(*body);
}

ai::openai_options options_of(const char* profile) {
    return {.model = "m", .profile = *ai::openai_profile_named(profile)};
}

bool takes(const ai::openai_options& options, const char* schema) {
    return ai::openai(options, canned()).takes_answer_schema(support::parsed(schema));
}

}  // namespace

TEST_CASE("OpenAI takes the schema of an answer in the strict form, and no other service beside functions") {
    CHECK(takes({}, strict));
    CHECK(takes({.api = ai::openai_api::responses}, strict));
    CHECK_FALSE(takes({}, loose));
    CHECK_FALSE(takes({.model = "gpt-3.5-turbo"}, strict));
    for (const char* changed : {R"({"type": "string"})", "{}", "true", R"({"anyOf": [{"type": "object"}]})",
                                R"({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false})",
                                R"({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]})",
                                R"({"type": "object", "properties": {}, "additionalProperties": false, "oneOf": [{"type": "object"}]})",
                                R"({"type": "object", "properties": {"a": {"type": "string", "minLength": 3}}, "required": ["a"],
                                    "additionalProperties": false})",
                                R"({"type": "object", "properties": {"a": {"type": "string", "pattern": "^(?=a)a"}
}
, "required" : ["a"], "additionalProperties" : false
})",
                                R"({"type": "object", "properties": {"a": {"type": "string", "format": "uri"}}, "required": ["a"],
                                    "additionalProperties": false})",
                                R"({"type": "object", "properties": {"a": true}, "required": ["a"], "additionalProperties": false})",
                                R"({"type": "object", "properties": {"a": {"$ref": "https://example.com/x"}}, "required": ["a"],
                                    "additionalProperties": false})"}) {
        CAPTURE(changed);
        CHECK_FALSE(takes({}, changed));
    }
    for (const std::string& name : ai::openai_profile_names()) {
        CAPTURE(name);
        CHECK(takes(options_of(name.c_str()), strict) == (name == "openai"));
    }
}

TEST_CASE("the schema of the request replaces that of the options, on both interfaces") {
    json sent = support::parsed(strict);
    sent.erase("$schema");
    ai::openai_options options;
    options.generation.response_schema = support::parsed(loose);
    const json chat = body_of(asking(strict, true), options);
    CHECK(chat["response_format"] ==
          json::object({{"type", "json_schema"}, {"json_schema", json::object({{"name", "answer"}, {"strict", true}, {"schema", sent}})}}));
    options.api = ai::openai_api::responses;
    options.generation.more = json::object({{"text", json::object({{"verbosity", "low"}})}});
    const json responses = body_of(asking(strict, true), options);
    CHECK(responses["text"] ==
          json::object({{"verbosity", "low"},
                        {"format", json::object({{"type", "json_schema"}, {"name", "answer"}, {"strict", true}, {"schema", sent}})}}));
    ai::model_request plain = asking(strict);
    plain.answer_schema.reset();
    CHECK(body_of(plain, options)["text"]["format"]["schema"] == support::parsed(loose));
    options.generation.response_schema = {};
    CHECK(body_of(plain, options)["text"] == json::object({{"verbosity", "low"}}));
}

TEST_CASE("a schema replaces a format among the raw members, so that no member is sent twice") {
    const ai::openai_options options{.generation = {.more = support::parsed(R"({"response_format": {"type": "json_object"}})")}};
    ai::model_request request = asking(strict);
    const std::string body = *ai::openai_codec::encode_request(request, options);
    CHECK(body.find("response_format") == body.rfind("response_format"));
    CHECK(body_of(request, options)["response_format"]["type"] == "json_schema");
    request.answer_schema.reset();
    CHECK(body_of(request, options)["response_format"]["type"] == "json_object");
}

TEST_CASE("a service that takes no schema beside functions gets one without functions, reduced to what it accepts") {
    const json reduced = body_of(asking(loose), options_of("llamacpp"))["response_format"]["json_schema"]["schema"];
    CHECK(reduced["properties"]["code"] == support::parsed(R"({"type": "string", "description": "must match the pattern \"^(?=a)a+$\""})"));
    CHECK_FALSE(body_of(asking(strict, true), options_of("llamacpp")).contains("response_format"));
    CHECK_FALSE(body_of(asking(strict), options_of("deepseek")).contains("response_format"));
}

TEST_CASE("a strict service accepts each schema that is sent") {
    for (const ai::openai_api api : {ai::openai_api::chat, ai::openai_api::responses}) {
        fake::openai_emulator service{fake::openai_reply::text(R"({"n":1,"of":[]})")};
        ai::openai provider({.api_key = "test-key", .base_url = service.base_url(), .api = api});
        const auto response = provider.complete(asking(strict, true), {}, {});
        INFO((response ? "" : response.error().message));
        REQUIRE(response);
        CHECK(response->candidates.front().content.text() == R"({"n":1,"of":[]})");
    }
    fake::openai_emulator alone(fake::openai_emulator_options{.service = {.models = {"m"}, .answer_schemas_alone = true}});
    alone.enqueue(fake::openai_reply::text("{}"));
    alone.enqueue(fake::openai_reply::text("{}"));
    ai::openai_options options = options_of("groq");
    options.api_key = "test-key";
    options.base_url = alone.base_url();
    CHECK(ai::openai(options).complete(asking(strict, true), {}, {}));
    CHECK(ai::openai(options).complete(asking(loose), {}, {}));
}
