#include <pyaichat/message/capability_call.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("a call is described in one line") {
    CHECK(ai::describe_call("get_type", {{"expr", "df"}}) == "get_type(df)");
    CHECK(ai::describe_call("get_dir", {{"expr", "df"}, {"limit", 5}}) == "get_dir(expr=df, limit=5)");
    CHECK(ai::describe_call("list_globals", ai::json::object()) == "list_globals()");
    CHECK(ai::describe_call("f", {{"a", std::string(500, 'x') + "\n"}}).size() < 80);
    CHECK(ai::describe_call("f", {{"a", {1, 2}}}) == "f([1,2])");
}
