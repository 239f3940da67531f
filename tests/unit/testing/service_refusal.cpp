#include <pyaichat/testing/service_refusal.hpp>

#include "catch.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

TEST_CASE("the message of a refusal is that of its error, or empty") {
    const auto message = [](const char* body) { return fake::service_refusal{.body = *ai::parse_json(body)}.message(); };
    CHECK(message(R"({"error": {"message": "no key"}})") == "no key");
    CHECK(message(R"({"error": {"message": 3}})").empty());
    CHECK(message(R"({"error": "no key"})").empty());
    CHECK(message("[]").empty());
}
