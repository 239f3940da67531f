#include <pyaichat/gemini/model_info.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("a model's name tells whether it calls functions") {
    CHECK(ai::gemini_model_calls_functions("gemini-3.8-flash"));
    CHECK(ai::gemini_model_calls_functions("models/gemini-4-argon"));
    CHECK_FALSE(ai::gemini_model_calls_functions("gemini-3.8-flash-tts"));
    CHECK_FALSE(ai::gemini_model_calls_functions("gemini-embedding-2"));
    CHECK_FALSE(ai::gemini_model_calls_functions("gemma-4"));
}

TEST_CASE("a model is described by what the service says, and by zeros where it says nothing") {
    const auto all = ai::gemini_codec::decode_model(*ai::parse_json(
        R"({"name": "models/gemini-3.8-flash", "displayName": "Gemini 3.8 Flash", "inputTokenLimit": 1048576, "outputTokenLimit": 65536,
            "supportedGenerationMethods": ["countTokens", "generateContent"], "thinking": true, "novel": 1})"));
    REQUIRE(all);
    CHECK(all->name == "gemini-3.8-flash");
    CHECK(all->display_name == "Gemini 3.8 Flash");
    CHECK(all->input_token_limit == 1048576);
    CHECK(all->output_token_limit == 65536);
    CHECK(all->thinks);
    CHECK(all->generates);
    CHECK(all->calls_functions);
    const auto little = ai::gemini_codec::decode_model(*ai::parse_json(R"({"name": "gemini-x", "inputTokenLimit": "many"})"));
    REQUIRE(little);
    CHECK(little->input_token_limit == 0);
    CHECK_FALSE(little->generates);
    CHECK_FALSE(little->calls_functions);
    for (const char* none : {"{}", "5", "[]", R"({"name": 5})"}) {
        CHECK(ai::gemini_codec::decode_model(*ai::parse_json(none)).error().code == ai::errc::bad_response);
    }
}
