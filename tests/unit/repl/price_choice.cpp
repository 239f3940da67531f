#include "assistant/price_choice.hpp"

#include "catch.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace ai = pyaichat;

namespace {

ai::provider_choice service(const char* profile, std::string model, std::string url = {}) {
    return {.openai = ai::openai_options{.base_url = std::move(url), .profile = *ai::openai_profile_named(profile)},
            .name = std::move(model)};
}

const ai::price_table& built_in() {
    return ai::price_table::built_in();
}

}  // namespace

TEST_CASE("the price of the chosen model is that of its service") {
    const ai::provider_choice gemini{.gemini = ai::gemini_options{}, .name = "gemini-2.5-pro"};
    CHECK(repl::price_of(gemini, built_in())->tokens.output == ai::dollars(10));
    const ai::provider_choice anthropic{.anthropic = ai::anthropic_options{}, .name = "claude-opus-5"};
    CHECK(repl::price_of(anthropic, built_in())->tokens.output == ai::dollars(25));
    CHECK(repl::price_of(service("openai", "gpt-4.1"), built_in())->tokens.output == ai::dollars(8));
    CHECK_FALSE(repl::price_of(service("groq", "gpt-4.1"), built_in()));
}

TEST_CASE("the offline provider and a local server on the own machine cost nothing") {
    CHECK(repl::price_of({}, built_in())->is_free());
    CHECK(repl::price_of(service("ollama", "qwen3"), built_in())->is_free());
    CHECK(repl::price_of(service("vllm", "qwen3", "http://127.0.0.1:9000/v1"), built_in())->is_free());
    CHECK_FALSE(repl::price_of(service("vllm", "qwen3", "https://models.example/v1"), built_in()));
    CHECK_FALSE(repl::price_of(service("openai", "qwen3", "http://127.0.0.1:9000/v1"), built_in()));
}

TEST_CASE("a maximum cost needs a price, and the refusal says how to add one") {
    const repl::options limited{.max_cost = ai::dollars(1)};
    CHECK(repl::check_max_cost(limited, service("openai", "gpt-4.1"), built_in()));
    CHECK(repl::check_max_cost({}, service("openai", "unheard-of"), built_in()));
    const auto refused = repl::check_max_cost(limited, service("openai", "unheard-of"), built_in());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message == "--max-cost cannot be kept: the price table of " + built_in().as_of() +
                                         " has no price for the model 'unheard-of' of 'openai'; add one with --prices FILE");
}

TEST_CASE("a file of prices replaces the built-in table, and its errors name the file") {
    CHECK(repl::read_prices("")->as_of() == built_in().as_of());
    CHECK(repl::read_prices("/nowhere/prices.json").error().message.starts_with("cannot read /nowhere/prices.json: "));
    const std::string path = (std::filesystem::temp_directory_path() / "pyaichat_test_price_choice.json").string();
    std::ofstream(path) << R"({"as_of": "2030-01-01", "currency": "USD", "services": {}})";
    CHECK(repl::read_prices(path)->as_of() == "2030-01-01");
    std::ofstream(path) << R"({"as_of": "soon", "currency": "USD", "services": {}})";
    CHECK(repl::read_prices(path).error().message == path + ": the price table cannot be used: /as_of is not a date such as 2026-10-09");
    std::remove(path.c_str());
}
