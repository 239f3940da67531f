#include <pyaichat/python/detail/python_end.hpp>

#include "python_bench.hpp"

#include <thread>

using namespace bench;
namespace detail = pyaichat::python::detail;

TEST_CASE("near the end of Python, the thread that ends it goes on, and others do when there is no end") {
    static_cast<void>(shared_python());
    detail::python_end_is_near();  // no thread has released the GIL by these functions, so it is not needed here
    detail::before_request();
    std::thread other([] { detail::before_request(); });
    detail::python_is_there();
    other.join();
    detail::before_request();
}
