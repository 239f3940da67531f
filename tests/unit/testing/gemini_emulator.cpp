#include <pyaichat/testing/gemini_emulator.hpp>

#include <pyaichat/net/https.hpp>

#include "catch.hpp"
#include "process_counts.hpp"

#include <csignal>
#include <future>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace gemini_emulator_tests {

namespace {

ai::result<ai::http_response> ask(ai::net::https_transport& transport, const fake::gemini_emulator& service, const std::string& body,
                                  ai::duration timeout = 5s, const char* version = "v1beta") {
    ai::http_request request;
    request.url = service.base_url() + "/" + version + "/models/gemini-3.8-flash:generateContent";
    request.headers = {{"x-goog-api-key", "test-key"}, {"Content-Type", "application/json"}};
    request.body = body;
    request.timeout = timeout;
    return transport.send(request, {});
}

ai::http_request request_to(const fake::gemini_emulator& service, const std::string& target, const std::string& body = {}) {
    ai::http_request request;
    request.method = body.empty() ? "GET" : "POST";
    request.url = service.base_url() + target;
    request.headers = {{"x-goog-api-key", "test-key"}, {"Content-Type", "application/json"}};
    request.body = body;
    request.timeout = 5s;
    return request;
}

json fetch(ai::net::https_transport& transport, const fake::gemini_emulator& service, const std::string& target,
           const std::string& body = {}) {
    const auto response = transport.send(request_to(service, target, body), {});
    REQUIRE(response);
    const auto document = ai::parse_json(response->body);
    REQUIRE(document);
    return *document;
}

constexpr const char* question = R"({"contents": [{"role": "user", "parts": [{"text": "Hello?"}]}]})";

}  // namespace

TEST_CASE("legal requests take the script in order, under both versions, and are recorded") {
    fake::gemini_emulator service{fake::gemini_reply::text("one"), fake::gemini_reply::text("two")};
    ai::net::https_transport transport;
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
    ai::net::https_transport transport;
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
    ai::net::https_transport transport;
    CHECK(fetch(transport, service, "/v1beta/models")["models"].size() == 1);
    CHECK(service.replies_left() == 1);
    CHECK(ask(transport, service, "nonsense")->status == 200);
}

TEST_CASE("after the script a handler answers, and without one an error says that the script has no more replies") {
    fake::gemini_emulator service;
    ai::net::https_transport transport;
    CHECK(ask(transport, service, question)->body.find("no more replies") != std::string::npos);
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
    ai::net::https_transport transport;
    const auto begin = std::chrono::steady_clock::now();
    CHECK(ask(transport, service, question)->status == 200);
    CHECK(std::chrono::steady_clock::now() - begin >= 30ms);
    CHECK(ask(transport, service, question)->body.find("drips") != std::string::npos);
    for (int i = 0; i < 4; ++i) {
        const auto broken = ask(transport, service, question);
        REQUIRE_FALSE(broken);
        CHECK(broken.error().code == (i == 3 ? ai::errc::unreachable : ai::errc::connection_failed));  // the last one is no HTTP
    }
    for (int i = 0; i < 2; ++i) {
        const auto late = ask(transport, service, question, 100ms);
        REQUIRE_FALSE(late);
        CHECK(late.error().code == ai::errc::timeout);
    }
}

TEST_CASE("a stream arrives event by event, whole or byte by byte, and as an array when events were not asked for") {
    fake::gemini_emulator service;
    ai::net::https_transport transport;
    const std::string stream = "/v1beta/models/gemini-3.8-flash:streamGenerateContent";
    std::vector<std::string> bodies;
    for (int round = 0; round < 2; ++round) {
        auto reply = fake::gemini_reply::deltas({"Hel", "lo."}, "c2lnbmF0dXJl");
        service.enqueue(round == 0 ? reply : std::move(reply).byte_by_byte());
        std::string& body = bodies.emplace_back();
        const auto response = transport.stream(request_to(service, stream + "?alt=sse", question),
                                               [&](std::string_view piece) {
                                                   body += piece;
                                                   return true;
                                               },
                                               {});
        REQUIRE(response);
        CHECK(response->status == 200);
    }
    CHECK(bodies[0].find("data: {\"candidates\":") == 0);
    CHECK(bodies[0].ends_with("}\r\n\r\n"));
    CHECK(bodies[1] == bodies[0]);
    service.enqueue(fake::gemini_reply::deltas({"Hel", "lo."}));
    CHECK(fetch(transport, service, stream, question).size() == 2);
    CHECK(service.requests()[0].query == "alt=sse");
}

