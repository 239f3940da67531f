#include <pyaichat/anthropic/anthropic_model_info.hpp>

#include "catch.hpp"

namespace codec = pyaichat::anthropic_codec;
using pyaichat::json;

TEST_CASE("calls may be demanded of Claude models up to 5.0, and of no other model") {
    for (const char* name : {"claude-sonnet-4-5-20250929", "claude-opus-4-8", "claude-sonnet-5", "claude-opus-5", "claude-haiku-4-5",
                             "claude-opus-5-20260101"}) {
        CAPTURE(name);
        CHECK(codec::may_be_forced(name));
    }
    for (const char* name :
         {"claude-haiku-5-5", "claude-fable-5-1", "claude-mythos-6", "claude-3-5-sonnet-20241022", "qwen3", "claude-", ""}) {
        CAPTURE(name);
        CHECK_FALSE(codec::may_be_forced(name));
    }
}

TEST_CASE("a model without an id is a bad response, and unknown limits are zero") {
    CHECK(codec::decode_model(json::object()).error().code == pyaichat::errc::bad_response);
    const auto model = codec::decode_model({{"id", "m"}, {"max_tokens", "many"}});
    REQUIRE(model);
    CHECK(model->name == "m");
    CHECK(model->output_token_limit == 0);
    CHECK_FALSE(model->thinks);
}
