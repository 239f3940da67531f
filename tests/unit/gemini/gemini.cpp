#include <pyaichat/gemini/gemini.hpp>

#include <pyaichat/testing/gemini_emulator.hpp>

#include "catch.hpp"
#include "looped_transport.hpp"
#include "process_counts.hpp"

#include <future>
#include <utility>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace gemini_tests {
using std::chrono::steady_clock;

static_assert(ai::model_provider<ai::gemini>);
static_assert(ai::async_model_provider<ai::gemini>);

namespace {

ai::gemini provider_for(const fake::gemini_emulator& service, const char* model = "gemini-3.8-flash") {
    return ai::gemini({.api_key = "test-key", .model = model, .base_url = service.base_url()});
}

ai::model_request question(ai::duration time_left = 10s) {
    ai::model_request request;
    request.messages.push_back(ai::user_message("What is x?"));
    request.time_left = time_left;
    return request;
}

ai::result<ai::model_response> ask(ai::gemini& provider, const ai::model_request& request, const ai::cancel_token& cancel = {}) {
    return provider.complete(request, ai::delta_sink(), cancel);
}

/// A transport that answers from a script, last entry first, and keeps what it was asked.
struct canned {
    struct log {
        std::vector<ai::http_response> script = {};
        std::vector<ai::http_request> seen = {};
    };
    std::shared_ptr<log> shared = std::make_shared<log>();

    explicit canned(std::vector<std::string> bodies) {
        for (std::string& body : bodies) {
            shared->script.insert(shared->script.begin(), {.status = 200, .body = std::move(body)});
        }
    }
    ai::result<ai::http_response> send(const ai::http_request& request, const ai::cancel_token&) {
        shared->seen.push_back(request);
        if (shared->script.empty()) {
            return ai::failure{.code = ai::errc::connection_failed, .message = "the script is over"};
        }
        ai::http_response next = std::move(shared->script.back());
        shared->script.pop_back();
        return next;
    }
    ai::result<ai::http_response> stream(const ai::http_request& request, const ai::http_body_sink& sink, const ai::cancel_token& cancel) {
        auto response = send(request, cancel);
        if (response && response->status == 200) {
            const std::string body = std::exchange(response->body, "");
            for (const char byte : body) {
                if (!sink(std::string_view(&byte, 1))) {
                    return ai::failure{.code = ai::errc::cancelled, .message = "stopped"};
                }
            }
        }
        return response;
    }
};

ai::failure failure_of(ai::gemini& provider, const ai::model_request& request) {
    const auto response = ask(provider, request);
    REQUIRE_FALSE(response);
    return response.error();
}

}  // namespace

TEST_CASE("two parallel calls, a third, and the answer: every request is legal and they share a connection") {
    fake::gemini_emulator service{
        fake::gemini_reply::calls({{"fc-1", "get_type", json::object({{"path", "x"}})}, {"fc-2", "get_len", json::object()}},
                                  "c2lnbmF0dXJlLW9uZQ=="),
        fake::gemini_reply::calls({{"fc-3", "get_type", json::object()}}, "c2lnbmF0dXJlLXR3bw=="),
        fake::gemini_reply::text("x is a list.", "c2lnbmF0dXJlLTM="),
    };
    ai::gemini provider = provider_for(service);
    ai::model_request request = question();
    request.instructions = "Be terse.";
    request.declarations = *ai::declare({{.name = "get_type", .description = "Type.", .parameters = json::object({{"type", "object"}})},
                                         {.name = "get_len", .description = "Length."}});
    std::string answer;
    for (int step = 0; step < 3; ++step) {
        const auto response = ask(provider, request);
        REQUIRE(response);
        const ai::message& content = response->candidates.front().content;
        ai::message replies;
        for (const ai::part& one : content.parts) {
            if (const auto* call = one.as<ai::call_part>()) {
                replies.parts.push_back(ai::response_part{call->id, call->name, json::object({{"ok", true}, {"result", 3}})});
            }
        }
        request.messages.push_back(content);
        request.messages.push_back(replies);
        answer = content.text();
    }
    CHECK(answer == "x is a list.");
    const auto seen = service.requests();
    REQUIRE(seen.size() == 3);
    for (const fake::recorded_request& one : seen) {
        CHECK_FALSE(one.refusal);
        CHECK(one.path == "/v1beta/models/gemini-3.8-flash:streamGenerateContent");
        CHECK(one.query == "alt=sse");
        CHECK(one.connection == 1);
        CHECK(one.header("x-goog-api-key") == "test-key");
        CHECK(one.header("content-type") == "application/json");
        CHECK(one.text.find("test-key") == std::string::npos);
    }
    CHECK(seen[2].body["contents"].size() == 5);
    CHECK(seen[2].body["contents"][1]["parts"][0]["thoughtSignature"] == "c2lnbmF0dXJlLW9uZQ==");
}

