#include <pyaichat/schema/describe_enum.hpp>

#include <pyaichat/schema/decode.hpp>
#include <pyaichat/schema/encode.hpp>
#include <pyaichat/schema/schema_of.hpp>

#include "catch.hpp"

#include <array>

namespace ai = pyaichat;
using ai::json;

namespace {
enum class status { ok = 200, not_found = 404 };
enum loose { loose_a, loose_b = 7 };
enum class renamed { calm, hostile, hidden };

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

template <>
constexpr auto ai::describe<status>() {
    return ai::enum_range{200, 599};
}
template <>
constexpr auto ai::describe<loose>() {
    return std::array{ai::enumerator<loose>{loose_a}, ai::enumerator<loose>{loose_b, "seven"}};
}
template <>
constexpr auto ai::describe<renamed>() {
    return std::array{ai::enumerator<renamed>{renamed::calm, "peaceful", "does not fight"},
                      ai::enumerator<renamed>{renamed::hostile, {}, "attacks"}};
}

namespace {
struct guard {
    renamed state = {};
    static constexpr ai::about descriptions[] = {{"state", "how it is"}};
};
}  // namespace

TEST_CASE("describe gives an enumeration another range, names and descriptions") {
    CHECK(words_of<status>() == R"(["ok","not_found"])");
    CHECK(words_of<loose>() == R"(["loose_a","seven"])");
    CHECK(comes_back(loose_b, "seven"));
    CHECK(ai::dump_json(ai::schema_of<renamed>()) ==
          R"({"description":"peaceful: does not fight; hostile: attacks","enum":["peaceful","hostile"],"type":"string"})");
    CHECK(comes_back(renamed::calm, "peaceful"));
    CHECK_FALSE(ai::encode(renamed::hidden));
    CHECK(ai::schema_of<guard>()["properties"]["state"]["description"] == "how it is (peaceful: does not fight; hostile: attacks)");
}
