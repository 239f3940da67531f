// The provider against the emulated service: every generation of models, and every way in which a stream may look.
#include <pyaichat/gemini/codec.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>

#include "catch.hpp"

#include <string>
#include <vector>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace emulated_tests {

namespace {

const std::vector<std::string> generations = {"gemini-2.5-flash", "gemini-3.1-pro-preview", "gemini-3.5-flash", "gemini-3.8-flash",
                                              "gemini-4-argon"};

fake::gemini_emulator_options service_of(const std::string& model) {
    return {.service = {.models = {model}}};
}

ai::model_request question() {
    ai::model_request request;
    request.messages.push_back(ai::user_message("What is x?"));
    request.declarations = *ai::declare({{.name = "f", .description = "F."}, {.name = "g", .description = "G."}});
    request.time_left = 10s;
    return request;
}

ai::message replies_to(const ai::message& content) {
    ai::message out;
    for (const ai::part& one : content.parts) {
        if (const auto* call = one.as<ai::call_part>()) {
            out.parts.push_back(ai::response_part{call->id, call->name, json::object({{"ok", true}, {"result", 3}})});
        }
    }
    return out;
}

/// Asks, and takes the answer into the conversation.
ai::message step(ai::gemini& provider, ai::model_request& request) {
    const auto response = provider.complete(request, {}, {});
    if (!response) {
        FAIL(response.error().message);
    }
    REQUIRE_FALSE(response->candidates.empty());
    request.messages.push_back(response->candidates.front().content);
    return response->candidates.front().content;
}

ai::failure failure_of(fake::gemini_reply reply) {
    fake::gemini_emulator service{std::move(reply)};
    ai::gemini provider({.api_key = "test-key", .base_url = service.base_url()});
    const auto response = provider.complete(question(), {}, {});
    REQUIRE_FALSE(response);
    return response.error();
}

}  // namespace

TEST_CASE("a conversation with parallel and sequential calls is legal for every generation, streamed or whole") {
    for (const std::string& model : generations) {
        for (const bool stream : {true, false}) {
            CAPTURE(model, stream);
            fake::gemini_emulator service(service_of(model));
            service.enqueue(
                fake::gemini_reply::calls({{"fc-1", "f", json::object({{"n", 1}})}, {"fc-2", "g", nullptr}}, "c2lnbmF0dXJlLW9uZQ==")
                    .thinking("Let me see.")
                    .chunk_per_part());
            service.enqueue(fake::gemini_reply::calls({{"fc-3", "f", json::object()}}, "c2lnbmF0dXJlLXR3bw=="));
            service.enqueue(fake::gemini_reply::deltas({"It ", "is ", "3."}, "c2lnbmF0dXJlLTM="));
            service.enqueue(fake::gemini_reply::text("Still 3."));
            ai::gemini provider({.api_key = "test-key", .model = model, .base_url = service.base_url(), .stream = stream});
            ai::model_request request = question();
            request.messages.push_back(replies_to(step(provider, request)));
            ai::message replies = replies_to(step(provider, request));
            replies.parts.push_back(ai::text_part{"Respond again."});  // as the loop does after an unusable response
            request.messages.push_back(replies);
            CHECK(step(provider, request).text() == "It is 3.");
            request.messages.push_back(ai::user_message("And now?"));
            CHECK(step(provider, request).text() == "Still 3.");
            const auto seen = service.requests();
            REQUIRE(seen.size() == 4);
            CHECK(seen.back().every("thoughtSignature") ==
                  std::vector<json>{"c2lnbmF0dXJlLW9uZQ==", "c2lnbmF0dXJlLXR3bw==", "c2lnbmF0dXJlLTM="});
            CHECK(seen.back().every("functionResponse").size() == 3);
            CHECK(seen.back().every("functionResponse")[0].contains("id") == (model != "gemini-2.5-flash"));
        }
    }
}

