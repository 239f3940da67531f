#include <pyaichat/message/request.hpp>

#include "catch.hpp"

#include <set>
#include <string>

namespace ai = pyaichat;

TEST_CASE("each mode has a name of its own") {
    std::set<std::string> names;
    for (const ai::tool_mode one : {ai::tool_mode::automatic, ai::tool_mode::required, ai::tool_mode::none, ai::tool_mode::validated}) {
        names.emplace(to_string(one));
    }
    CHECK(names == std::set<std::string>{"automatic", "none", "required", "validated"});
}
