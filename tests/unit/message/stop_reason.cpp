#include <pyaichat/message/stop_reason.hpp>

#include "catch.hpp"

#include <set>

namespace ai = pyaichat;

TEST_CASE("every stop reason has a name") {
    std::set<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(ai::stop_reason::misconfigured); ++i) {
        names.insert(ai::to_string(static_cast<ai::stop_reason>(i)));
    }
    CHECK(names.size() == 18);
    CHECK(names.count("unknown") == 0);
}
