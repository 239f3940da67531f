#include <pyaichat/schema/detail/enumerators.hpp>

#include <pyaichat/schema/decode.hpp>
#include <pyaichat/schema/encode.hpp>
#include <pyaichat/schema/schema_of.hpp>

#include "catch.hpp"

#include <limits>

namespace ai = pyaichat;

namespace enumerators_tests {
using ai::json;

// The names come from what a compiler prints of values, so enumerations of all kinds are asked for theirs.
namespace outer::inner {
enum class mood { calm, alert, hostile };
enum plain : int { minus_one = -1, one = 1, hundred = 100 };
}  // namespace outer::inner

namespace {
enum class unnamed_space : std::int8_t { lowest = -128, highest = 127 };
enum class yes_or_no : bool { no, yes };
enum class far : std::int64_t { none, farthest = std::numeric_limits<std::int64_t>::max() };
enum class german { gut, schlecht };
std::string_view to_string(german value) {
    return value == german::gut ? "good" : "bad";
}

template <class E>
std::string words_of() {
    return ai::dump_json(ai::schema_of<E>()["enum"]);
}
template <class E>
bool comes_back(E value, std::string_view word) {
    E read{};
    ai::schema_error error;
    const ai::result<json> encoded = ai::encode(value);
    return encoded && *encoded == std::string(word) && ai::decode(json(std::string(word)), read, error) && read == value;
}
}  // namespace

TEST_CASE("an enumeration is a text from the list of its names") {
    CHECK(ai::dump_json(ai::schema_of<outer::inner::mood>()) == R"({"enum":["calm","alert","hostile"],"type":"string"})");
    CHECK(comes_back(outer::inner::mood::hostile, "hostile"));
    CHECK(words_of<outer::inner::plain>() == R"(["minus_one","one","hundred"])");
    CHECK(words_of<unnamed_space>() == R"(["lowest","highest"])");
    CHECK(words_of<yes_or_no>() == R"(["no","yes"])");
    CHECK(comes_back(outer::inner::minus_one, "minus_one"));
    enum class local { here, there };
    CHECK(words_of<local>() == R"(["here","there"])");
    CHECK(words_of<far>() == R"(["none"])");
}

TEST_CASE("an unknown word is refused with the list of the known ones") {
    outer::inner::mood read{};
    ai::schema_error error;
    CHECK_FALSE(ai::decode(json("angry"), read, error));
    CHECK(error == ai::schema_error{"", "enum", "must be one of `calm`, `alert`, `hostile`"});
    CHECK_FALSE(ai::decode(json(1), read, error));
    CHECK(error.message == "must be a string, not number");
}

TEST_CASE("a value without a name cannot be encoded") {
    const ai::result<json> encoded = ai::encode(static_cast<outer::inner::mood>(17));
    REQUIRE_FALSE(encoded);
    CHECK(encoded.error().code == ai::errc::internal);
    CHECK(encoded.error().message.find("the value 17") != std::string::npos);
    CHECK_FALSE(ai::encode(std::vector{far::none, far::farthest}));
}

TEST_CASE("the words of an enumeration with to_string are those that it gives") {
    CHECK(words_of<german>() == R"(["good","bad"])");
    CHECK(comes_back(german::schlecht, "bad"));
}

}  // namespace enumerators_tests
