#include <pyaichat/testing/gemini_emulator.hpp>

#include <pyaichat/net/https.hpp>

#include "catch.hpp"
#include "process_counts.hpp"

#include <csignal>
#include <future>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

namespace {

ai::result<ai::http_response> ask(ai::https_transport& transport, const fake::gemini_emulator& service, const std::string& body,
                                  ai::duration timeout = 5s, const char* version = "v1beta") {
    ai::http_request request;
    request.url = service.base_url() + "/" + version + "/models/gemini-3.8-flash:generateContent";
    request.headers = {{"x-goog-api-key", "test-key"}, {"Content-Type", "application/json"}};
    request.body = body;
    request.timeout = timeout;
    return transport.send(request, {});
}

constexpr const char* question = R"({"contents": [{"role": "user", "parts": [{"text": "Hello?"}]}]})";

}  // namespace

TEST_CASE("legal requests take the script in order, under both versions, and are recorded") {
    fake::gemini_emulator service{fake::gemini_reply::text("one"), fake::gemini_reply::text("two")};
    ai::https_transport transport;
    const auto first = ask(transport, service, question);
    const auto second = ask(transport, service, question, 5s, "v1");
    REQUIRE(first);
    REQUIRE(second);
    CHECK(first->body.find("\"one\"") != std::string::npos);
    CHECK(second->body.find("\"two\"") != std::string::npos);
    const auto seen = service.requests();
    REQUIRE(seen.size() == 2);
    CHECK(seen[0].method == "POST");
    CHECK(seen[0].path == "/v1beta/models/gemini-3.8-flash:generateContent");
    CHECK(seen[1].path == "/v1/models/gemini-3.8-flash:generateContent");
    CHECK(seen[0].query.empty());
    CHECK(seen[0].header("X-GOOG-API-KEY") == "test-key");
    CHECK(seen[0].text == question);
    CHECK(seen[0].body["contents"][0]["role"] == "user");
    CHECK(seen[0].connection == 1);
    CHECK(seen[1].connection == 1);
    CHECK(service.connections() == 1);
}

TEST_CASE("a request that is not legal is refused and takes nothing from the script") {
    fake::gemini_emulator service{fake::gemini_reply::text("one")};
    ai::https_transport transport;
    const auto refused = ask(transport, service, R"({"contents": [], "foo": 1})");
    REQUIRE(refused);
    CHECK(refused->status == 400);
    CHECK(refused->body.find("Cannot find field.") != std::string::npos);
    REQUIRE(service.requests().front().refusal);
    CHECK(ask(transport, service, question)->status == 200);
}

TEST_CASE("a lenient emulator takes any request") {
    fake::gemini_emulator service(fake::gemini_emulator_options{.strict = false});
    service.enqueue(fake::gemini_reply::text("one"));
    ai::https_transport transport;
    CHECK(ask(transport, service, "nonsense")->status == 200);
}

TEST_CASE("after the script a handler answers, and without one an error says that the script is over") {
    fake::gemini_emulator service;
    ai::https_transport transport;
    CHECK(ask(transport, service, question)->body.find("script is over") != std::string::npos);
    service.otherwise([](const fake::recorded_request& request) {
        return fake::gemini_reply::text("you said " + ai::dump_json(request.body["contents"][0]["parts"][0]["text"]));
    });
    CHECK(ask(transport, service, question)->body.find("Hello?") != std::string::npos);
}

TEST_CASE("replies can be late, in drips, cut, reset, stalled, or nothing at all") {
    fake::gemini_emulator service{
        fake::gemini_reply::text("late").after(30ms),
        fake::gemini_reply::text("drips").dripping(7, 1ms),
        fake::gemini_reply::text("cut").cut_after(10),
        fake::gemini_reply::text("reset").reset_after(10),
        fake::gemini_reply::reset(),
        fake::gemini_reply::raw("nonsense\r\n\r\n"),
        fake::gemini_reply::text("stall").stall_after(10),
        fake::gemini_reply::hang(),
    };
    ai::https_transport transport;
    const auto begin = std::chrono::steady_clock::now();
    CHECK(ask(transport, service, question)->status == 200);
    CHECK(std::chrono::steady_clock::now() - begin >= 30ms);
    CHECK(ask(transport, service, question)->body.find("drips") != std::string::npos);
    for (int i = 0; i < 4; ++i) {
        const auto broken = ask(transport, service, question);
        REQUIRE_FALSE(broken);
        CHECK(broken.error().code == ai::errc::connection_failed);
    }
    for (int i = 0; i < 2; ++i) {
        const auto late = ask(transport, service, question, 100ms);
        REQUIRE_FALSE(late);
        CHECK(late.error().code == ai::errc::timeout);
    }
}

TEST_CASE("a model is described to who asks for it") {
    fake::gemini_emulator service;
    ai::https_transport transport;
    ai::http_request request;
    request.method = "GET";
    request.url = service.base_url() + "/v1beta/models/gemini-3.8-flash";
    request.headers = {{"x-goog-api-key", "test-key"}};
    const auto response = transport.send(request, {});
    REQUIRE(response);
    const auto described = ai::parse_json(response->body);
    REQUIRE(described);
    CHECK(ai::string_member(*described, "name") == "models/gemini-3.8-flash");
}

TEST_CASE("an emulator ends at once, whatever hangs on it, and leaves threads, descriptors and signals as they were") {
    struct sigaction before_action = {};
    sigaction(SIGPIPE, nullptr, &before_action);
    const auto before = count_process();
    ai::https_transport transport;
    auto service = std::make_unique<fake::gemini_emulator>();
    std::vector<std::future<ai::result<ai::http_response>>> waiting;
    for (int i = 0; i < 3; ++i) {
        service->enqueue(fake::gemini_reply::hang());
        waiting.push_back(std::async(std::launch::async, [&] { return ask(transport, *service, question, 20s); }));
    }
    service->enqueue(fake::gemini_reply::text("far away").after(1h));
    waiting.push_back(std::async(std::launch::async, [&] { return ask(transport, *service, question, 20s); }));
    REQUIRE(service->wait_for_requests(4, 5s));
    const auto begin = std::chrono::steady_clock::now();
    service.reset();
    CHECK(std::chrono::steady_clock::now() - begin < 1s);
    for (auto& one : waiting) {
        CHECK_FALSE(one.get());
    }
    CHECK(settles([&] { return count_process().threads <= before.threads && count_process().descriptors <= before.descriptors; }));
    struct sigaction after_action = {};
    sigaction(SIGPIPE, nullptr, &after_action);
    CHECK(after_action.sa_handler == before_action.sa_handler);
}
