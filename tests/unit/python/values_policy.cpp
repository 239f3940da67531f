#include <pyaichat/python/values_policy.hpp>

#include "catch.hpp"

using pyaichat::python::values_policy;

TEST_CASE("a policy for values is full unless the host says otherwise, and a sample has its size") {
    CHECK(values_policy() == values_policy::full());
    CHECK(values_policy::sample(5).items == 5);
    CHECK(values_policy::sample(5) != values_policy::sample(6));
    CHECK(values_policy::schema().what == values_policy::kind::schema);
}
