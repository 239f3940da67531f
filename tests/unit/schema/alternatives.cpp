#include <pyaichat/schema/detail/alternatives.hpp>

#include "schema_bench.hpp"

#include <variant>

namespace ai = pyaichat;

namespace alternatives_tests {
using ai::json;
using schema_bench::comes_back;
using schema_bench::decoded;
using schema_bench::why_not;

namespace {
struct point {
    int x = 0;
    int y = 0;
    friend bool operator==(const point&, const point&) = default;
};
struct circle {
    point center = {};
    double radius = 0;
    friend bool operator==(const circle&, const circle&) = default;
};
struct named_circle {
    point center = {};
    double radius = 0;
    std::string name = {};
    friend bool operator==(const named_circle&, const named_circle&) = default;
};
using shape = std::variant<circle, named_circle, point, std::string>;
struct optional_name {
    int points = 0;
    std::optional<std::string> name = {};
};
struct only_points {
    int points = 0;
};
struct other_points {
    std::string points = {};
};

// An alternative is refused if one before it takes all its values.
static_assert(ai::detail::hides<only_points, only_points>() && ai::detail::hides<optional_name, only_points>());
static_assert(!ai::detail::hides<only_points, optional_name>() && !ai::detail::hides<only_points, other_points>());
static_assert(ai::detail::hides<int, long>() && ai::detail::hides<double, int>() && !ai::detail::hides<int, double>());
static_assert(ai::detail::hides<json, int>() && !ai::detail::hides<int, json>());
static_assert(ai::detail::hides<std::vector<double>, std::vector<int>>() && !ai::detail::hides<std::vector<int>, std::vector<point>>());
static_assert(ai::detail::hides<std::string, std::filesystem::path>() && ai::detail::hides<std::chrono::seconds, int>());
static_assert(!ai::detail::hides<point, std::map<std::string, int>>() && !ai::detail::hides<point, int>());
}  // namespace

TEST_CASE("a variant fits the schema of any of its alternatives") {
    CHECK(ai::dump_json(ai::schema_of<std::variant<std::monostate, int, std::string>>()) ==
          R"({"anyOf":[{"type":"null"},{"type":"integer"},{"type":"string"}]})");
    using one = std::variant<std::monostate, bool, int, double, std::string, std::vector<int>, point>;
    CHECK(comes_back(one()));
    CHECK(comes_back(one(true)));
    CHECK(comes_back(one(7)));
    CHECK(comes_back(one(7.5)));
    CHECK(comes_back(one("x")));
    CHECK(comes_back(one(std::vector{1})));
    CHECK(comes_back(one(point{1, 2})));
}

TEST_CASE("structs of a variant are told apart by their members, in any order") {
    CHECK(comes_back(shape(circle{{1, 2}, 3})));
    CHECK(comes_back(shape(named_circle{{1, 2}, 3, "a"})));
    CHECK(comes_back(shape(point{1, 2})));
    CHECK(comes_back(shape("text")));
    // Nobody knows the member `z`: then the first that takes the value has it.
    CHECK(decoded<shape>({{"x", 1}, {"y", 2}, {"z", 3}}) == shape(point{1, 2}));
    CHECK(decoded<shape>({{"center", {{"x", 1}, {"y", 2}}}, {"radius", 3}, {"name", "a"}, {"z", 3}}) == shape(circle{{1, 2}, 3}));
}

TEST_CASE("the error of a variant is that of the nearest alternative") {
    CHECK(why_not<shape>({{"x", 1}}) == "/y required is required");
    CHECK(why_not<shape>({{"center", {{"x", 1}, {"y", 2}}}, {"radius", "3"}}) == "/radius type must be a number, not string");
    CHECK(why_not<shape>({{"center", {{"x", 1}, {"y", "2"}}}, {"radius", 3}, {"name", "a"}}) ==
          "/center/y type must be an integer, not string");
    CHECK(why_not<shape>(3) == " type must be a string or an object, not number");
    CHECK(why_not<std::variant<int, std::vector<int>>>({1, "2"}) == "/1 type must be an integer, not string");
    CHECK(why_not<std::variant<bool, double>>(nullptr) == " type must be true or false or a number, not null");
}

TEST_CASE("an ambiguous value is the first alternative that takes it") {
    CHECK(decoded<std::variant<int, double>>(7.0).index() == 0);
    CHECK(decoded<std::variant<int, double>>(7.5).index() == 1);
    CHECK(decoded<std::variant<std::vector<int>, std::vector<std::string>>>(json::array()).index() == 0);
    CHECK(decoded<std::variant<std::vector<int>, std::vector<std::string>>>({"a"}).index() == 1);
}

}  // namespace alternatives_tests
