#include <pyaichat/openai/openai_profile.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("every listed profile exists under its name, and another name lists them") {
    for (const std::string& name : ai::openai_profile_names()) {
        const auto profile = ai::openai_profile_named(name);
        REQUIRE(profile);
        CHECK(profile->name == name);
    }
    const auto none = ai::openai_profile_named("olama");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ai::errc::not_found);
    CHECK(none.error().hint.find("ollama") != std::string::npos);
}

TEST_CASE("the default profile is that of OpenAI") {
    const ai::openai_profile written;
    const auto named = ai::openai_profile_named("openai");
    REQUIRE(named);
    CHECK(named->base_url == written.base_url);
    CHECK(named->model == "gpt-5.4-mini");
    CHECK(ai::openai_profile_named("ollama")->model.empty());
    CHECK(ai::openai_profile_named("ollama")->key_optional);
}
