#include <pyaichat/openai/openai.hpp>

#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/openai/codec.hpp>

#include "canned.hpp"
#include "catch.hpp"
#include "looped_transport.hpp"

namespace ai = pyaichat;
using ai::json;
using namespace std::chrono_literals;

namespace openai_tests {

static_assert(ai::model_provider<ai::openai>);
static_assert(ai::async_model_provider<ai::openai>);

namespace {

const std::string answer = R"({"choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}]})";

ai::model_request question() {
    ai::model_request request;
    request.messages.push_back(ai::user_message("x"));
    request.declarations =
        *ai::declare({{.name = "f",
                       .description = "F.",
                       .parameters = *ai::parse_json(R"({"type": "object", "properties": {"n": {"type": "integer"}}})")}});
    request.time_left = 10s;
    return request;
}

ai::http_response refusal(int status, const std::string& message) {
    return {.status = status, .body = ai::dump_json(json::object({{"error", json::object({{"message", message}})}}))};
}

ai::http_response ok(const std::string& body) {
    return {.status = 200, .body = body};
}

ai::failure failure_of(ai::openai provider) {
    const auto response = provider.complete(question(), {}, {});
    REQUIRE_FALSE(response);
    return response.error();
}

const std::string needs_none =
    "Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use "
    "function tools, use /v1/responses or set reasoning_effort to 'none'.";

}  // namespace

TEST_CASE("a request goes to the address of the profile, with the key in its header") {
    for (const std::string& name : ai::openai_profile_names()) {
        CAPTURE(name);
        canned transport(std::vector<std::string>{answer});
        const auto profile = ai::openai_profile_named(name);
        ai::openai provider({.api_key = "k-1", .model = "m", .profile = *profile}, transport);
        REQUIRE(provider.complete(question(), {}, {}));
        const ai::http_request& seen = transport.shared->seen.front();
        CHECK(seen.url == profile->base_url + "/chat/completions");
        CHECK(seen.headers.front().name == "Authorization");
        CHECK(seen.headers.front().value == "Bearer k-1");
        CHECK(seen.body.find("k-1") == std::string::npos);
    }
}

TEST_CASE("without a key, only a server that needs none is asked") {
    canned transport(std::vector<std::string>{answer, answer, answer});
    const auto local = *ai::openai_profile_named("llamacpp");
    REQUIRE(ai::openai({.profile = local}, transport).complete(question(), {}, {}));
    REQUIRE(ai::openai({.base_url = "http://127.0.0.1:8000/v1/"}, transport).complete(question(), {}, {}));
    CHECK(transport.shared->seen[1].url == "http://127.0.0.1:8000/v1/chat/completions");
    for (const ai::http_request& seen : transport.shared->seen) {
        CHECK(seen.headers.size() == 1);
    }
    const ai::failure none = failure_of(ai::openai(ai::openai_options{}, transport));
    CHECK(none.code == ai::errc::authentication);
    CHECK(none.hint == "No API key is set. Set OPENAI_API_KEY to your key.");
    CHECK(failure_of(ai::openai({.api_key = "a key"}, transport)).code == ai::errc::authentication);
    CHECK(transport.shared->seen.size() == 2);
}

TEST_CASE("without a model, nothing is sent and the way out is told") {
    canned transport;
    const ai::failure none = failure_of(ai::openai({.profile = *ai::openai_profile_named("ollama")}, transport));
    CHECK(none.code == ai::errc::invalid_argument);
    CHECK(none.hint == "Choose a model. Set OPENAI_MODEL.");
    CHECK(transport.shared->seen.empty());
}

TEST_CASE("a model that takes functions only without reasoning is asked once more, and so from then on") {
    canned transport(std::vector<ai::http_response>{refusal(400, needs_none), ok(answer), ok(answer)});
    ai::openai provider({.api_key = "k", .model = "gpt-5.6-terra"}, transport);
    REQUIRE(provider.complete(question(), {}, {}));
    REQUIRE(provider.complete(question(), {}, {}));
    REQUIRE(transport.shared->seen.size() == 3);
    CHECK_FALSE(transport.body(0).contains("reasoning_effort"));
    CHECK(transport.body(1)["reasoning_effort"] == "none");
    CHECK(transport.body(2)["reasoning_effort"] == "none");

    canned chosen(std::vector<ai::http_response>{refusal(400, needs_none)});
    const ai::failure error = failure_of(ai::openai({.api_key = "k", .model = "m", .generation = {.reasoning_effort = "low"}}, chosen));
    CHECK(error.code == ai::errc::request_rejected);
    CHECK(error.hint.find("OPENAI_MODEL") != std::string::npos);
    CHECK(chosen.shared->seen.size() == 1);
}

