#include <pyaichat/message/capability_spec.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("a declaration that says nothing of its effects must not be repeated") {
    CHECK(ai::capability_spec{}.effects == ai::effects::once);
    CHECK(ai::to_string(ai::effects::read) == "read");
    CHECK(ai::to_string(ai::effects::idempotent) == "idempotent");
    CHECK(ai::to_string(ai::effects::once) == "once");
}