TEST_CASE("the model has exactly one prefix in the path, whatever the user wrote") {
    fake::gemini_emulator service(fake::gemini_emulator_options{.strict = false});
    const auto path_of = [&](const char* model) {
        service.enqueue(fake::gemini_reply::text("x"));
        ai::gemini provider = provider_for(service, model);
        REQUIRE(ask(provider, question()));
        return service.requests().back().path;
    };
    CHECK(path_of("gemini-3.8-flash") == "/v1beta/models/gemini-3.8-flash:streamGenerateContent");
    CHECK(path_of("models/gemini-3.8-flash") == "/v1beta/models/gemini-3.8-flash:streamGenerateContent");
    CHECK(path_of("/models/models/x") == "/v1beta/models/x:streamGenerateContent");
    CHECK(path_of("tunedModels/mine-1") == "/v1beta/tunedModels/mine-1:streamGenerateContent");
    CHECK(path_of("a/b?c d") == "/v1beta/models/a%2Fb%3Fc%20d:streamGenerateContent");
}

TEST_CASE("not even a part of the key is left where a long body is cut") {
    const std::string key = "AIzaSyD-0123456789abcdefghijklmnopqrstuv";
    fake::gemini_emulator service(fake::gemini_emulator_options{.strict = false});
    for (const std::size_t before : {80u, 100u, 1970u, 1990u}) {
        for (const int status : {200, 400}) {
            service.enqueue(fake::gemini_reply::http(status, {}, std::string(before, 'x') + key + std::string(3000, 'y')));
            ai::gemini provider({.api_key = key, .base_url = service.base_url()});
            const ai::failure error = failure_of(provider, question());
            CHECK(error.message.find(key.substr(0, 6)) == std::string::npos);
        }
    }
}

TEST_CASE("base URL and version may be chosen, a slash at the end included") {
    fake::gemini_emulator service{fake::gemini_reply::text("x")};
    ai::gemini provider({.api_key = "test-key", .base_url = service.base_url() + "/", .api_version = "v1"});
    REQUIRE(ask(provider, question()));
    CHECK(service.requests().front().path == "/v1/models/gemini-3.8-flash:streamGenerateContent");
}

TEST_CASE("a rejected key is told with the variable that holds it, and never shown") {
    fake::gemini_emulator service;
    ai::gemini provider({.api_key = "wrong-key-123", .base_url = service.base_url(), .key_variable = "MY_KEY"});
    const ai::failure error = failure_of(provider, question());
    CHECK(error.code == ai::errc::authentication);
    CHECK(error.hint == "The API key was rejected. Check MY_KEY.");
    CHECK(error.message.find("API key not valid") != std::string::npos);
    CHECK(error.message.find("wrong-key-123") == std::string::npos);
}

