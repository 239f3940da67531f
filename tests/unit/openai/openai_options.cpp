#include <pyaichat/openai/openai_options.hpp>

#include <pyaichat/core/env.hpp>
#include <pyaichat/openai/codec.hpp>

#include "catch.hpp"

#include <cmath>

namespace ai = pyaichat;

namespace openai_options_tests {
using ai::json;

namespace {

ai::model_request question() {
    ai::model_request request;
    request.messages.push_back(ai::user_message("x"));
    return request;
}

json body_of(const ai::openai_options& options) {
    const auto body = ai::openai_codec::encode_request(question(), options);
    REQUIRE(body);
    return *ai::parse_json(*body);
}

// [options]
const ai::openai_options hosted{
    .api_key = ai::env("OPENAI_API_KEY"),
    .model = "gpt-5.4-mini",
    .generation = {.max_output_tokens = 2000},
    .https = {.ca_file = "/etc/ssl/company.pem", .proxy = "http://proxy.example:3128"},
};
const ai::openai_options local{
    .model = "qwen3:8b",
    .profile = *ai::openai_profile_named("ollama"),
};
// [/options]

}  // namespace

TEST_CASE("only options that are set are sent") {
    CHECK(body_of({.stream = false}) == *ai::parse_json(R"({"model": "gpt-5.4-mini", "messages": [{"role": "user", "content": "x"}]})"));
    CHECK(body_of(hosted)["max_completion_tokens"] == 2000);
    CHECK(body_of(local)["model"] == "qwen3:8b");
    const json all = body_of({.generation = {.temperature = 0.5,
                                             .top_p = 0.9,
                                             .max_output_tokens = 7,
                                             .stop_sequences = {"END"},
                                             .seed = 3,
                                             .presence_penalty = 0.25,
                                             .frequency_penalty = -0.25,
                                             .reasoning_effort = "low",
                                             .response_schema = *ai::parse_json(R"({"type": "object"})"),
                                             .more = json::object({{"service_tier", "flex"}})}});
    CHECK(all["temperature"] == 0.5);
    CHECK(all["top_p"] == 0.9);
    CHECK(all["stop"] == json::array({"END"}));
    CHECK(all["seed"] == 3);
    CHECK(all["presence_penalty"] == 0.25);
    CHECK(all["frequency_penalty"] == -0.25);
    CHECK(all["reasoning_effort"] == "low");
    CHECK(all["service_tier"] == "flex");
    CHECK(all["response_format"] ==
          *ai::parse_json(R"({"type": "json_schema", "json_schema": {"name": "answer", "schema": {"type": "object"}}})"));
    CHECK(all["stream"] == true);
}

TEST_CASE("an option that no service takes is refused before anything is sent") {
    for (const ai::openai_options& options :
         {ai::openai_options{.generation = {.temperature = std::nan("")}}, ai::openai_options{.generation = {.more = json::array()}}}) {
        const auto body = ai::openai_codec::encode_request(question(), options);
        REQUIRE_FALSE(body);
        CHECK(body.error().code == ai::errc::invalid_argument);
    }
}

}  // namespace openai_options_tests
