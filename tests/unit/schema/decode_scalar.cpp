#include <pyaichat/schema/detail/decode_scalar.hpp>

#include "schema_bench.hpp"

#include <chrono>

namespace ai = pyaichat;
using ai::json;
using schema_bench::comes_back;
using schema_bench::decoded;
using schema_bench::why_not;

namespace {
struct wait {
    std::chrono::seconds time = {};
    static constexpr ai::about descriptions[] = {{"time", "how long", 1, 60}};
};
}  // namespace

TEST_CASE("a duration is a number in its own unit, which the description names") {
    using namespace std::chrono_literals;
    CHECK(ai::dump_json(ai::schema_of<std::chrono::milliseconds>()) == R"({"description":"in milliseconds","type":"integer"})");
    CHECK(ai::schema_of<std::chrono::duration<double>>()["type"] == "number");
    CHECK(ai::schema_of<std::chrono::duration<int, std::ratio<1, 60>>>()["description"] == "in units of 1/60 seconds");
    CHECK(ai::schema_of<std::chrono::duration<int, std::ratio<90>>>()["description"] == "in units of 90 seconds");
    CHECK(*ai::encode(90s) == json(90));
    CHECK(decoded<std::chrono::minutes>(2) == 2min);
    CHECK(comes_back(std::chrono::duration<double>(0.5)));
    CHECK(comes_back(std::chrono::hours(-3)));
    CHECK(why_not<std::chrono::seconds>(0.5) == " type must be an integer from -9223372036854775808 to 9223372036854775807");
}

TEST_CASE("a duration in a struct has its unit behind its description, and a range in this unit") {
    CHECK(ai::dump_json(ai::schema_of<wait>()["properties"]["time"]) ==
          R"x({"description":"how long (in seconds)","maximum":60,"minimum":1,"type":"integer"})x");
    CHECK(why_not<wait>({{"time", 61}}) == "/time maximum must be at most 60");
    CHECK(why_not<wait>({{"time", 60}}).empty());
}

TEST_CASE("a path is a text, and none that hides its end from the system") {
    CHECK(ai::schema_of<std::filesystem::path>() == json({{"type", "string"}}));
    CHECK(comes_back(std::filesystem::path("dir/\u00e4.txt")));
    CHECK(*ai::encode(std::filesystem::path("a/b")) == json("a/b"));
    CHECK(why_not<std::filesystem::path>(std::string("a.txt\0.png", 10)) == " format must be a path, without a zero character");
}