TEST_CASE("a key that the service repeats is taken out of the failure") {
    fake::gemini_emulator service{fake::gemini_reply::error(403, "PERMISSION_DENIED", "Consumer 'api_key:test-key' has been suspended."),
                                  fake::gemini_reply::http(200, {}, "no JSON, but test-key")};
    ai::gemini provider = provider_for(service);
    for (int i = 0; i < 2; ++i) {
        const ai::failure error = failure_of(provider, question());
        CHECK(error.message.find("test-key") == std::string::npos);
        CHECK(error.hint.find("test-key") == std::string::npos);
    }
}

TEST_CASE("without a key, or with one that cannot be sent, nothing is sent and the way out is told") {
    fake::gemini_emulator service;
    ai::gemini none({.api_key = "", .base_url = service.base_url()});
    CHECK(failure_of(none, question()).code == ai::errc::authentication);
    CHECK(failure_of(none, question()).hint == "No API key is set. Set GEMINI_API_KEY to your key.");
    for (const char* key : {"key\n", "key\r\nX-Other: 1", "a key", "k\x01", "schl\xc3\xbcssel"}) {
        ai::gemini odd({.api_key = key, .base_url = service.base_url()});
        const ai::failure error = failure_of(odd, question());
        CHECK(error.code == ai::errc::authentication);
        CHECK(error.hint.find("GEMINI_API_KEY") != std::string::npos);
        CHECK(error.message.find(key) == std::string::npos);
    }
    CHECK(service.requests().empty());
}

TEST_CASE("an unknown model is told with the way to choose another") {
    fake::gemini_emulator service;
    ai::gemini provider = provider_for(service, "gemini-9");
    const ai::failure error = failure_of(provider, question());
    CHECK(error.code == ai::errc::unknown_model);
    CHECK(error.hint == "The model \"gemini-9\" is unknown to the service. Choose another one with GEMINI_MODEL.");
}

