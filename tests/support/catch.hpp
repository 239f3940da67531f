#pragma once
/// Catch2 2.13 (Debian 12) and 3.x (Debian 13) under one include.
#if __has_include(<catch2/catch_test_macros.hpp>)
    #include <catch2/catch_approx.hpp>
    #include <catch2/catch_test_macros.hpp>
    #include <catch2/generators/catch_generators_all.hpp>
using Catch::Approx;
#else
    #include <catch2/catch.hpp>
#endif