TEST_CASE("a stream that is cut is a broken exchange, and one that ends without a finish reason is not") {
    fake::gemini_emulator service{fake::gemini_reply::deltas({"Hel", "lo."}).cut_after(40),
                                  fake::gemini_reply::deltas({"Hel", "lo."}).without_finish()};
    ai::net::https_transport transport;
    const auto request = request_to(service, "/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse", question);
    const auto broken = transport.stream(request, [](std::string_view) { return true; }, {});
    REQUIRE_FALSE(broken);
    CHECK(broken.error().code == ai::errc::connection_failed);
    CHECK(transport.stream(request, [](std::string_view) { return true; }, {}));
}

TEST_CASE("tokens are counted and models listed page by page without a script, and a script can say otherwise") {
    fake::gemini_emulator service(fake::gemini_emulator_options{
        .service = {.models = {"gemini-3.8-flash", "gemini-4-argon", "gemini-embedding-002", "gemini-2.5-pro", "gemini-3.6-flash"}}});
    ai::net::https_transport transport;
    const std::string count = "/v1beta/models/gemini-3.8-flash:countTokens";
    CHECK(fetch(transport, service, count, question)["totalTokens"] == 3);  // "user" and "Hello?"
    CHECK(fetch(transport, service, count, R"({"generateContentRequest": {"model": "models/gemini-3.8-flash", "contents": [
        {"role": "user", "parts": [{"text": "Hello?"}]}]}})")["promptTokensDetails"][0]["tokenCount"] == 9);
    CHECK(fetch(transport, service, count, R"({"foo": 1})")["error"]["code"] == 400);
    CHECK(fetch(transport, service, count, "{}")["error"]["message"] == "* CountTokensRequest.contents: contents is not specified\n");

    std::vector<std::string> names;
    std::string token;
    int pages = 0;
    do {
        const json page = fetch(transport, service, "/v1beta/models?pageSize=2" + (token.empty() ? token : "&pageToken=" + token));
        for (const json& one : page["models"]) {
            names.emplace_back(*ai::string_member(one, "name"));
        }
        token = ai::string_member(page, "nextPageToken").value_or("");
        ++pages;
    } while (!token.empty());
    CHECK(pages == 3);
    REQUIRE(names.size() == 5);
    CHECK(names[4] == "models/gemini-3.6-flash");
    CHECK(fetch(transport, service, "/v1beta/models")["models"].size() == 5);
    CHECK(fetch(transport, service, "/v1beta/models?pageToken=nonsense")["error"]["code"] == 400);
    CHECK(fetch(transport, service, "/v1beta/models/gemini-embedding-002")["supportedGenerationMethods"] == json::array({"embedContent"}));
    CHECK(fetch(transport, service, "/v1beta/models/gemini-4-argon")["version"] == "4");

    service.enqueue(fake::gemini_reply::overloaded().only_for(fake::gemini_method::list_models));
    service.enqueue(fake::gemini_reply::text("for the question"));
    CHECK(service.replies_left() == 2);
    CHECK(fetch(transport, service, "/v1beta/models")["error"]["code"] == 503);
    CHECK(fetch(transport, service, "/v1beta/models")["models"].size() == 5);
    CHECK(ask(transport, service, question)->body.find("for the question") != std::string::npos);
    CHECK(service.replies_left() == 0);
}

TEST_CASE("a model of an old version gives no ids, whatever the script says") {
    fake::gemini_emulator service(fake::gemini_emulator_options{.service = {.models = {"gemini-2.5-flash"}}});
    service.enqueue(fake::gemini_reply::calls({{"fc-1", "f"}}));
    ai::net::https_transport transport;
    const json reply = fetch(transport, service, "/v1beta/models/gemini-2.5-flash:generateContent", question);
    CHECK(reply["candidates"][0]["content"]["parts"][0]["functionCall"] == json::parse(R"({"name": "f", "args": {}})", nullptr, false));
    CHECK(reply["modelVersion"] == "gemini-2.5-flash");
}

