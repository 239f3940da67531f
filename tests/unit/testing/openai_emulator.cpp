#include <pyaichat/testing/openai_emulator.hpp>

#include <pyaichat/net/https.hpp>

#include "catch.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace openai_emulator_tests {

namespace {

ai::http_response post(const fake::openai_emulator& service, const char* body, const char* key = "test-key") {
    static ai::net::https_transport transport;
    const auto response =
        transport.send({.url = service.base_url() + "/chat/completions",
                        .headers = {{"Authorization", "Bearer " + std::string(key)}, {"Content-Type", "application/json"}},
                        .body = body,
                        .timeout = 10s},
                       {});
    REQUIRE(response);
    return *response;
}

constexpr const char* question = R"({"model": "gpt-5.4-mini", "messages": [{"role": "user", "content": "x"}]})";

}  // namespace

TEST_CASE("valid requests to OpenAI take the replies of the script in their order, refused ones take none") {
    fake::openai_emulator service{fake::openai_reply::text("one"), fake::openai_reply::error(503, "busy")};
    CHECK(post(service, "{}").status == 400);
    CHECK(post(service, question, "other").status == 401);
    CHECK(post(service, question).body.find("one") != std::string::npos);
    CHECK(post(service, question).status == 503);
    CHECK(post(service, question).status == 500);
    service.otherwise([](const fake::recorded_request& request) { return fake::openai_reply::text(request.header("authorization")); });
    CHECK(post(service, question).body.find("Bearer test-key") != std::string::npos);
    const auto seen = service.requests();
    REQUIRE(seen.size() == 6);
    CHECK(seen[0].refusal);
    CHECK_FALSE(seen[2].refusal);
    CHECK(seen[2].path == "/v1/chat/completions");
    CHECK(seen[2].body["model"] == "gpt-5.4-mini");
}

TEST_CASE("a lenient emulator of OpenAI takes any request") {
    fake::openai_emulator service(fake::openai_emulator_options{.strict = false});
    service.enqueue(fake::openai_reply::text("one"));
    CHECK(post(service, "{}").status == 200);
}

}  // namespace openai_emulator_tests