TEST_CASE("a history from elsewhere, and one that another generation began, is legal for every generation") {
    for (const std::string& model : generations) {
        CAPTURE(model);
        fake::gemini_emulator service(service_of(model));
        service.enqueue(fake::gemini_reply::text("x"));
        service.enqueue(fake::gemini_reply::text("x"));
        ai::gemini provider({.api_key = "test-key", .model = model, .base_url = service.base_url()});
        ai::message foreign{.role = ai::role::model,
                            .parts = {ai::text_part{"Hm."}, ai::call_part{.name = "f"}, ai::call_part{.name = "g"}}};
        ai::model_request request = question();
        request.messages.push_back(foreign);
        request.messages.push_back(replies_to(foreign));
        CHECK(step(provider, request).text() == "x");
        const ai::message older = ai::gemini_codec::decode_content(
            *ai::parse_json(R"({"role": "model", "parts": [{"functionCall": {"name": "f"}, "thoughtSignature": "b3RoZXI="}]})"),
            "gemini-1");
        ai::model_request switched = question();
        switched.messages.push_back(older);
        switched.messages.push_back(replies_to(older));
        CHECK(step(provider, switched).text() == "x");
    }
}

TEST_CASE("calls that a model left without a signature, in any step, do not end the run") {
    for (const std::string& model : generations) {
        for (const char* signature : {"", "c2ln"}) {
            CAPTURE(model, signature);
            fake::gemini_emulator service(service_of(model));
            json part = *ai::parse_json(R"({"functionCall": {"name": "g", "args": {}, "id": "fc-9"}, "thoughtSignature": ""})");
            service.enqueue(fake::gemini_reply::calls({{"fc-1", "f", json::object()}, {"fc-2", "g", json::object()}}, signature));
            service.enqueue(fake::gemini_reply::parts(json::array({part})));
            service.enqueue(fake::gemini_reply::text("It is 3."));
            ai::gemini provider({.api_key = "test-key", .model = model, .base_url = service.base_url()});
            ai::model_request request = question();
            request.messages.push_back(replies_to(step(provider, request)));
            request.messages.push_back(replies_to(step(provider, request)));
            CHECK(step(provider, request).text() == "It is 3.");
        }
    }
}

TEST_CASE("parts of the service's own tools go back unchanged, and the sources of the text are kept") {
    const json parts = *ai::parse_json(R"([
        {"executableCode": {"language": "PYTHON", "code": "x = 3", "id": "e1"}, "thoughtSignature": "c2lnbmF0dXJlLW9uZQ=="
},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "3", "id": "e1"}},
        {"toolCall": {"id": "t1", "toolType": "GOOGLE_SEARCH_WEB", "args": {"q": "x"}}},
        {"toolResponse": {"id": "t1", "toolType": "GOOGLE_SEARCH_WEB", "response": {"a": 1}}},
        {"text": "It is 3."}])");
    json document = json::object();
    document["candidates"] = json::array({json::object({{"finishReason", "STOP"}, {"content", {{"role", "model"}, {"parts", parts}}}})});
    document["candidates"][0]["groundingMetadata"] = *ai::parse_json(R"({"webSearchQueries": ["x"]})");
    for (const bool stream : {true, false}) {
        CAPTURE(stream);
        fake::gemini_emulator service{fake::gemini_reply::document(document), fake::gemini_reply::text("Still 3.")};
        ai::gemini provider(
            {.api_key = "test-key",
             .base_url = service.base_url(),
             .stream = stream,
             .raw_members = *ai::parse_json(
                 R"({"tools": [{"googleSearch": {}}, {"codeExecution": {}}], "serviceTier": "flex", "cachedContent": "c/1"})")});
        ai::model_request request = question();
        const ai::message answer = step(provider, request);
        CHECK(answer.text() == "It is 3.");
        REQUIRE(answer.parts.size() == 6);
        REQUIRE(answer.parts.back().as<ai::opaque_part>());
        CHECK(answer.parts.back().as<ai::opaque_part>()->wire == *ai::parse_json(R"({"groundingMetadata": {"webSearchQueries": ["x"]}})"));
        request.messages.push_back(ai::user_message("Again?"));
        CHECK(step(provider, request).text() == "Still 3.");
        const auto seen = service.requests();
        CHECK(seen.back().body["contents"][1]["parts"] == parts);
        CHECK(seen.back().body["serviceTier"] == "flex");
        CHECK(seen.back().body["tools"].size() == 3);
        const auto tokens = provider.count_tokens(request);
        CHECK(tokens);
    }
}

