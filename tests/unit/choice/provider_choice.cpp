#include <pyaichat/choice/provider_choice.hpp>

#include "catch.hpp"

#include <map>

namespace {

namespace ai = pyaichat;

constexpr const char* key = "secret-key-1";

ai::environment outside(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const char* name) {
        const auto found = values.find(name);
        return found != values.end() ? std::optional<std::string>(found->second) : std::nullopt;
    };
}

}  // namespace

TEST_CASE("without a key the offline provider answers, and the notice says how to set one") {
    const auto choice = ai::choose_provider({}, outside({}), {});
    REQUIRE(choice.has_value());
    CHECK_FALSE(choice->gemini);
    CHECK(choice->notice.find("GEMINI_API_KEY") != std::string::npos);
}

TEST_CASE("who asks for the offline provider gets it without a notice, key or not") {
    const auto choice = ai::choose_provider({.provider = ai::provider_name::offline}, outside({{"GEMINI_API_KEY", key}}), {});
    REQUIRE(choice.has_value());
    CHECK_FALSE(choice->gemini);
    CHECK(choice->notice.empty());
}

TEST_CASE("a key in the environment chooses Gemini, with its default model and address") {
    const auto choice = ai::choose_provider({}, outside({{"GEMINI_API_KEY", key}}), {});
    REQUIRE(choice.has_value());
    REQUIRE(choice->gemini);
    CHECK(choice->gemini->api_key == key);
    CHECK(choice->gemini->model == ai::default_gemini_model);
    CHECK(choice->gemini->base_url == ai::gemini_options{}.base_url);
}

TEST_CASE("the environment wins over the file, even when it sets a variable to nothing") {
    const ai::variables file{{"GEMINI_API_KEY", "from-file"}, {"GEMINI_MODEL", "file-model"}};
    const auto both = ai::choose_provider({}, outside({{"GEMINI_API_KEY", key}, {"GEMINI_MODEL", "my-model"}}), file);
    REQUIRE(both.has_value());
    CHECK(both->gemini->api_key == key);
    CHECK(both->gemini->model == "my-model");
    CHECK(ai::choose_provider({}, outside({}), file)->gemini->api_key == "from-file");
    CHECK(ai::choose_provider({}, outside({}), file)->gemini->model == "file-model");
    CHECK_FALSE(ai::choose_provider({}, outside({{"GEMINI_API_KEY", ""}}), file)->gemini);
    CHECK(ai::choose_provider({.model = "chosen"}, outside({{"GEMINI_MODEL", "my-model"}}), file)->gemini->model == "chosen");
}

TEST_CASE("the address in the file counts only when the key is from there too") {
    const ai::variables address{{"GEMINI_BASE_URL", "http://127.0.0.1:8080"}};
    const auto strange = ai::choose_provider({}, outside({{"GEMINI_API_KEY", key}}), address);
    REQUIRE(strange.has_value());
    CHECK(strange->gemini->base_url == ai::gemini_options{}.base_url);
    CHECK(strange->notice.find("ignored") != std::string::npos);

    const ai::variables both{{"GEMINI_BASE_URL", "http://127.0.0.1:8080"}, {"GEMINI_API_KEY", key}};
    CHECK(ai::choose_provider({}, outside({}), both)->gemini->base_url == "http://127.0.0.1:8080");
    CHECK(ai::choose_provider({}, outside({{"GEMINI_BASE_URL", "https://example.com"}}), both)->gemini->base_url == "https://example.com");
}

TEST_CASE("an address that is none, or would send the key in the clear, is refused without showing the key") {
    for (const char* url : {"http://example.com", "http://10.0.0.1", "ftp://127.0.0.1", "nonsense", "https://user:word@example.com"}) {
        INFO(url);
        const auto choice = ai::choose_provider({}, outside({{"GEMINI_API_KEY", key}, {"GEMINI_BASE_URL", url}}), {});
        REQUIRE_FALSE(choice.has_value());
        CHECK(choice.error().message.find("GEMINI_BASE_URL") != std::string::npos);
        CHECK(choice.error().message.find(key) == std::string::npos);
    }
    for (const char* url : {"http://localhost:1", "http://127.0.0.1", "http://[::1]:80", "https://example.com/base"}) {
        INFO(url);
        CHECK(ai::choose_provider({}, outside({{"GEMINI_API_KEY", key}, {"GEMINI_BASE_URL", url}}), {}).has_value());
    }
}

