// The provider's requests compared with those of the official client, and the replies that were served to it.
#include <pyaichat/anthropic/anthropic.hpp>
#include <pyaichat/anthropic/codec.hpp>

#include "canned.hpp"

namespace ai = pyaichat;
using ai::json;

namespace {

ai::anthropic_options options_for(const json& body) {
    ai::anthropic_options options{.api_key = "test-key", .cache = ai::anthropic_cache::off};
    options.stream = ai::bool_member(body, "stream").value_or(false);
    options.max_tokens = static_cast<int>(ai::integer_member(body, "max_tokens").value_or(options.max_tokens));
    if (const json* thinking = ai::find_member(body, "thinking")) {
        options.thinking.type = *ai::string_member(*thinking, "type");
        options.thinking.display = ai::string_member(*thinking, "display").value_or("");
    }
    if (const json* output = ai::find_member(body, "output_config")) {
        options.thinking.effort = ai::string_member(*output, "effort").value_or("");
        if (const json* format = ai::find_member(*output, "format")) {
            options.generation.response_schema = (*format)["schema"];
        }
    }
    if (const json* words = ai::find_member(body, "stop_sequences")) {
        for (const json& word : *words) {
            options.generation.stop_sequences.emplace_back(*ai::as_string(word));
        }
    }
    if (const json* metadata = ai::find_member(body, "metadata")) {
        options.generation.user_id = *ai::string_member(*metadata, "user_id");
    }
    options.generation.service_tier = ai::string_member(body, "service_tier").value_or("");
    if (const json* choice = ai::find_member(body, "tool_choice")) {
        options.parallel_calls = !ai::bool_member(*choice, "disable_parallel_tool_use").value_or(false);
    }
    if (const json* tools = ai::find_member(body, "tools")) {
        options.strict_tools = ai::bool_member(tools->front(), "strict").value_or(false);
    }
    return options;
}

ai::message retell_user(const json& content) {
    if (const auto text = ai::as_string(content)) {
        return ai::user_message(std::string(*text));
    }
    ai::message out;
    for (const json& block : content) {
        if (ai::string_member(block, "type") == "text") {
            out.parts.push_back(ai::text_part{std::string(*ai::string_member(block, "text"))});
            continue;
        }
        const std::string text(*ai::string_member(block, "content"));
        const bool failed = ai::bool_member(block, "is_error").value_or(false);
        out.parts.push_back(ai::response_part{.id = std::string(*ai::string_member(block, "tool_use_id")),
                                              .response = failed ? json{{"ok", false}, {"error", text}} : *ai::parse_json(text)});
    }
    return out;
}

/// The recorded request as our own: assistant messages as the service sent them, user messages from parts, as a host builds them.
ai::model_request retell(const json& body, const std::string& writer) {
    ai::model_request request;
    for (const json& one : body["messages"]) {
        request.messages.push_back(ai::string_member(one, "role") == "assistant"
                                       ? ai::anthropic_codec::decode_content(one["content"], {.writer = writer})
                                       : retell_user(one["content"]));
    }
    request.instructions = ai::string_member(body, "system").value_or("");
    if (const json* tools = ai::find_member(body, "tools")) {
        std::vector<ai::capability_spec> specs;
        for (const json& tool : *tools) {
            specs.push_back({.name = std::string(*ai::string_member(tool, "name")),
                             .description = std::string(*ai::string_member(tool, "description")),
                             .parameters = tool["input_schema"]});
        }
        request.declarations = *ai::declare(specs);
    }
    const json* choice = ai::find_member(body, "tool_choice");
    request.mode = choice != nullptr && ai::string_member(*choice, "type") == "none" ? ai::tool_mode::none : ai::tool_mode::automatic;
    return request;
}

/// The texts of results are ours: only whether there is a failure is compared, and other texts as JSON. The choice `auto` is the default.
json comparable(json body) {
    if (body.contains("tool_choice") && body["tool_choice"] == json{{"type", "auto"}}) {
        body.erase("tool_choice");
    }
    for (json& one : body["messages"]) {
        if (one["content"].is_string()) {
            continue;
        }
        for (json& block : one["content"]) {
            if (block.contains("tool_use_id")) {
                block["content"] = block.contains("is_error") ? json("failed") : *ai::parse_json(*ai::string_member(block, "content"));
            }
        }
    }
    return body;
}

ai::result<ai::model_response> replay(const std::string& number, std::string* shown = nullptr) {
    const golden_exchange recorded = golden(number);
    ai::anthropic_options options = options_for(recorded.requests.front().body);
    ai::anthropic provider(options, canned(std::vector<served>{recorded.responses.front()}));
    const ai::delta_sink sink([&](ai::delta_sink::kind what, std::string_view piece) {
        if (shown != nullptr) {
            *shown = what == ai::delta_sink::kind::restart ? std::string() : *shown + std::string(piece);
        }
    });
    return provider.complete(retell(recorded.requests.front().body, "x"), sink, {});
}

const ai::call_part& call_of(const ai::result<ai::model_response>& response, std::size_t number) {
    REQUIRE(response);
    std::size_t seen = 0;
    for (const ai::part& piece : response->candidates.front().content.parts) {
        if (const auto* call = piece.as<ai::call_part>(); call != nullptr && seen++ == number) {
            return *call;
        }
    }
    FAIL("no such call");
    static const ai::call_part none;
    return none;
}

}  // namespace

