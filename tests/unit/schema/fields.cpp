#include <pyaichat/schema/detail/fields.hpp>

#include <pyaichat/schema/decode.hpp>
#include <pyaichat/schema/encode.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

namespace fields_tests {

// The names come from what a compiler prints of an address, so all kinds of structs are asked for theirs.
namespace outer::inner {
struct in_a_namespace {
    int in_a_namespace = 0;
    std::optional<int> value = {};
};
template <class T>
struct of_a_template {
    T held = {};
    std::map<std::string, std::vector<T>> lists = {};
};
}  // namespace outer::inner

namespace {

struct point {
    double x = 0;
    double y = 0;
    friend bool operator==(const point&, const point&) = default;
};
struct order {
    std::string what = {};
    int count = 1;
    std::optional<std::string> note = "none";
    std::vector<point> places = {};
    std::optional<point> last = {};
    ai::json extra = {};
    bool now = false;
};

template <class T>
std::string names_of(const T& value) {
    std::string joined;
    ai::detail::for_each_field(value,
                               [&](std::string_view name, const auto&) { joined += (joined.empty() ? "" : " ") + std::string(name); });
    return joined;
}

struct widest {
    int f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28,
        f29, f30, f31, f32;
};
struct too_wide {
    int f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28,
        f29, f30, f31, f32, f33;
};
struct empty {};
struct derived : point {
    double z = 0;
};
struct derived_from_nothing : empty {
    double z = 0;
};
class hidden {
public:
    [[nodiscard]] int get() const { return value_; }

private:
    int value_ = 0;
};

static_assert(ai::detail::plain_struct<order> && ai::detail::plain_struct<widest>);
static_assert(!ai::detail::plain_struct<too_wide> && !ai::detail::plain_struct<empty> && !ai::detail::plain_struct<hidden>);
static_assert(!ai::detail::plain_struct<derived> && !ai::detail::plain_struct<derived_from_nothing>);
static_assert(!ai::detail::plain_struct<std::string> && !ai::detail::plain_struct<ai::json> && !ai::detail::plain_struct<int>);
static_assert(!ai::detail::plain_struct<std::vector<int>> && !ai::detail::plain_struct<std::array<int, 3>>);
static_assert(std::is_same_v<ai::detail::field_type<order, 3>, std::vector<point>>);

}  // namespace

TEST_CASE("fields have their names, wherever the struct is from") {
    struct local {
        int here = 0;
    };
    CHECK(names_of(order{}) == "what count note places last extra now");
    CHECK(names_of(local{}) == "here");
    CHECK(names_of(outer::inner::in_a_namespace{}) == "in_a_namespace value");
    CHECK(names_of(outer::inner::of_a_template<std::string>{}) == "held lists");
    CHECK(names_of(widest{}).ends_with("f30 f31 f32"));
}

TEST_CASE("fields can be changed") {
    point at;
    ai::detail::for_each_field(at, [](std::string_view name, double& value) { value = name == "x" ? 1 : 2; });
    CHECK(at == point{1, 2});
}

TEST_CASE("a struct is described as an object of its fields, and all that are not optional are required") {
    const ai::json schema = ai::schema_of<order>();
    CHECK(schema["type"] == "object");
    CHECK(schema["additionalProperties"] == false);
    CHECK(schema["required"] == ai::json({"what", "count", "places", "extra", "now"}));
    CHECK(schema["properties"]["count"] == ai::json({{"type", "integer"}}));
    CHECK(schema["properties"]["last"]["required"] == ai::json({"x", "y"}));
    CHECK(schema["properties"]["places"]["items"]["type"] == "object");
}

TEST_CASE("a struct is read, and an optional field that is not there keeps what the struct gives it") {
    order read;
    read.count = 99;
    ai::schema_error error;
    REQUIRE(ai::decode(ai::json{{"what", "tea"}, {"count", 2}, {"places", {{{"x", 1}, {"y", 2.5}}}}, {"extra", {1, 2}}, {"now", true}},
                       read, error));
    CHECK(read.what == "tea");
    CHECK(read.count == 2);
    CHECK(read.note == "none");
    CHECK(read.places == std::vector<point>{{1, 2.5}});
    CHECK_FALSE(read.last);
    CHECK(read.extra == ai::json({1, 2}));
    CHECK(read.now);
}

TEST_CASE("what does not fit is told with the path of the field") {
    order read;
    ai::schema_error error;
    CHECK_FALSE(ai::decode(ai::json{{"what", "tea"}, {"count", 1}, {"places", {{{"x", 1}}}}}, read, error));
    CHECK(error == ai::schema_error{"/places/0/y", "required", "is required"});
    CHECK_FALSE(ai::decode(ai::json{{"what", 3}}, read, error));
    CHECK(error.path == "/what");
    CHECK_FALSE(ai::decode(ai::json("tea"), read, error));
    CHECK(error.message == "must be an object, not string");
}

TEST_CASE("a struct is written by the names of its fields") {
    order made;
    made.what = "tea";
    made.last = point{1, 2};
    const auto written = ai::encode(made);
    REQUIRE(written);
    CHECK(ai::dump_json(*written) ==
          R"({"count":1,"extra":null,"last":{"x":1.0,"y":2.0},"note":"none","now":false,"places":[],"what":"tea"})");
    CHECK(ai::dump_json(*ai::encode(std::vector<point>{{1, 2}})) == R"([{"x":1.0,"y":2.0}])");
    struct may_fail {
        ai::result<int> value = ai::failure{.code = ai::errc::busy};
    };
    CHECK(ai::encode(may_fail{}).error().code == ai::errc::busy);
}

}  // namespace fields_tests
