#include <pyaichat/config/version.hpp>

#include "catch.hpp"

#include <string>

TEST_CASE("the number, the parts and the text of the version agree, also with the build's") {
    CHECK(PYAICHAT_VERSION == PYAICHAT_VERSION_MAJOR * 10000 + PYAICHAT_VERSION_MINOR * 100 + PYAICHAT_VERSION_PATCH);
    const std::string text = std::to_string(PYAICHAT_VERSION_MAJOR) + "." + std::to_string(PYAICHAT_VERSION_MINOR) + "." +
                             std::to_string(PYAICHAT_VERSION_PATCH);
    CHECK(text == PYAICHAT_VERSION_STRING);
    CHECK(text == PYAICHAT_BUILD_VERSION);
}