TEST_CASE("a key with control characters is refused without showing it") {
    for (const std::string& bad :
         {std::string("secret\n"), std::string("sec\rret"), std::string("sec\x7fret"), std::string("sec\0ret", 7)}) {
        const auto choice = ai::choose_provider({}, outside({{"GEMINI_API_KEY", bad}}), {});
        REQUIRE_FALSE(choice.has_value());
        CHECK(choice.error().message.find("sec") == std::string::npos);
    }
}

TEST_CASE("Gemini without a key is refused with the way to set one") {
    const auto choice = ai::choose_provider({.provider = ai::provider_name::gemini}, outside({}), {});
    REQUIRE_FALSE(choice.has_value());
    CHECK(choice.error().message.find("GEMINI_API_KEY") != std::string::npos);
}

TEST_CASE("an address with more than its base is refused, and what to remove is said") {
    for (const auto& [url, word] : std::map<std::string, std::string>{{"https://example.com/?key=1", "query"},
                                                                      {"https://example.com#top", "fragment"},
                                                                      {"https://example.com/v1", "/v1:"},
                                                                      {"https://example.com/v1beta/", "/v1beta:"}}) {
        INFO(url);
        const auto choice = ai::choose_provider({}, outside({{"GEMINI_API_KEY", key}, {"GEMINI_BASE_URL", url}}), {});
        REQUIRE_FALSE(choice.has_value());
        CHECK(choice.error().message.find("GEMINI_BASE_URL") != std::string::npos);
        CHECK(choice.error().message.find(word) != std::string::npos);
        CHECK(choice.error().message.find("remove") != std::string::npos);
    }
}

TEST_CASE("a service like OpenAI is chosen by its name, with its own key, model and address") {
    const ai::provider_request openai{.provider = ai::provider_name::openai, .profile = "openai"};
    const auto choice = ai::choose_provider(openai, outside({{"OPENAI_API_KEY", key}}), {});
    REQUIRE(choice.has_value());
    REQUIRE(choice->openai);
    CHECK(choice->api_key() == key);
    CHECK(choice->name == "gpt-5.4-mini");
    const auto none = ai::choose_provider(openai, outside({}), {});
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message.find("OPENAI_API_KEY") != std::string::npos);

    const ai::provider_request mistral{.provider = ai::provider_name::openai, .profile = "mistral", .model = "small"};
    CHECK_FALSE(ai::choose_provider(mistral, outside({{"OPENAI_API_KEY", key}}), {}).has_value());
    CHECK(ai::choose_provider(mistral, outside({{"MISTRAL_API_KEY", key}}), {})->openai->api_key == key);
}

TEST_CASE("a server on the own machine needs a model and no key, and gets none unless its address is set too") {
    const ai::provider_request ollama{.provider = ai::provider_name::openai, .profile = "ollama"};
    const auto none = ai::choose_provider(ollama, outside({}), {});
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message.find("OPENAI_MODEL") != std::string::npos);
    const auto choice = ai::choose_provider(ollama, outside({{"OPENAI_MODEL", "qwen3"}, {"OPENAI_API_KEY", key}}), {});
    REQUIRE(choice.has_value());
    CHECK(choice->openai->api_key.empty());
    const auto there = ai::choose_provider(
        ollama, outside({{"OPENAI_MODEL", "qwen3"}, {"OPENAI_API_KEY", key}, {"OPENAI_BASE_URL", "http://127.0.0.1:9/v1"}}), {});
    CHECK(there->openai->api_key == key);
    CHECK(there->openai->base_url == "http://127.0.0.1:9/v1");
    CHECK_FALSE(
        ai::choose_provider(ollama, outside({{"OPENAI_MODEL", "q"}, {"OPENAI_BASE_URL", "http://example.org/v1"}}), {}).has_value());
}

TEST_CASE("an address in the file cannot send a key of the environment, or a session, elsewhere") {
    const ai::provider_request openai{.provider = ai::provider_name::openai, .profile = "openai"};
    const ai::variables address{{"OPENAI_BASE_URL", "https://example.org/v1"}};
    const auto strange = ai::choose_provider(openai, outside({{"OPENAI_API_KEY", key}}), address);
    REQUIRE(strange.has_value());
    CHECK(strange->openai->base_url.empty());
    CHECK(strange->notice.find("ignored") != std::string::npos);
    const ai::provider_request ollama{.provider = ai::provider_name::openai, .profile = "ollama", .model = "q"};
    CHECK(ai::choose_provider(ollama, outside({}), address)->openai->base_url.empty());
}

