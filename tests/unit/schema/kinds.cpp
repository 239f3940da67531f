#include <pyaichat/schema/detail/kinds.hpp>

#include "schema_bench.hpp"

#include <deque>
#include <list>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace ai = pyaichat;

namespace kinds_tests {
using ai::json;
using schema_bench::comes_back;
using schema_bench::why_not;

namespace {
struct point {
    int x = 0;
    int y = 0;
    friend bool operator==(const point&, const point&) = default;
};
struct with_options {
    std::optional<int> plain = {};
    std::optional<int> given = 3;
    friend bool operator==(const with_options&, const with_options&) = default;
};
}  // namespace

TEST_CASE("an array has its length") {
    CHECK(ai::dump_json(ai::schema_of<std::array<int, 2>>()) == R"({"items":{"type":"integer"},"maxItems":2,"minItems":2,"type":"array"})");
    CHECK(comes_back(std::array<int, 3>{1, 2, 3}));
    CHECK(why_not<std::array<int, 2>>({1}) == " minItems must have exactly 2 elements, not 1");
    CHECK(why_not<std::array<int, 2>>({1, 2, 3}) == " maxItems must have exactly 2 elements, not 3");
    CHECK(why_not<std::array<int, 2>>({1, "x"}) == "/1 type must be an integer, not string");
    CHECK(why_not<std::array<int, 2>>("x") == " type must be an array, not string");
}

TEST_CASE("pairs and tuples are arrays with a schema for each element") {
    CHECK(ai::dump_json(ai::schema_of<std::pair<int, std::string>>()) ==
          R"({"maxItems":2,"minItems":2,"prefixItems":[{"type":"integer"},{"type":"string"}],"type":"array"})");
    CHECK(comes_back(std::pair<int, std::string>(1, "a")));
    CHECK(comes_back(std::tuple<bool>(true)));
    CHECK(comes_back(std::tuple<point, std::vector<int>, std::optional<double>>({1, 2}, {3}, std::nullopt)));
    CHECK(why_not<std::tuple<int, bool>>({1, 2}) == "/1 type must be true or false, not number");
    CHECK(why_not<std::tuple<int, bool>>(json::array()) == " minItems must have exactly 2 elements, not 0");
}

TEST_CASE("containers are told by what they can do") {
    CHECK(comes_back(std::list<int>{1, 2}));
    CHECK(comes_back(std::deque<std::string>{"a"}));
    CHECK(comes_back(std::set<std::string>{"a", "b"}));
    CHECK(comes_back(std::unordered_set<int>{5, 3}));
    CHECK(comes_back(std::unordered_map<std::string, point>{{"a", {1, 2}}}));
    CHECK(comes_back(std::map<std::string, std::optional<int>>{{"a", 1}, {"b", std::nullopt}}));
    CHECK(comes_back(std::vector<std::optional<int>>{1, std::nullopt}));
    CHECK(ai::schema_of<std::set<int>>()["uniqueItems"] == true);
    CHECK(why_not<std::set<int>>({1, 2, 1}) == "/2 uniqueItems is in the list twice");
}

TEST_CASE("views are encoded") {
    const std::vector<point> points{{1, 2}};
    CHECK(*ai::encode(std::span(points)) == json::parse(R"([{"x":1,"y":2}])"));
    CHECK(*ai::encode(std::vector<std::string_view>{"a"}) == json({"a"}));
    CHECK(ai::encode(nullptr)->is_null());
}

TEST_CASE("an empty optional is left out, but is null where its struct would give it another value") {
    CHECK(*ai::encode(with_options{}) == json({{"given", 3}}));
    CHECK(*ai::encode(with_options{1, {}}) == json({{"plain", 1}, {"given", nullptr}}));
    CHECK(comes_back(with_options{}));
    CHECK(comes_back(with_options{1, {}}));
    CHECK(ai::dump_json(ai::schema_of<with_options>()["properties"]) ==
          R"({"given":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":3},"plain":{"type":"integer"}})");
    CHECK(comes_back(std::optional<int>()));
    CHECK(comes_back(std::optional<int>(1)));
}

}  // namespace kinds_tests
