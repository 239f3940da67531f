#include <pyaichat/anthropic/anthropic_options.hpp>

#include <pyaichat/anthropic/codec.hpp>
#include <pyaichat/core/env.hpp>

#include "catch.hpp"

namespace ai = pyaichat;
using ai::json;

TEST_CASE("options reach the request, and the raw members beside them") {
    // [options]
    const ai::anthropic_options options{
        .api_key = ai::env("ANTHROPIC_API_KEY"),
        .model = "claude-sonnet-5-5",
        .max_tokens = 32'000,
        .thinking = {.type = "adaptive", .display = "summarized", .effort = "low"},
        .generation = {.stop_sequences = {"END"}, .more = {{"inference_geo", "eu"}}},
        .cache = ai::anthropic_cache::one_hour,
    };
    // [/options]
    ai::model_request request;
    request.messages.push_back(ai::user_message("q"));
    const auto body = ai::anthropic_codec::encode_request(request, options);
    REQUIRE(body);
    CHECK(*ai::parse_json(*body) == *ai::parse_json(R"({"model":"claude-sonnet-5-5","max_tokens":32000,"stream":true,
        "thinking":{"type":"adaptive","display":"summarized"},"output_config":{"effort":"low"},"stop_sequences":["END"],
        "inference_geo":"eu","cache_control":{"type":"ephemeral","ttl":"1h"},"messages":[{"role":"user","content":"q"}]})"));
}
