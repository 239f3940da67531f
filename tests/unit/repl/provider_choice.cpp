#include "assistant/provider_choice.hpp"

#include "catch.hpp"

#include <map>

namespace {

constexpr const char* key = "secret-key-1";

repl::environment outside(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const char* name) {
        const auto found = values.find(name);
        return found != values.end() ? std::optional<std::string>(found->second) : std::nullopt;
    };
}

}  // namespace

TEST_CASE("without a key the offline provider answers, and the notice says how to set one") {
    const auto choice = repl::choose_provider({}, outside({}), {});
    REQUIRE(choice.has_value());
    CHECK_FALSE(choice->gemini);
    CHECK(choice->notice.find("GEMINI_API_KEY") != std::string::npos);
}

TEST_CASE("who asks for the offline provider gets it without a notice, key or not") {
    const auto choice = repl::choose_provider({.provider = repl::provider_name::offline}, outside({{"GEMINI_API_KEY", key}}), {});
    REQUIRE(choice.has_value());
    CHECK_FALSE(choice->gemini);
    CHECK(choice->notice.empty());
}

TEST_CASE("a key in the environment chooses Gemini, with its default model and address") {
    const auto choice = repl::choose_provider({}, outside({{"GEMINI_API_KEY", key}}), {});
    REQUIRE(choice.has_value());
    REQUIRE(choice->gemini);
    CHECK(choice->gemini->api_key == key);
    CHECK(choice->gemini->model == repl::ai::default_gemini_model);
    CHECK(choice->gemini->base_url == repl::ai::gemini_options{}.base_url);
}

TEST_CASE("the environment wins over the file, even when it sets a variable to nothing") {
    const repl::variables file{{"GEMINI_API_KEY", "from-file"}, {"GEMINI_MODEL", "file-model"}};
    const auto both = repl::choose_provider({}, outside({{"GEMINI_API_KEY", key}, {"GEMINI_MODEL", "my-model"}}), file);
    REQUIRE(both.has_value());
    CHECK(both->gemini->api_key == key);
    CHECK(both->gemini->model == "my-model");
    CHECK(repl::choose_provider({}, outside({}), file)->gemini->api_key == "from-file");
    CHECK(repl::choose_provider({}, outside({}), file)->gemini->model == "file-model");
    CHECK_FALSE(repl::choose_provider({}, outside({{"GEMINI_API_KEY", ""}}), file)->gemini);
    CHECK(repl::choose_provider({.model = "chosen"}, outside({{"GEMINI_MODEL", "my-model"}}), file)->gemini->model == "chosen");
}

TEST_CASE("the address in the file counts only when the key is from there too") {
    const repl::variables address{{"GEMINI_BASE_URL", "http://127.0.0.1:8080"}};
    const auto strange = repl::choose_provider({}, outside({{"GEMINI_API_KEY", key}}), address);
    REQUIRE(strange.has_value());
    CHECK(strange->gemini->base_url == repl::ai::gemini_options{}.base_url);
    CHECK(strange->notice.find("ignored") != std::string::npos);

    const repl::variables both{{"GEMINI_BASE_URL", "http://127.0.0.1:8080"}, {"GEMINI_API_KEY", key}};
    CHECK(repl::choose_provider({}, outside({}), both)->gemini->base_url == "http://127.0.0.1:8080");
    CHECK(repl::choose_provider({}, outside({{"GEMINI_BASE_URL", "https://example.com"}}), both)->gemini->base_url ==
          "https://example.com");
}

TEST_CASE("an address that is none, or would send the key in the clear, is refused without showing the key") {
    for (const char* url : {"http://example.com", "http://10.0.0.1", "ftp://127.0.0.1", "nonsense", "https://user:word@example.com"}) {
        INFO(url);
        const auto choice = repl::choose_provider({}, outside({{"GEMINI_API_KEY", key}, {"GEMINI_BASE_URL", url}}), {});
        REQUIRE_FALSE(choice.has_value());
        CHECK(choice.error().message.find("GEMINI_BASE_URL") != std::string::npos);
        CHECK(choice.error().message.find(key) == std::string::npos);
    }
    for (const char* url : {"http://localhost:1", "http://127.0.0.1", "http://[::1]:80", "https://example.com/base"}) {
        INFO(url);
        CHECK(repl::choose_provider({}, outside({{"GEMINI_API_KEY", key}, {"GEMINI_BASE_URL", url}}), {}).has_value());
    }
}