TEST_CASE("a key in the URL is refused, and the parts of what was sent can be looked at one kind at a time") {
    std::vector<std::string> told;
    fake::gemini_emulator service(fake::gemini_emulator_options{
        .on_request = [&told](const fake::recorded_request& request) { told.push_back(request.path + "?" + request.query); }});
    service.enqueue(fake::gemini_reply::text("x"));
    ai::net::https_transport transport;
    const std::string path = "/v1beta/models/gemini-3.8-flash:generateContent";
    CHECK(fetch(transport, service, path + "?key=test-key", question)["error"]["message"].get<std::string>().find("in the URL") !=
          std::string::npos);
    static_cast<void>(fetch(transport, service, path, R"({"contents": [
        {"role": "user", "parts": [{"text": "a"}]},
        {"role": "model", "parts": [{"functionCall": {"id": "1", "name": "f"}, "thoughtSignature": "c2ln"}]},
        {"role": "user", "parts": [{"functionResponse": {"id": "1", "name": "f", "response": {}}}]}]})"));
    const auto seen = service.requests();
    REQUIRE(seen.size() == 2);
    CHECK(seen[0].query == "key=test-key");
    CHECK(seen[0].refusal);
    CHECK_FALSE(seen[1].refusal);
    CHECK(seen[1].every("thoughtSignature") == std::vector<json>{"c2ln"});
    CHECK(seen[1].every("functionCall")[0]["id"] == seen[1].every("functionResponse")[0]["id"]);
    CHECK(seen[1].every("fileData").empty());
    CHECK(told == std::vector<std::string>{path + "?key=test-key", path + "?"});
}

TEST_CASE("an emulator listens on the port that it is given, and says 0 when it cannot have it") {
    fake::gemini_emulator first;
    CHECK(fake::gemini_emulator(fake::gemini_emulator_options{.port = first.port()}).port() == 0);
    int port = 0;
    {
        const fake::gemini_emulator gone;
        port = gone.port();
    }
    CHECK(fake::gemini_emulator(fake::gemini_emulator_options{.port = port}).port() == port);
}

TEST_CASE("a body of any size is made while it is sent") {
    fake::gemini_emulator service{fake::gemini_reply::text("x").padded_by(std::size_t{3} << 20),
                                  fake::gemini_reply::text("x").padded_by(std::size_t{4} << 30)};
    ai::net::https_transport transport;
    CHECK(ask(transport, service, question)->body.size() > std::size_t{3} << 20);
    const auto refused = ask(transport, service, question);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ai::errc::too_large);
}

TEST_CASE("an emulator ends at once, whatever hangs on it, and leaves threads, descriptors and signals as they were") {
    struct sigaction before_action = {};
    sigaction(SIGPIPE, nullptr, &before_action);
    const auto before = count_process();
    auto transport = std::make_unique<ai::net::https_transport>();
    auto service = std::make_unique<fake::gemini_emulator>();
    std::vector<std::future<ai::result<ai::http_response>>> waiting;
    for (int i = 0; i < 3; ++i) {
        service->enqueue(fake::gemini_reply::hang());
        waiting.push_back(std::async(std::launch::async, [&] { return ask(*transport, *service, question, 20s); }));
    }
    service->enqueue(fake::gemini_reply::text("far away").after(1h));
    waiting.push_back(std::async(std::launch::async, [&] { return ask(*transport, *service, question, 20s); }));
    REQUIRE(service->wait_for_requests(4, 5s));
    const auto begin = std::chrono::steady_clock::now();
    service.reset();
    CHECK(std::chrono::steady_clock::now() - begin < 1s);
    for (auto& one : waiting) {
        CHECK_FALSE(one.get());
    }
    transport.reset();
    CHECK(settles([&] { return count_process().threads <= before.threads && count_process().descriptors <= before.descriptors; }));
    struct sigaction after_action = {};
    sigaction(SIGPIPE, nullptr, &after_action);
    CHECK(after_action.sa_handler == before_action.sa_handler);
}

}  // namespace gemini_emulator_tests
