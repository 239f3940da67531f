#include <pyaichat/openai/openai_model_info.hpp>

#include "catch.hpp"

namespace ai = pyaichat;
using ai::json;

TEST_CASE("a model is described by its id, without the prefix of Gemini's endpoint") {
    const auto info =
        ai::openai_codec::decode_model(json::object({{"id", "models/gemini-3.8-flash"}, {"created", 5}, {"owned_by", "google"}}));
    REQUIRE(info);
    CHECK(info->name == "gemini-3.8-flash");
    CHECK(info->owner == "google");
    CHECK(info->created == 5);
    CHECK(ai::openai_codec::decode_model(json::object()).error().code == ai::errc::bad_response);
    CHECK(ai::openai_codec::decode_model(json("x")).error().code == ai::errc::bad_response);
}