TEST_CASE("Anthropic is chosen by name, with the settings of its own variables") {
    const ai::provider_request anthropic{.provider = ai::provider_name::anthropic};
    const ai::variables mine{{"ANTHROPIC_API_KEY", key}, {"ANTHROPIC_MODEL", "claude-x"}, {"ANTHROPIC_BASE_URL", "https://a.example/v1"}};
    const auto choice = ai::choose_provider(anthropic, outside({{"GEMINI_API_KEY", "other"}}), mine);
    REQUIRE(choice.has_value());
    CHECK_FALSE(choice->gemini);
    REQUIRE(choice->anthropic);
    CHECK(choice->api_key() == key);
    CHECK(choice->name == "claude-x");
    CHECK(choice->anthropic->base_url == "https://a.example/v1");
    CHECK(ai::choose_provider({.provider = ai::provider_name::anthropic, .model = "chosen"}, outside({}), mine)->name == "chosen");
    CHECK(ai::choose_provider(anthropic, outside({{"ANTHROPIC_API_KEY", key}}), {})->name == ai::default_anthropic_model);
}

TEST_CASE("Anthropic needs a key, except on the own machine, and an address in the file gets no key of the environment") {
    const ai::provider_request anthropic{.provider = ai::provider_name::anthropic};
    const auto none = ai::choose_provider(anthropic, outside({{"GEMINI_API_KEY", key}}), {});
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message.find("ANTHROPIC_API_KEY") != std::string::npos);
    const auto local = ai::choose_provider(anthropic, outside({{"ANTHROPIC_BASE_URL", "http://127.0.0.1:11434"}}), {});
    REQUIRE(local.has_value());
    CHECK(local->api_key().empty());
    const auto strange =
        ai::choose_provider(anthropic, outside({{"ANTHROPIC_API_KEY", key}}), {{"ANTHROPIC_BASE_URL", "https://elsewhere.example"}});
    REQUIRE(strange.has_value());
    CHECK(strange->anthropic->base_url == ai::anthropic_options{}.base_url);
    CHECK(strange->notice.find("ignored") != std::string::npos);
    CHECK_FALSE(ai::choose_provider(anthropic, outside({{"ANTHROPIC_API_KEY", "k\n"}}), {}).has_value());
    CHECK_FALSE(ai::choose_provider(anthropic, outside({{"ANTHROPIC_API_KEY", key}, {"ANTHROPIC_BASE_URL", "http://far.example"}}), {})
                    .has_value());
}

TEST_CASE("without --provider the first key decides: Gemini, OpenAI, Anthropic") {
    const auto chosen_for = [](std::map<std::string, std::string> keys) { return *ai::choose_provider({}, outside(std::move(keys)), {}); };
    CHECK(chosen_for({{"ANTHROPIC_API_KEY", key}, {"OPENAI_API_KEY", key}, {"GEMINI_API_KEY", key}}).gemini);
    const auto openai = chosen_for({{"ANTHROPIC_API_KEY", key}, {"OPENAI_API_KEY", key}});
    CHECK(openai.openai);
    CHECK(openai.notice == "OPENAI_API_KEY is set, so " + openai.name + " answers.");
    CHECK(chosen_for({{"ANTHROPIC_API_KEY", key}}).anthropic);
    CHECK_FALSE(chosen_for({}).is_model());
}

TEST_CASE("a service is requested by its name, and an unknown name gets the list") {
    CHECK(ai::provider_named("offline")->provider == ai::provider_name::offline);
    CHECK(ai::provider_named("gemini")->provider == ai::provider_name::gemini);
    CHECK(ai::provider_named("ollama")->profile == "ollama");
    CHECK(ai::provider_named("gemini-openai")->profile == "gemini");
    const auto unknown = ai::provider_named("gemni");
    REQUIRE_FALSE(unknown.has_value());
    CHECK(unknown.error().message == "there is no provider 'gemni'");
    CHECK(unknown.error().hint.find("offline, gemini, anthropic") != std::string::npos);
}

TEST_CASE("the message about a missing key names the places where it can be set") {
    const auto choice = ai::choose_provider({.provider = ai::provider_name::gemini, .places = "in the environment"}, outside({}), {});
    REQUIRE_FALSE(choice.has_value());
    CHECK(choice.error().message == "gemini needs a key: set GEMINI_API_KEY in the environment");
}

TEST_CASE("the provider that was chosen can be made without a connection") {
    const auto offline = ai::choose_provider({.provider = ai::provider_name::offline}, outside({}), {});
    const auto response =
        ai::make_provider(*offline).complete({.messages = {ai::user_message("what is x?")}}, ai::delta_sink(), ai::cancel_token());
    CHECK(response.has_value());
    CHECK(ai::make_provider(*ai::choose_provider({}, outside({{"GEMINI_API_KEY", key}}), {})).is_async());
}