TEST_CASE("errors of the service have their codes and waits") {
    fake::gemini_emulator service{
        fake::gemini_reply::rate_limit("56s"),
        fake::gemini_reply::rate_limit("", "GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
        fake::gemini_reply::error(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
        fake::gemini_reply::http(502, {{"Content-Type", "text/html"}, {"Retry-After", "2"}}, "<html>Bad gateway</html>"),
        fake::gemini_reply::error(400, "INVALID_ARGUMENT", "Bad."),
    };
    ai::gemini provider = provider_for(service);
    const ai::failure limited = failure_of(provider, question());
    CHECK(limited.code == ai::errc::rate_limited);
    CHECK(limited.retry_after == 56s);
    CHECK(failure_of(provider, question()).code == ai::errc::quota_exhausted);
    const ai::failure overloaded = failure_of(provider, question());
    CHECK(overloaded.code == ai::errc::unavailable);
    CHECK(overloaded.hint == "The service is overloaded; try again shortly.");
    CHECK(failure_of(provider, question()).retry_after == 2s);
    CHECK(failure_of(provider, question()).code == ai::errc::request_rejected);
    CHECK(service.requests().size() == 5);  // one attempt each: only the loop retries
}

TEST_CASE("an answer that is no answer is a bad response") {
    fake::gemini_emulator service{
        fake::gemini_reply::http(200, {}, "<html>Welcome</html>"), fake::gemini_reply::http(200, {}, "Welcome"),
        fake::gemini_reply::http(200, {}, "{\"candidates\": ["),   fake::gemini_reply::document(json::array()),
        fake::gemini_reply::document(json::object({{"foo", 1}})),
    };
    ai::gemini provider = provider_for(service);
    for (int i = 0; i < 5; ++i) {
        const ai::failure error = failure_of(provider, question());
        CHECK(error.code == ai::errc::bad_response);
        CHECK(error.hint == "The service sent a response that cannot be read.");
    }
}

TEST_CASE("an error in an answer with status 200 is that error") {
    fake::gemini_emulator service{fake::gemini_reply::document(fake::gemini_error_body(429, "RESOURCE_EXHAUSTED", "Please retry in 3s."))};
    ai::gemini provider = provider_for(service);
    const ai::failure error = failure_of(provider, question());
    CHECK(error.code == ai::errc::rate_limited);
    CHECK(error.retry_after == 3s);
}

TEST_CASE("a blocked prompt and odd finish reasons are responses") {
    fake::gemini_emulator service{fake::gemini_reply::prompt_block("SAFETY"),
                                  fake::gemini_reply::finish("MALFORMED_FUNCTION_CALL", "bad call"),
                                  fake::gemini_reply::document(json::object())};
    ai::gemini provider = provider_for(service);
    CHECK(ask(provider, question())->prompt_block == "SAFETY");
    const auto malformed = ask(provider, question());
    REQUIRE(malformed);
    CHECK(malformed->candidates.front().finish == ai::finish_reason::malformed);
    CHECK(malformed->candidates.front().finish_message == "bad call");
    CHECK(ask(provider, question())->candidates.empty());
}

TEST_CASE("a dead server, half a reply and a reset are told in plain sentences") {
    fake::gemini_emulator service{
        fake::gemini_reply::text("half").cut_after(20),
        fake::gemini_reply::text("half").reset_after(20),
        fake::gemini_reply::reset(),
    };
    ai::gemini provider = provider_for(service);
    for (const char* hint : {"The service's response was cut off.", "The service's response was cut off.",
                             "The service closed the connection without a response."}) {
        const ai::failure error = failure_of(provider, question());
        CHECK(error.code == ai::errc::connection_failed);
        CHECK(error.hint == hint);
    }
    std::string gone;
    {
        const fake::gemini_emulator other;
        gone = other.base_url();
    }
    ai::gemini dead({.api_key = "test-key", .base_url = gone});
    const ai::failure error = failure_of(dead, question());
    CHECK(error.code == ai::errc::connection_failed);
    CHECK(error.hint == "The service could not be reached (connection refused).");
}

TEST_CASE("a server that hangs or stalls ends with the time that was left") {
    fake::gemini_emulator service{fake::gemini_reply::hang(), fake::gemini_reply::text("stall").stall_after(20)};
    ai::gemini provider = provider_for(service);
    for (int i = 0; i < 2; ++i) {
        const auto begin = steady_clock::now();
        const ai::failure error = failure_of(provider, question(100ms));
        CHECK(steady_clock::now() - begin < 600ms);
        CHECK(error.code == ai::errc::timeout);
        CHECK(error.hint == "The service did not answer in time.");
    }
}

TEST_CASE("an answer over the limit is refused") {
    fake::gemini_emulator service{fake::gemini_reply::text(std::string(100'000, 'x'))};
    ai::gemini provider({.api_key = "test-key", .base_url = service.base_url(), .max_response_bytes = 50'000});
    CHECK(failure_of(provider, question()).code == ai::errc::too_large);
}

TEST_CASE("a cancel ends an attempt at once") {
    fake::gemini_emulator service{fake::gemini_reply::hang()};
    ai::gemini provider = provider_for(service);
    ai::cancel_source stop;
    auto running = std::async(std::launch::async, [&] { return ask(provider, question(), stop.get_token()); });
    REQUIRE(service.wait_for_requests(1, 5s));
    const auto tripped = steady_clock::now();
    stop.request_stop();
    const auto response = running.get();
    CHECK(steady_clock::now() - tripped < 500ms);  // 50 ms on a machine that is not busy; the transport's tests look closer
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::cancelled);
}

TEST_CASE("attempts at the same time do not disturb each other") {
    fake::gemini_emulator service;
    service.otherwise([](const fake::recorded_request& request) {
        return fake::gemini_reply::text(*ai::as_string(request.body["contents"][0]["parts"][0]["text"]));
    });
    ai::gemini provider = provider_for(service);
    std::vector<std::future<bool>> running;
    for (int i = 0; i < 8; ++i) {
        running.push_back(std::async(std::launch::async, [&provider, i] {
            for (int round = 0; round < 10; ++round) {
                const std::string words = std::to_string(i) + "/" + std::to_string(round);
                ai::model_request request;
                request.messages.push_back(ai::user_message(words));
                request.time_left = 10s;
                const auto response = ask(provider, request);
                if (!response || response->candidates.front().content.text() != words) {
                    return false;
                }
            }
            return true;
        }));
    }
    for (auto& one : running) {
        CHECK(one.get());
    }
    CHECK(service.connections() <= 8);
}

TEST_CASE("the model is described, or the reason told why not") {
    fake::gemini_emulator service(fake::gemini_emulator_options{.service = {.models = {"gemini-3.8-flash", "gemini-3.8-flash-image"}}});
    ai::gemini provider = provider_for(service, "models/gemini-3.8-flash");
    const auto known = provider.describe_model(5s);
    REQUIRE(known);
    CHECK(known->name == "gemini-3.8-flash");
    CHECK(known->display_name == "Emulated gemini-3.8-flash");
    CHECK(known->generates);
    CHECK(known->calls_functions);
    CHECK_FALSE(provider_for(service, "gemini-3.8-flash-image").describe_model(5s)->calls_functions);
    CHECK(provider_for(service, "gemini-9").describe_model(5s).error().code == ai::errc::unknown_model);
    CHECK(ai::gemini({.api_key = "wrong", .base_url = service.base_url()}).describe_model(5s).error().code == ai::errc::authentication);
}

TEST_CASE("a host's own transport carries the requests") {
    struct echo {
        std::shared_ptr<ai::http_request> seen = std::make_shared<ai::http_request>();
        ai::result<ai::http_response> send(const ai::http_request& request, const ai::cancel_token&) {
            *seen = request;
            return ai::failure{.code = ai::errc::connection_failed, .message = "no line, key test-key"};
        }
        ai::result<ai::http_response> stream(const ai::http_request& request, const ai::http_body_sink&, const ai::cancel_token& cancel) {
            return send(request, cancel);
        }
    };
    echo transport;
    ai::gemini whole({.api_key = "test-key", .stream = false}, transport);
    CHECK(failure_of(whole, question()).code == ai::errc::connection_failed);
    CHECK(transport.seen->url == "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:generateContent");
    ai::gemini provider({.api_key = "test-key"}, transport);
    const ai::failure error = failure_of(provider, question(7s));
    CHECK(transport.seen->url == "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse");
    CHECK(transport.seen->timeout == 7s);
    CHECK(error.hint == "The service could not be reached.");
    CHECK(error.message == "no line, key ***");
}

TEST_CASE("text and thoughts are shown while they come, and the response is the whole") {
    canned transport(
        {"data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"Hm.\", \"thought\": true}, {\"text\": \"It \"}]}}]}\n\n"
         "data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"is.\"}]}, \"finishReason\": \"STOP\"}]}\n\n"});
    ai::gemini provider({.api_key = "test-key"}, transport);
    std::string shown;
    const ai::delta_sink sink([&](ai::delta_sink::kind what, std::string_view piece) {
        shown += (what == ai::delta_sink::kind::thought ? "(" : "[") + std::string(piece) + "]";
    });
    const auto response = provider.complete(question(), sink, {});
    REQUIRE(response);
    CHECK(shown == "(Hm.][It ][is.]");
    CHECK(response->candidates.front().content.text() == "It is.");
}

TEST_CASE("an error in the stream stops the exchange and is told, with nothing of the key") {
    canned transport({"data: {\"error\": {\"code\": 400, \"message\": \"API key not valid: test-key\"}}\n\ndata: never read\n\n"});
    ai::gemini provider({.api_key = "test-key"}, transport);
    const ai::failure error = failure_of(provider, question());
    CHECK(error.code == ai::errc::authentication);
    CHECK(error.message == "HTTP 400: API key not valid: ***");
}

TEST_CASE("the arguments of each call are held against what was declared, whichever way they come") {
    const std::string answer =
        R"({"candidates": [{"content": {"parts": [{"functionCall": {"name": "f", "args": {"x": 1}}},
            {"functionCall": {"name": "f", "args": {"x": "1"}}}, {"functionCall": {"name": "unheard_of"}},
            {"functionCall": {"name": "f", "args": []}}]}, "finishReason": "STOP"}]})";
    for (const bool stream : {true, false}) {
        ai::gemini provider({.api_key = "test-key", .stream = stream}, canned({answer}));
        ai::model_request request = question();
        request.declarations =
            *ai::declare({{.name = "f",
                           .description = "F.",
                           .parameters = *ai::parse_json(R"({"type": "object", "properties": {"x": {"type": "integer"}}})")}});
        const auto response = ask(provider, request);
        REQUIRE(response);
        const ai::candidate& first = response->candidates.front();
        REQUIRE(first.content.parts.size() == 4);
        REQUIRE(first.checks.size() == 4);
        const auto is_checked = [&](std::size_t number) {
            const auto* call = first.content.parts[number].as<ai::call_part>();
            return first.checks[number].is_of(request.declarations, call->name, call->arguments);
        };
        const auto errors = [&](std::size_t number) {
            const auto* call = first.content.parts[number].as<ai::call_part>();
            return request.declarations.validate(call->name, call->arguments, first.checks[number]);
        };
        CHECK(is_checked(0));
        CHECK(errors(0).empty());
        CHECK(is_checked(1));
        REQUIRE(errors(1).size() == 1);
        CHECK(errors(1).front().path == "/x");
        CHECK_FALSE(is_checked(2));
        CHECK(is_checked(3));
        CHECK_FALSE(errors(3).empty());
    }
}

