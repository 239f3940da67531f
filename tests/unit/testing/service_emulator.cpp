#include <pyaichat/testing/service_emulator.hpp>

#include "catch.hpp"

#include <pyaichat/net/https.hpp>
#include <pyaichat/testing/anthropic_emulator.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>
#include <pyaichat/testing/openai_emulator.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

namespace {

template <class Emulator>
ai::http_response send(const Emulator& emulator, const std::string& path) {
    ai::net::https_transport transport;
    const auto response = transport.send({.url = "http://127.0.0.1:" + std::to_string(emulator.port()) + path, .body = R"({"a": 1})"}, {});
    REQUIRE(response);
    return *response;
}

template <class Emulator>
void check_refusal() {
    Emulator emulator;
    emulator.enqueue({});
    CHECK(emulator.connections() == 0);
    CHECK(send(emulator, "/nowhere?key=1").status == 404);
    REQUIRE(emulator.wait_for_requests(1, 5s));
    CHECK_FALSE(emulator.wait_for_requests(2, 0s));
    const auto seen = emulator.requests();
    REQUIRE(seen.size() == 1);
    CHECK(seen[0].method == "POST");
    CHECK(seen[0].path == "/nowhere");
    CHECK(seen[0].query == "key=1");
    CHECK(seen[0].body == ai::json{{"a", 1}});
    CHECK(seen[0].connection == 1);
    REQUIRE(seen[0].refusal);
    CHECK(seen[0].refusal->status == 404);
    CHECK(emulator.replies_left() == 1);
    CHECK(emulator.connections() == 1);
}

template <class Emulator>
void check_end_of_script(const std::string& path) {
    Emulator emulator(typename Emulator::options{.strict = false});
    CHECK(send(emulator, path).status == 500);
    emulator.otherwise([path](const fake::recorded_request& request) {
        using reply = std::remove_cvref_t<decltype(std::declval<typename Emulator::handler>()(request))>;
        return request.path == path ? reply::http(418, {}, "later") : reply();
    });
    const ai::http_response response = send(emulator, path);
    CHECK(response.status == 418);
    CHECK(response.body == "later");
}

}  // namespace

TEST_CASE("an emulator records a refused request, and keeps its script") {
    check_refusal<fake::gemini_emulator>();
    check_refusal<fake::openai_emulator>();
    check_refusal<fake::anthropic_emulator>();
}

TEST_CASE("after its script, an emulator asks its handler, and fails without one") {
    check_end_of_script<fake::gemini_emulator>("/v1beta/models/gemini-3.8-flash:generateContent");
    check_end_of_script<fake::openai_emulator>("/v1/chat/completions");
    check_end_of_script<fake::anthropic_emulator>("/v1/messages");
}
