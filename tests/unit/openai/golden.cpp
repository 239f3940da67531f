// The requests that the official client sends, and the replies that it was served.
#include <pyaichat/openai/codec.hpp>
#include <pyaichat/openai/openai.hpp>

#include "canned.hpp"
#include "catch.hpp"
#include "recording.hpp"

namespace ai = pyaichat;
using ai::json;
using namespace std::chrono_literals;

namespace golden_tests {

namespace {

/// The recorded request as our own: assistant messages as the service sent them, the others from parts, as a host builds them.
ai::model_request retell(const json& body, ai::openai_options& options) {
    ai::model_request request;
    request.time_left = 10s;
    ai::message replies;
    std::map<std::string, std::string> names;
    for (const json& wire : body["messages"]) {
        const std::string role(*ai::string_member(wire, "role"));
        if (role == "tool") {
            const std::string id(*ai::string_member(wire, "tool_call_id"));
            replies.parts.push_back(ai::response_part{id, names[id], std::string(*ai::string_member(wire, "content"))});
            continue;
        }
        if (!replies.parts.empty()) {
            request.messages.push_back(std::exchange(replies, {}));
        }
        if (role == "assistant") {
            ai::message one = ai::openai_codec::decode_message(wire, options);
            for (const ai::part& piece : one.parts) {
                if (const auto* call = piece.as<ai::call_part>()) {
                    names[call->id] = call->name;
                }
            }
            request.messages.push_back(std::move(one));
        } else if (role == "user") {
            request.messages.push_back(ai::user_message(std::string(*ai::string_member(wire, "content"))));
        } else {
            request.instructions = *ai::string_member(wire, "content");
            options.profile.system_role = role;
        }
    }
    if (!replies.parts.empty()) {
        request.messages.push_back(replies);
    }
    if (const json* tools = ai::find_member(body, "tools")) {
        std::vector<ai::capability_spec> specs;
        for (const json& tool : *tools) {
            const json& function = tool["function"];
            ai::capability_spec spec{.name = std::string(*ai::string_member(function, "name")),
                                     .description = std::string(ai::string_member(function, "description").value_or("F."))};
            if (const json* schema = ai::find_member(function, "parameters")) {
                spec.parameters = *schema;
            }
            specs.push_back(std::move(spec));
            if (ai::bool_member(function, "strict").value_or(false)) {
                request.mode = ai::tool_mode::validated;
            }
        }
        request.declarations = *ai::declare(specs);
    }
    return request;
}

/// Habits of the official client that need no imitation: defaults that it spells out. We send `stream` only where it is set.
json without_habits(json body) {
    if (ai::string_member(body, "tool_choice") == "auto") {
        body.erase("tool_choice");
    }
    if (ai::bool_member(body, "stream") == false) {
        body.erase("stream");
    }
    return body;
}

struct exchange {
    ai::result<ai::model_response> response = ai::failure();
    std::string shown = {};
};

/// What the provider makes of the reply that was served first.
exchange read(const std::string& number, std::size_t which = 0, bool functions = true) {
    const json recorded = recording(number);
    auto responses = served(recorded);
    const bool stream = ai::bool_member(recorded["requests"][which]["body"], "stream").value_or(false);
    canned transport(std::vector<ai::http_response>{responses[which]});
    ai::openai provider({.api_key = "test-key", .model = "gpt-5.4-mini", .stream = stream}, transport);
    ai::model_request request;
    request.time_left = 10s;
    request.messages.push_back(ai::user_message("x"));
    if (functions) {
        request.declarations = *ai::declare({{.name = "get_weather", .description = "W."}});
    }
    exchange out;
    const ai::delta_sink sink([&](ai::delta_sink::kind, std::string_view piece) { out.shown += piece; });
    out.response = provider.complete(request, sink, {});
    return out;
}

std::vector<ai::call_part> calls_of(const exchange& from) {
    std::vector<ai::call_part> out;
    REQUIRE(from.response);
    REQUIRE(from.response->candidates.size() == 1);
    for (const ai::part& piece : from.response->candidates.front().content.parts) {
        if (const auto* call = piece.as<ai::call_part>()) {
            out.push_back(*call);
        }
    }
    return out;
}

}  // namespace

TEST_CASE("the recorded conversations, told again through the provider, give the recorded bodies") {
    if (!golden_requests_are_there()) {
        return;
    }
    for (const char* number : {"01", "02", "03", "04", "06", "07", "09", "10", "13", "16", "18", "26"}) {
        CAPTURE(number);
        const json recorded = recording(number);
        for (const json& one : recorded["requests"]) {
            const json& body = one["body"];
            ai::openai_options options{.api_key = "test-key",
                                       .model = std::string(*ai::string_member(body, "model")),
                                       .stream = ai::bool_member(body, "stream").value_or(false)};
            if (const json* format = ai::find_member(body, "response_format")) {
                options.generation.response_schema = (*format)["json_schema"]["schema"];
            }
            options.generation.reasoning_effort = ai::string_member(body, "reasoning_effort").value_or("");
            for (const char* member : {"max_tokens", "max_completion_tokens"}) {
                if (const auto limit = ai::integer_member(body, member)) {
                    options.generation.max_output_tokens = static_cast<int>(*limit);
                    options.profile.token_limit_member = member;
                }
            }
            options.profile.parallel_calls = ai::bool_member(body, "parallel_tool_calls");
            options.profile.stream_options = ai::find_member(body, "stream_options") != nullptr;
            const ai::model_request request = retell(body, options);
            canned transport(served(recorded));
            ai::openai provider(options, transport);
            REQUIRE(provider.complete(request, {}, {}));
            REQUIRE(transport.shared->seen.size() == 1);
            CHECK(transport.shared->seen[0].url == "https://api.openai.com" + std::string(*ai::string_member(one, "path")));
            CHECK(transport.body(0) == without_habits(body));
        }
    }
}

TEST_CASE("the recorded replies are read as a tolerant client reads them") {
    if (!golden_requests_are_there()) {
        return;
    }
    CHECK(read("01").response->candidates[0].content.text() == "Hi.");
    CHECK(read("01").response->usage == ai::token_usage{.input_tokens = 21, .output_tokens = 9});
    for (const char* number : {"03", "06", "07", "96"}) {
        CAPTURE(number);
        const auto calls = calls_of(read(number));
        REQUIRE(calls.size() == 2);
        CHECK(calls[0].id == "call_0001");
        CHECK(calls[0].name == "get_weather");
        CHECK(calls[0].arguments["city"] == "Paris");
        CHECK(calls[1].id == "call_0002");
        CHECK(calls[1].arguments == json::object({{"city", "Tokyo"}}));
        CHECK(read(number).response->candidates[0].finish == ai::finish_reason::stop);
    }
    CHECK(read("94").response->candidates[0].content.text() == "hi");
    CHECK(calls_of(read("98")).front().arguments == json::object({{"city", "Paris"}}));
    CHECK(read("9c").response->candidates[0].content.text() == "a");
    const auto repeated = calls_of(read("9n"));
    REQUIRE(repeated.size() == 1);
    CHECK(repeated[0].name == "get_weather");
    CHECK(repeated[0].arguments == json::object({{"city", "Paris"}}));
    const auto cut = read("9l");
    CHECK(cut.response->candidates[0].finish == ai::finish_reason::length);
    CHECK(calls_of(cut).front().arguments == "{\"city\":\"Pa");
    const auto refusal = read("9d").response->candidates[0];
    CHECK(refusal.finish == ai::finish_reason::blocked);
    CHECK(refusal.finish_message == "I can not help.");
    CHECK(read("9i").response->candidates[0].finish == ai::finish_reason::blocked);
    CHECK(read("9k", 0).response->candidates.empty());
    CHECK(read("9k", 1).response->candidates.empty());
}

TEST_CASE("the recorded errors have their codes") {
    if (!golden_requests_are_there()) {
        return;
    }
    const auto error = [](const char* number, std::size_t which = 0) {
        CAPTURE(number);
        const auto outcome = read(number, which);
        REQUIRE_FALSE(outcome.response);
        CHECK(outcome.response.error().message.find("test-key") == std::string::npos);
        CHECK_FALSE(outcome.response.error().hint.empty());
        return outcome.response.error();
    };
    CHECK(error("90").code == ai::errc::authentication);
    CHECK(error("91", 0).code == ai::errc::rate_limited);
    CHECK(error("91", 0).retry_after == 20ms);
    CHECK(error("91", 1).code == ai::errc::unavailable);
    CHECK(error("92").code == ai::errc::unavailable);
    CHECK(error("99").code == ai::errc::rate_limited);
    CHECK(error("9a").code == ai::errc::unavailable);
    CHECK(error("9f").code == ai::errc::quota_exhausted);
    CHECK(error("9g").code == ai::errc::unavailable);
    CHECK(error("9o").code == ai::errc::unavailable);
    CHECK(read("9o").shown == "par");
}

}  // namespace golden_tests