TEST_CASE("a whole response is not shown piece by piece if the options ask for no stream") {
    canned transport(std::vector<std::string>{answer});
    ai::openai provider({.api_key = "k", .stream = false}, transport);
    int shown = 0;
    const ai::delta_sink sink([&](ai::delta_sink::kind, std::string_view) { ++shown; });
    REQUIRE(provider.complete(question(), sink, {}));
    CHECK(shown == 0);
    CHECK_FALSE(transport.body(0).contains("stream"));
}

TEST_CASE("the arguments of calls are checked by the provider") {
    canned transport(std::vector<std::string>{
        R"({"choices": [{"index": 0, "message": {"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{\"n\": 1}"}}]},
            "finish_reason": "tool_calls"}]})"});
    ai::openai provider({.api_key = "k"}, transport);
    const ai::model_request request = question();
    const auto response = provider.complete(request, {}, {});
    REQUIRE(response);
    REQUIRE(response->candidates.front().checks.size() == 1);
    const ai::candidate& one = response->candidates.front();
    const auto* call = one.content.parts.front().as<ai::call_part>();
    REQUIRE(call != nullptr);
    CHECK(one.checks.front().is_of(request.declarations, "f", call->arguments));
}

TEST_CASE("a conversation that grows is encoded as if at once") {
    canned transport(std::vector<std::string>{answer, answer, answer});
    ai::openai provider({.api_key = "k"}, transport);
    ai::model_request request = question();
    request.instructions = "Be terse.";
    for (int step = 0; step < 3; ++step) {
        const auto response = provider.complete(request, {}, {});
        REQUIRE(response);
        CHECK(transport.shared->seen.back().body == *ai::openai_codec::encode_request(request, provider.options()));
        request.messages.push_back(response->candidates.front().content);
        request.messages.push_back(ai::user_message("and " + std::to_string(step)));
    }
    CHECK(transport.body(2)["messages"].size() == 6);
}

TEST_CASE("the startup check finds the model in the list, or says that it is not there") {
    const std::string list = R"({"object": "list", "data": [{"id": "models/gpt-5.4-mini", "created": 5, "owned_by": "openai"},
                                                            {"id": "llama3:latest"}]})";
    canned transport(std::vector<std::string>{list, list, list, list, "{}", R"({"data": [{}]})"});
    const auto describe = [&](const char* model, const char* profile = "openai") {
        return ai::openai({.api_key = "k", .model = model, .profile = *ai::openai_profile_named(profile)}, transport).describe_model(1s);
    };
    CHECK(describe("gpt-5.4-mini")->owner == "openai");
    CHECK(describe("llama3", "ollama")->name == "llama3:latest");
    const auto none = describe("gpt-0");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ai::errc::unknown_model);
    CHECK(none.error().hint == "The model \"gpt-0\" is unknown to the service. Choose another one with OPENAI_MODEL.");
    CHECK(describe("anything", "llamacpp"));  // the server answers with the model that it has loaded
    CHECK(describe("x").error().code == ai::errc::bad_response);
    CHECK(describe("x").error().code == ai::errc::bad_response);
    CHECK(transport.shared->seen.front().method == "GET");
    CHECK(transport.shared->seen.front().url == "https://api.openai.com/v1/models");
}

TEST_CASE("an unreachable server is a failure with a hint, and the key is never shown") {
    canned transport;
    CHECK(failure_of(ai::openai({.api_key = "k"}, transport)).hint == "The service could not be reached.");
    canned rude(std::vector<ai::http_response>{refusal(401, "Incorrect API key provided: sk-secret")});
    CHECK(failure_of(ai::openai({.api_key = "sk-secret"}, rude)).message.find("sk-secret") == std::string::npos);
}

TEST_CASE("over an asynchronous transport, the loop makes the attempt without reasoning, and waits in the transport's loop") {
    canned transport(std::vector<ai::http_response>{refusal(400, needs_none), ok(answer)});
    const bench::looped_transport looped(transport);
    ai::agent agent{ai::openai({.api_key = "k", .model = "gpt-5.6-terra"}, looped), {ai::capability("f", "F.", [] { return 1; })}};
    CHECK(agent.ask("x").wait().text == "Hi.");
    REQUIRE(transport.shared->seen.size() == 2);
    CHECK(transport.body(1)["reasoning_effort"] == "none");
    CHECK(looped.runs->claims > 0);
}

}  // namespace openai_tests
