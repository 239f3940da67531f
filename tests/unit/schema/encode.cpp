#include <pyaichat/schema/encode.hpp>

#include "catch.hpp"

#include <set>

namespace ai = pyaichat;

TEST_CASE("what capabilities return becomes JSON") {
    CHECK(*ai::encode(true) == true);
    CHECK(*ai::encode(3) == 3);
    CHECK(*ai::encode("text") == "text");
    CHECK(*ai::encode(std::string_view("view")) == "view");
    CHECK(*ai::encode(std::vector<double>{1, 2}) == ai::json({1.0, 2.0}));
    CHECK(*ai::encode(std::set<std::string>{"a", "b"}) == ai::json({"a", "b"}));
    CHECK(*ai::encode(std::map<std::string, std::vector<int>>{{"k", {1}}}) == ai::json({{"k", {1}}}));
    CHECK(*ai::encode(std::vector<bool>{true, false}) == ai::json({true, false}));
    CHECK(ai::encode(std::optional<int>())->is_null());
    CHECK(*ai::encode(std::optional<int>(4)) == 4);
    CHECK(*ai::encode(ai::errc::rate_limited) == "rate_limited");
    CHECK(*ai::encode(ai::duration(1500)) == 1500);
}

TEST_CASE("a failure stays a failure, also inside of a range") {
    const ai::result<int> bad = ai::failure{.code = ai::errc::not_found};
    CHECK(ai::encode(bad).error().code == ai::errc::not_found);
    CHECK(ai::encode(std::vector<ai::result<int>>{1, bad}).error().code == ai::errc::not_found);
    CHECK(*ai::encode(ai::result<int>(4)) == 4);
    CHECK(ai::encode(ai::result<void>())->is_null());
}
