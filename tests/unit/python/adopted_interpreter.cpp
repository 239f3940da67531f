#include "python/interpreter/python_version.hpp"

#include "python_bench.hpp"

// What needs a host with a Python of its own is in tests/hosts/python_host.cpp.

using namespace bench;

TEST_CASE("a Python of another minor version is refused by name, and another micro version is not") {
    using pyaichat::python::detail::check_python_version;
    CHECK(check_python_version(0x030B02F0, 0x030B02F0));
    CHECK(check_python_version(0x030B07F0, 0x030B02F0));
    const ai::result<void> other = check_python_version(0x030E0000, 0x030B02F0);
    REQUIRE_FALSE(other);
    CHECK(other.error().code == ai::errc::not_allowed);
    CHECK(other.error().message == "the process runs Python 3.14, but this library was compiled for Python 3.11");
}

TEST_CASE("a Python that the SDK has started is not adopted") {
    static_cast<void>(shared_python());
    const ai::result<py::interpreter> adopted = py::interpreter::adopt();
    REQUIRE_FALSE(adopted);
    CHECK(adopted.error().code == ai::errc::invalid_state);
}

TEST_CASE("an interpreter of the SDK is not pumped by the host") {
    CHECK(shared_python().run_pending(1s) == 0);
}
