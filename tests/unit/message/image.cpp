#include <pyaichat/message/image.hpp>

#include "catch.hpp"
#include "pictures.hpp"

namespace ai = pyaichat;
using namespace std::string_view_literals;

TEST_CASE("copies of an image share its bytes") {
    const ai::image one = pictures::png(1000);
    const ai::image copy = one;
    CHECK(copy.data().data() == one.data().data());
    CHECK(copy == one);
    CHECK(copy == pictures::png(1000));
    CHECK(copy != pictures::png(1001));
    CHECK(ai::image() == ai::image("", ""));
}

TEST_CASE("the type of an image file is known by its first bytes") {
    CHECK(ai::image_type("\x89PNG\r\n\x1a\n..."sv) == "image/png");
    CHECK(ai::image_type("\xff\xd8\xff\xe0"sv) == "image/jpeg");
    CHECK(ai::image_type("GIF87a"sv) == "image/gif");
    CHECK(ai::image_type("GIF89a"sv) == "image/gif");
    CHECK(ai::image_type("RIFF\x10\0\0\0WEBPVP8 "sv) == "image/webp");
    CHECK(ai::image_type("RIFF\x10\0\0\0WAVEfmt "sv).empty());
    CHECK(ai::image_type("RIFF"sv).empty());
    CHECK(ai::image_type(""sv).empty());
}

TEST_CASE("an image that no service could take is refused") {
    CHECK(ai::check(pictures::png()));
    CHECK(ai::check(pictures::tiff()));
    CHECK(ai::check({"image/svg+xml", "<svg/>"}));
    const auto why = [](const ai::image& value) {
        const auto checked = ai::check(value);
        REQUIRE_FALSE(checked);
        CHECK(checked.error().code == ai::errc::invalid_argument);
        return checked.error().message;
    };
    CHECK(why(ai::image()) == R"("" is not the MIME type of an image)");
    CHECK(why({"text/plain", "x"}) == R"("text/plain" is not the MIME type of an image)");
    CHECK(why({"image/", "x"}) == R"("image/" is not the MIME type of an image)");
    CHECK(why({"image/png;base64,\"", "x"}) == R"("image/png;base64,"" is not the MIME type of an image)");
    CHECK(why({"image/png", ""}) == "the image has no data");
    CHECK(why({"image/png", "GIF89a"}) == "the image is declared as image/png, but its data is image/gif");
}