TEST_CASE("a stream is read whatever it looks like") {
    const auto words = [] { return fake::gemini_reply::deltas({"It ", "is ", "3."}, "c2ln"); };
    std::vector<fake::gemini_reply> looks = {words(),
                                             words().byte_by_byte(),
                                             words().line_end("\n"),
                                             words().line_end("\r"),
                                             words().without_last_blank_line(),
                                             words().finish_on_every_chunk(),
                                             words().with_unknown_members(),
                                             words().usage(nullptr),
                                             words().thinking("Hm."),
                                             words().and_part(json::object()),
                                             words().header("Content-Type", "text/plain")};
    for (const auto last : {fake::gemini_last_chunk::empty_text, fake::gemini_last_chunk::empty_part, fake::gemini_last_chunk::role_only,
                            fake::gemini_last_chunk::empty_content, fake::gemini_last_chunk::no_content}) {
        looks.push_back(words().last_chunk(last));
    }
    for (std::size_t i = 0; i < looks.size(); ++i) {
        CAPTURE(i);
        fake::gemini_emulator service{looks[i]};
        service.enqueue(fake::gemini_reply::text("Again."));
        ai::gemini provider({.api_key = "test-key", .base_url = service.base_url()});
        ai::model_request request = question();
        CHECK(step(provider, request).text() == "It is 3.");
        request.messages.push_back(ai::user_message("Again?"));
        CHECK(step(provider, request).text() == "Again.");
    }
}

TEST_CASE("an interrupted stream and an error in one are failures, whatever had come before") {
    const auto calls = [] { return fake::gemini_reply::calls({{"fc-1", "f", json::object()}}, "c2ln"); };
    CHECK(failure_of(calls().without_finish()).code == ai::errc::connection_failed);
    CHECK(failure_of(calls().then_error(503, "UNAVAILABLE", "The model is overloaded.")).code == ai::errc::unavailable);
    CHECK(failure_of(calls().then_bare_error(503, "UNAVAILABLE", "The model is overloaded.")).code == ai::errc::unavailable);
    CHECK(failure_of(calls().cut_after(60)).code == ai::errc::connection_failed);
    CHECK(failure_of(fake::gemini_reply::error(404, "NOT_FOUND", "No.").header("Content-Type", "text/event-stream")).code ==
          ai::errc::unknown_model);
    CHECK(failure_of(fake::gemini_reply::error(400, "INVALID_ARGUMENT", "Bad.").in_array()).code == ai::errc::request_rejected);
    CHECK(failure_of(fake::gemini_reply::daily_quota()).code == ai::errc::quota_exhausted);
    CHECK(failure_of(fake::gemini_reply::rate_limit_in_text("12.3s")).retry_after == 12300ms);
    CHECK(failure_of(fake::gemini_reply::html_error()).code == ai::errc::unavailable);
}

TEST_CASE("the closed form of parameters is legal, and the service counts and lists") {
    fake::gemini_emulator service{fake::gemini_reply::text("x")};
    ai::gemini provider({.api_key = "test-key", .base_url = service.base_url(), .parameters = ai::gemini_parameters::closed});
    ai::model_request request = question();
    request.instructions = "Be terse.";
    request.declarations =
        *ai::declare({{.name = "f", .description = "F.", .parameters = *ai::parse_json(R"({"type": "object", "properties": {
        "when": {"type": ["string", "null"], "format": "date-time"}, "unit": {"enum": ["m", "ft"]}, "n": {"$ref": "#/$defs/count"},
        "list": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "maxItems": 3}},
        "required": ["unit"], "additionalProperties": false, "$defs": {"count": {"type": "integer", "exclusiveMinimum": 0}}})")}});
    CHECK(step(provider, request).text() == "x");
    const auto tokens = provider.count_tokens(request);
    REQUIRE(tokens);
    CHECK(*tokens > 0);
    const auto models = provider.list_models(5s);
    REQUIRE(models);
    REQUIRE(models->size() == 1);
    CHECK(models->front().name == "gemini-3.8-flash");
}

}  // namespace emulated_tests
