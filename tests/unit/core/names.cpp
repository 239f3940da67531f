#include <pyaichat/core/detail/names.hpp>

#include <pyaichat/core/failure.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

namespace {
enum class colour : unsigned char { red, dark_green, unknown };
std::string_view to_string(colour value) noexcept {
    return ai::detail::word_of(value);
}
}  // namespace

TEST_CASE("the words of an enumeration are its enumerators' names") {
    CHECK(to_string(colour::red) == "red");
    CHECK(to_string(colour::dark_green) == "dark_green");
    CHECK(to_string(static_cast<colour>(3)) == "unknown");
    CHECK(ai::to_string(ai::errc::internal) == "internal");
    CHECK(ai::to_string(ai::errc::too_large) == "too_large");
    CHECK(ai::detail::enumerator_names<ai::errc>.size() == 21);
}

TEST_CASE("a word is read as its enumerator, and no other is") {
    colour read = colour::red;
    CHECK(ai::detail::read_word("dark_green", read));
    CHECK(read == colour::dark_green);
    CHECK(ai::detail::read_word("unknown", read));
    CHECK(read == colour::unknown);
    ai::errc code = ai::errc::busy;
    CHECK_FALSE(ai::detail::read_word("unknown", code));
    CHECK_FALSE(ai::detail::read_word("", code));
    CHECK(code == ai::errc::busy);
}