TEST_CASE("a key with control characters is refused without showing it") {
    for (const std::string& bad :
         {std::string("secret\n"), std::string("sec\rret"), std::string("sec\x7fret"), std::string("sec\0ret", 7)}) {
        const auto choice = repl::choose_provider({}, outside({{"GEMINI_API_KEY", bad}}), {});
        REQUIRE_FALSE(choice.has_value());
        CHECK(choice.error().message.find("sec") == std::string::npos);
    }
}

TEST_CASE("Gemini without a key is refused with the way to set one") {
    const auto choice = repl::choose_provider({.provider = repl::provider_name::gemini}, outside({}), {});
    REQUIRE_FALSE(choice.has_value());
    CHECK(choice.error().message.find("GEMINI_API_KEY") != std::string::npos);
}

TEST_CASE("an address with more than its base is refused, and what to remove is said") {
    for (const auto& [url, word] : std::map<std::string, std::string>{{"https://example.com/?key=1", "query"},
                                                                      {"https://example.com#top", "fragment"},
                                                                      {"https://example.com/v1", "/v1:"},
                                                                      {"https://example.com/v1beta/", "/v1beta:"}}) {
        INFO(url);
        const auto choice = repl::choose_provider({}, outside({{"GEMINI_API_KEY", key}, {"GEMINI_BASE_URL", url}}), {});
        REQUIRE_FALSE(choice.has_value());
        CHECK(choice.error().message.find("GEMINI_BASE_URL") != std::string::npos);
        CHECK(choice.error().message.find(word) != std::string::npos);
        CHECK(choice.error().message.find("remove") != std::string::npos);
    }
}

TEST_CASE("a service like OpenAI is chosen by its name, with its own key, model and address") {
    const repl::options openai{.provider = repl::provider_name::openai, .profile = "openai"};
    const auto choice = repl::choose_provider(openai, outside({{"OPENAI_API_KEY", key}}), {});
    REQUIRE(choice.has_value());
    REQUIRE(choice->openai);
    CHECK(choice->api_key() == key);
    CHECK(choice->name == "gpt-5.4-mini");
    const auto none = repl::choose_provider(openai, outside({}), {});
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message.find("OPENAI_API_KEY") != std::string::npos);

    const repl::options mistral{.provider = repl::provider_name::openai, .profile = "mistral", .model = "small"};
    CHECK_FALSE(repl::choose_provider(mistral, outside({{"OPENAI_API_KEY", key}}), {}).has_value());
    CHECK(repl::choose_provider(mistral, outside({{"MISTRAL_API_KEY", key}}), {})->openai->api_key == key);
}

TEST_CASE("a server on the own machine needs a model and no key, and gets none unless its address is set too") {
    const repl::options ollama{.provider = repl::provider_name::openai, .profile = "ollama"};
    const auto none = repl::choose_provider(ollama, outside({}), {});
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message.find("OPENAI_MODEL") != std::string::npos);
    const auto choice = repl::choose_provider(ollama, outside({{"OPENAI_MODEL", "qwen3"}, {"OPENAI_API_KEY", key}}), {});
    REQUIRE(choice.has_value());
    CHECK(choice->openai->api_key.empty());
    const auto there = repl::choose_provider(
        ollama, outside({{"OPENAI_MODEL", "qwen3"}, {"OPENAI_API_KEY", key}, {"OPENAI_BASE_URL", "http://127.0.0.1:9/v1"}}), {});
    CHECK(there->openai->api_key == key);
    CHECK(there->openai->base_url == "http://127.0.0.1:9/v1");
    CHECK_FALSE(
        repl::choose_provider(ollama, outside({{"OPENAI_MODEL", "q"}, {"OPENAI_BASE_URL", "http://example.org/v1"}}), {}).has_value());
}

