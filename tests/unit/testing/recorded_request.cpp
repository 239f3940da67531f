#include <pyaichat/testing/recorded_request.hpp>

#include "catch.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;

TEST_CASE("a recorded request finds its headers, and the members of its body") {
    fake::recorded_request request;
    request.headers = {{"Content-Type", "application/json"}, {"x-key", "1"}, {"X-Key", "2"}};
    request.body = *ai::parse_json(R"({"a": [{"mark": 1, "b": {"mark": {"mark": 2}}}, "mark"], "c": {"mark": null}})");
    CHECK(request.header("content-type") == "application/json");
    CHECK(request.header("X-KEY") == "1");
    CHECK(request.header("none").empty());
    CHECK(json(request.every("mark")).dump() == R"([{"mark":2},1,null])");
    CHECK(request.every("d").empty());
}
