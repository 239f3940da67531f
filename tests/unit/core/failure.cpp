#include <pyaichat/core/failure.hpp>

#include "catch.hpp"

#include <set>
#include <string>

namespace ai = pyaichat;

TEST_CASE("every code has a name of its own") {
    std::set<std::string> names;
    for (int code = 0; code <= static_cast<int>(ai::errc::lease_lost); ++code) {
        names.insert(std::string(ai::to_string(static_cast<ai::errc>(code))));
    }
    CHECK(names.size() == static_cast<std::size_t>(ai::errc::lease_lost) + 1);
    CHECK(names.count("unknown") == 0);
}