TEST_CASE("an address in the file cannot send a key of the environment, or a session, elsewhere") {
    const repl::options openai{.provider = repl::provider_name::openai, .profile = "openai"};
    const repl::variables address{{"OPENAI_BASE_URL", "https://example.org/v1"}};
    const auto strange = repl::choose_provider(openai, outside({{"OPENAI_API_KEY", key}}), address);
    REQUIRE(strange.has_value());
    CHECK(strange->openai->base_url.empty());
    CHECK(strange->notice.find("ignored") != std::string::npos);
    const repl::options ollama{.provider = repl::provider_name::openai, .profile = "ollama", .model = "q"};
    CHECK(repl::choose_provider(ollama, outside({}), address)->openai->base_url.empty());
}

TEST_CASE("Anthropic is chosen by name, with the settings of its own variables") {
    const repl::options anthropic{.provider = repl::provider_name::anthropic};
    const repl::variables mine{{"ANTHROPIC_API_KEY", key}, {"ANTHROPIC_MODEL", "claude-x"}, {"ANTHROPIC_BASE_URL", "https://a.example/v1"}};
    const auto choice = repl::choose_provider(anthropic, outside({{"GEMINI_API_KEY", "other"}}), mine);
    REQUIRE(choice.has_value());
    CHECK_FALSE(choice->gemini);
    REQUIRE(choice->anthropic);
    CHECK(choice->api_key() == key);
    CHECK(choice->name == "claude-x");
    CHECK(choice->anthropic->base_url == "https://a.example/v1");
    CHECK(repl::choose_provider({.provider = repl::provider_name::anthropic, .model = "chosen"}, outside({}), mine)->name == "chosen");
    CHECK(repl::choose_provider(anthropic, outside({{"ANTHROPIC_API_KEY", key}}), {})->name == repl::ai::default_anthropic_model);
}

TEST_CASE("Anthropic needs a key, except on the own machine, and an address in the file gets no key of the environment") {
    const repl::options anthropic{.provider = repl::provider_name::anthropic};
    const auto none = repl::choose_provider(anthropic, outside({{"GEMINI_API_KEY", key}}), {});
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message.find("ANTHROPIC_API_KEY") != std::string::npos);
    const auto local = repl::choose_provider(anthropic, outside({{"ANTHROPIC_BASE_URL", "http://127.0.0.1:11434"}}), {});
    REQUIRE(local.has_value());
    CHECK(local->api_key().empty());
    const auto strange =
        repl::choose_provider(anthropic, outside({{"ANTHROPIC_API_KEY", key}}), {{"ANTHROPIC_BASE_URL", "https://elsewhere.example"}});
    REQUIRE(strange.has_value());
    CHECK(strange->anthropic->base_url == repl::ai::anthropic_options{}.base_url);
    CHECK(strange->notice.find("ignored") != std::string::npos);
    CHECK_FALSE(repl::choose_provider(anthropic, outside({{"ANTHROPIC_API_KEY", "k\n"}}), {}).has_value());
    CHECK_FALSE(repl::choose_provider(anthropic, outside({{"ANTHROPIC_API_KEY", key}, {"ANTHROPIC_BASE_URL", "http://far.example"}}), {})
                    .has_value());
}

TEST_CASE("without --provider the first key decides: Gemini, OpenAI, Anthropic") {
    const auto chosen_for = [](std::map<std::string, std::string> keys) {
        return *repl::choose_provider({}, outside(std::move(keys)), {});
    };
    CHECK(chosen_for({{"ANTHROPIC_API_KEY", key}, {"OPENAI_API_KEY", key}, {"GEMINI_API_KEY", key}}).gemini);
    const auto openai = chosen_for({{"ANTHROPIC_API_KEY", key}, {"OPENAI_API_KEY", key}});
    CHECK(openai.openai);
    CHECK(openai.notice == "OPENAI_API_KEY is set, so " + openai.name + " answers.");
    CHECK(chosen_for({{"ANTHROPIC_API_KEY", key}}).anthropic);
    CHECK_FALSE(chosen_for({}).is_model());
}