TEST_CASE("streamed or whole, a reply of the service comes to the same") {
    const auto signed_calls = fake::gemini_reply::calls({{"fc-1", "f", json::object({{"x", 1}})}, {"fc-2", "g", json::object()}}, "c2ln");
    for (const auto& reply :
         {signed_calls, fake::gemini_reply::text("Hello.", "c2ln"), fake::gemini_reply::finish("MALFORMED_FUNCTION_CALL"),
          fake::gemini_reply::prompt_block("SAFETY"), fake::gemini_reply::document(json::object())}) {
        fake::gemini_emulator service{reply, reply};
        ai::gemini streaming = provider_for(service);
        ai::gemini whole({.api_key = "test-key", .base_url = service.base_url(), .stream = false});
        const auto one = ask(streaming, question());
        const auto other = ask(whole, question());
        REQUIRE(one);
        REQUIRE(other);
        CHECK(one->prompt_block == other->prompt_block);
        CHECK(one->usage == other->usage);
        REQUIRE(one->candidates.size() == other->candidates.size());
        for (std::size_t i = 0; i < one->candidates.size(); ++i) {
            CHECK(one->candidates[i].finish_text == other->candidates[i].finish_text);
            CHECK(one->candidates[i].content.text() == other->candidates[i].content.text());
            CHECK(one->candidates[i].content.has_calls() == other->candidates[i].content.has_calls());
        }
    }
}

