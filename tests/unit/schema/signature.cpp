#include <pyaichat/schema/detail/signature.hpp>

#include "catch.hpp"

#include <string>

using pyaichat::detail::has_signature;
using pyaichat::detail::signature;

namespace {
[[maybe_unused]] int plain(const std::string&, double) noexcept {
    return 0;
}
struct object {
    bool operator()(int) const { return true; }
};
struct overloaded {
    void operator()(int) {}
    void operator()(double) {}
};
}  // namespace

TEST_CASE("functions, lambdas and objects have one signature, of decayed parameters") {
    STATIC_REQUIRE(std::is_same_v<signature<decltype(&plain)>::parameters, std::tuple<std::string, double>>);
    STATIC_REQUIRE(std::is_same_v<signature<object>::result_type, bool>);
    const auto counter = [count = 0](int& step) mutable { return count += step; };
    STATIC_REQUIRE(std::is_same_v<signature<std::remove_cv_t<decltype(counter)>>::parameters, std::tuple<int>>);
    STATIC_REQUIRE(has_signature<object>);
    STATIC_REQUIRE_FALSE(has_signature<overloaded>);
    STATIC_REQUIRE_FALSE(has_signature<int>);
}
