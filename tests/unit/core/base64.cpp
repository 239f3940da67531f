#include "core/base64.hpp"

#include "catch.hpp"

#include <array>

namespace detail = pyaichat::detail;

TEST_CASE("base64 has the digits and the padding of RFC 4648") {
    constexpr std::array<std::array<const char*, 2>, 7> known = {
        {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}}};
    for (const auto& [bytes, text] : known) {
        CHECK(detail::encode_base64(bytes) == text);
        CHECK(detail::decode_base64(text) == bytes);
    }
}

TEST_CASE("every byte comes back from base64") {
    std::string all;
    for (int byte = 0; byte < 256; ++byte) {
        all += static_cast<char>(byte);
        CHECK(detail::decode_base64(detail::encode_base64(all)) == all);
    }
}

TEST_CASE("a text that is not what base64 gives is refused") {
    for (const char* text :
         {"Zg", "Zg=", "Z===", "====", "=", "Zm9v=", "Zm 9", "Zm9v\n", "Zh==", "Zm9=", "_-==", "Zg==Zg==", "\xc3\xa4=="}) {
        CAPTURE(text);
        CHECK_FALSE(detail::decode_base64(text));
    }
}