TEST_CASE("a conversation that cannot be sent, or an option that cannot be, is told without asking") {
    canned transport({});
    ai::gemini provider({.api_key = "test-key"}, transport);
    CHECK(failure_of(provider, {}).code == ai::errc::invalid_argument);
    ai::gemini odd({.api_key = "test-key", .generation = {.thinking = {.budget = 1, .level = "LOW"}}}, transport);
    CHECK(failure_of(odd, question()).code == ai::errc::invalid_argument);
    CHECK(transport.shared->seen.empty());
}

TEST_CASE("tokens are counted of the whole request") {
    canned transport({R"({"totalTokens": 11, "promptTokensDetails": []})", R"({"totalTokens": "many"})"});
    ai::gemini provider({.api_key = "test-key"}, transport);
    ai::model_request request = question(3s);
    request.instructions = "Be terse.";
    const auto tokens = provider.count_tokens(request);
    REQUIRE(tokens);
    CHECK(*tokens == 11);
    CHECK(provider.count_tokens(request).error().code == ai::errc::bad_response);
    CHECK(provider.count_tokens({}).error().code == ai::errc::invalid_argument);
    REQUIRE(transport.shared->seen.size() == 2);
    const ai::http_request& sent = transport.shared->seen.front();
    CHECK(sent.url == "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:countTokens");
    CHECK(sent.timeout == 3s);
    CHECK(*ai::parse_json(sent.body) == *ai::parse_json(R"({"generateContentRequest": {"model": "models/gemini-3.8-flash",
        "systemInstruction": {"parts": [{"text": "Be terse."}]}, "contents": [{"role": "user", "parts": [{"text": "What is x?"}]}]}})"));
}