TEST_CASE("the recorded conversations, told again through the provider, give the recorded bodies") {
    if (!goldens_are_there()) {
        return;
    }
    for (const char* number : {"01", "02", "03", "04", "05", "06", "10", "11", "12", "24", "91", "98", "9a", "9f"}) {
        const golden_exchange recorded = golden(number);
        for (std::size_t i = 0; i < recorded.requests.size(); ++i) {
            CAPTURE(number, i);
            const json& body = recorded.requests[i].body;
            const ai::anthropic_options options = options_for(body);
            canned transport(std::vector<served>{recorded.responses[i]});
            ai::anthropic provider(options, transport);
            (void)provider.complete(retell(body, ai::anthropic_codec::wire_writer(options)), {}, {});
            REQUIRE(transport.shared->seen.size() == 1);
            CHECK(transport.shared->seen.front().url == "https://api.anthropic.com" + recorded.requests[i].path);
            CHECK(comparable(transport.body(0)) == comparable(body));
        }
    }
}

TEST_CASE("the choices of functions are the recorded ones") {
    if (!goldens_are_there()) {
        return;
    }
    const golden_exchange recorded = golden("09");
    for (const std::size_t i : {2u, 3u}) {  // the others demand a call, which this model refuses
        const json& body = recorded.requests[i].body;
        const auto encoded = ai::anthropic_codec::encode_request(retell(body, "x"), options_for(body));
        REQUIRE(encoded);
        CHECK(*ai::parse_json(*encoded) == body);
    }
}

TEST_CASE("models and counted tokens are read as recorded") {
    if (!goldens_are_there()) {
        return;
    }
    const golden_exchange models = golden("15");
    ai::anthropic lists({.api_key = "test-key"}, canned({models.responses[0], models.responses[1]}));
    const auto listed = lists.list_models(std::chrono::seconds(5));
    REQUIRE(listed);
    REQUIRE(listed->size() == 2);
    CHECK((*listed)[0].name == "claude-opus-5-5");
    CHECK((*listed)[1].thinks);
    canned transport({models.responses[2]});
    ai::anthropic describes({.api_key = "test-key"}, transport);
    const auto described = describes.describe_model(std::chrono::seconds(5));
    REQUIRE(described);
    CHECK(described->name == "claude-haiku-5-5");
    CHECK(described->input_token_limit == 1'000'000);
    CHECK(described->output_token_limit == 128'000);
    CHECK(transport.shared->seen.front().url == "https://api.anthropic.com" + models.requests[2].path);

    const golden_exchange counts = golden("16");
    canned counting({counts.responses.front()});
    ai::anthropic provider(options_for(counts.requests.front().body), counting);
    const auto tokens = provider.count_tokens(retell(counts.requests.front().body, "x"));
    REQUIRE(tokens);
    CHECK(*tokens == 403);
    CHECK(counting.shared->seen.front().url == "https://api.anthropic.com/v1/messages/count_tokens");
    CHECK(counting.body(0) == counts.requests.front().body);
}

TEST_CASE("recorded replies are read as the service meant them") {
    if (!goldens_are_there()) {
        return;
    }
    std::string shown;
    const auto streamed = replay("04", &shown);
    REQUIRE(streamed);
    CHECK(shown == "It is sunny.");
    CHECK(streamed->candidates.front().content.text() == "It is sunny.");
    CHECK(streamed->usage.input_tokens == 612);
    CHECK(streamed->usage.output_tokens == 9);

    const auto calls = replay("05");
    CHECK(call_of(calls, 0).id == "toolu_0001");
    CHECK(call_of(calls, 0).arguments["city"] == "Paris");
    CHECK(calls->candidates.front().finish == ai::finish_reason::stop);

    const auto refused = replay("24");
    REQUIRE(refused);
    CHECK(refused->candidates.front().finish == ai::finish_reason::blocked);
    CHECK(refused->candidates.front().finish_message == "cyber: Blocked under the usage policy.");

    CHECK(call_of(replay("9a"), 0).arguments == json::object());
    CHECK(call_of(replay("9a"), 1).arguments == json::object());
    CHECK(replay("9b")->candidates.front().finish == ai::finish_reason::length);
    CHECK(call_of(replay("9f"), 0).name == "get_weather");
    CHECK(replay("98")->candidates.front().content.text() == "hi");
}

TEST_CASE("recorded failures have their codes") {
    if (!goldens_are_there()) {
        return;
    }
    const auto code_of = [](const char* number) {
        const auto response = replay(number);
        REQUIRE_FALSE(response);
        return response.error().code;
    };
    CHECK(code_of("90") == ai::errc::request_rejected);
    CHECK(code_of("91") == ai::errc::rate_limited);
    CHECK(replay("91").error().retry_after == std::chrono::milliseconds(20));
    CHECK(code_of("94") == ai::errc::connection_failed);
    CHECK(code_of("96") == ai::errc::unavailable);
    CHECK(code_of("99") == ai::errc::connection_failed);
    CHECK(code_of("9e") == ai::errc::quota_exhausted);
    std::string shown;
    const auto overloaded = replay("92", &shown);
    REQUIRE_FALSE(overloaded);
    CHECK(overloaded.error().code == ai::errc::unavailable);
    CHECK(shown.empty());  // "par" was withdrawn
}