TEST_CASE("models are listed page by page") {
    canned transport({R"({"models": [{"name": "models/gemini-a"}, {"name": "models/gemini-b"}], "nextPageToken": "a/b="})",
                      R"({"models": [{"name": "models/gemini-c"}], "nextPageToken": ""})"});
    ai::gemini provider({.api_key = "test-key"}, transport);
    const auto models = provider.list_models(5s);
    REQUIRE(models);
    REQUIRE(models->size() == 3);
    CHECK((*models)[2].name == "gemini-c");
    REQUIRE(transport.shared->seen.size() == 2);
    CHECK(transport.shared->seen[0].method == "GET");
    CHECK(transport.shared->seen[0].url == "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000");
    CHECK(transport.shared->seen[1].url == "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000&pageToken=a%2Fb%3D");
    CHECK(ai::gemini({.api_key = "test-key"}, canned({"{}"})).list_models(5s)->empty());
    const std::string endless = R"({"models": [], "nextPageToken": "x"})";
    CHECK(ai::gemini({.api_key = "test-key"}, canned(std::vector<std::string>(200, endless))).list_models(5s).error().code ==
          ai::errc::bad_response);
}

TEST_CASE("over an asynchronous transport, attempts need no thread") {
    const std::string body = R"({"candidates":[{"content":{"role":"model","parts":[{"text":"yes"}]},"finishReason":"STOP"}]})";
    const bench::looped_transport transport(canned({body, body}));
    ai::gemini provider({.api_key = "test-key"}, transport);
    REQUIRE(provider.is_async());
    CHECK(provider.loop() == transport.runs);
    CHECK(ask(provider, question())->candidates.at(0).content.text() == "yes");

    std::string shown;
    std::optional<ai::result<ai::model_response>> replied;
    provider.start(question(), ai::delta_sink([&](ai::delta_sink::kind, std::string_view text) { shown += text; }), {},
                   ai::model_reply([&](ai::result<ai::model_response> got) { replied = std::move(got); }));
    CHECK_FALSE(replied);
    REQUIRE(transport.runs->drain_one());
    REQUIRE(replied);
    CHECK((*replied)->candidates.at(0).content.text() == "yes");
    CHECK(shown == "yes");
}

TEST_CASE("an attempt does not keep the transport of its provider") {
    std::optional<bench::looped_transport> transport{std::in_place, canned({"{}"})};
    const auto loop = transport->runs;
    const std::weak_ptr<int> alive = transport->alive;
    bool replied = false;
    {
        ai::gemini provider({.api_key = "test-key"}, *std::move(transport));
        provider.start(question(), {}, {}, ai::model_reply([&](const ai::result<ai::model_response>&) { replied = true; }));
        transport.reset();
    }
    CHECK(alive.expired());
    CHECK_FALSE(replied);
    REQUIRE(loop->drain_one());
    CHECK(replied);
}

TEST_CASE("a response with too many values is too large") {
    std::string values = "0";
    for (int i = 0; i < 800'000; ++i) {
        values += ",0";
    }
    ai::gemini provider({.api_key = "test-key", .stream = false}, canned({R"({"unknown":[)" + values + "]}"}));
    CHECK(ask(provider, question()).error().code == ai::errc::too_large);
}

}  // namespace gemini_tests
