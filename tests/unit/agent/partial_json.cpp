#include "agent/machine/partial_json.hpp"

#include "catch.hpp"
#include "random_values.hpp"

#include <string>
#include <vector>

namespace ai = pyaichat;
using ai::json;
using ai::detail::partial_json;

namespace {

/// The value after each byte.
std::vector<std::string> values_of(std::string_view text) {
    partial_json reader;
    std::vector<std::string> values;
    for (const char byte : text) {
        reader.add({&byte, 1});
        std::string now = ai::dump_json(reader.value());
        if (values.empty() || values.back() != now) {
            values.push_back(std::move(now));
        }
    }
    return values;
}

json some_value(support::dice& roll, int depth) {
    switch (roll.below(depth > 0 ? 8 : 6)) {
        case 0: return nullptr;
        case 1: return roll.chance(50);
        case 2: return roll.below(2000) - 1000;
        case 3: return roll.below(1000) / 8.0;
        case 4:
        case 5: {
            std::string text;
            for (int left = roll.below(30); left > 0; --left) {
                text += roll.one_of(std::array<const char*, 8>{"a", "b c", "\"", "\\", "\n", "\xC3\xA9", "\xF0\x9F\x98\x80", "{"});
            }
            return text;
        }
        case 6: {
            json list = json::array();
            for (int left = roll.below(6); left > 0; --left) {
                list.push_back(some_value(roll, depth - 1));
            }
            return list;
        }
        default: {
            json object = json::object();
            for (int left = roll.below(6); left > 0; --left) {
                object["m" + std::to_string(roll.below(20))] = some_value(roll, depth - 1);
            }
            return object;
        }
    }
}

/// Whether `later` has everything that `earlier` has.
bool has_grown_from(const json& earlier, const json& later) {
    if (earlier.is_null() || earlier == later) {
        return true;
    }
    if (earlier.is_string() && later.is_string()) {
        return later.get_ref<const std::string&>().starts_with(earlier.get_ref<const std::string&>());
    }
    if (earlier.is_array() && later.is_array()) {
        return earlier.size() <= later.size() && std::equal(earlier.begin(), earlier.end(), later.begin(), has_grown_from);
    }
    if (!earlier.is_object() || !later.is_object()) {
        return false;
    }
    for (const auto& [name, value] : earlier.items()) {
        const json* member = ai::find_member(later, name);
        if (member == nullptr || !has_grown_from(value, *member)) {
            return false;
        }
    }
    return true;
}

}  // namespace

TEST_CASE("a value grows with its text: strings by character, numbers and words when they are complete") {
    CHECK(values_of(R"({"a": "xy", "b": [12, true], "c": {"d": null}})") ==
          std::vector<std::string>{"{}", R"({"a":""})", R"({"a":"x"})", R"({"a":"xy"})", R"({"a":"xy","b":[]})", R"({"a":"xy","b":[12]})",
                                   R"({"a":"xy","b":[12,true]})", R"({"a":"xy","b":[12,true],"c":{}})",
                                   R"({"a":"xy","b":[12,true],"c":{"d":null}})"});
    CHECK(values_of("[1") == std::vector<std::string>{"[]"});
    CHECK(values_of("  \"a\"").back() == "\"a\"");
}

TEST_CASE("a character is part of a partial string when it is complete") {
    CHECK(values_of("\"\xC3\xA9\"") == std::vector<std::string>{"\"\"", "\"\xC3\xA9\""});
    CHECK(values_of(R"("\u00e9\ud83d\ude00\n\/")") == std::vector<std::string>{"\"\"", "\"\xC3\xA9\"", "\"\xC3\xA9\xF0\x9F\x98\x80\"",
                                                                               "\"\xC3\xA9\xF0\x9F\x98\x80\\n\"",
                                                                               "\"\xC3\xA9\xF0\x9F\x98\x80\\n/\""});
    CHECK(values_of(R"("\ud83dx\udc00")").back() == "\"\xEF\xBF\xBDx\xEF\xBF\xBD\"");
    CHECK(values_of("\"\xC3x\xFF\"").back() == "\"\xEF\xBF\xBDx\xEF\xBF\xBD\"");
}

TEST_CASE("what cannot be JSON ends a partial value, which keeps what it has") {
    for (const char* text :
         {R"({"a": 1, "b": NaN, "c": 2})", R"({"a": 1,, "c": 2})", R"({"a": 1] , "c": 2})", R"({"a": 1, "b": "\x", "c": 2})",
          R"({"a": 1, b: 2})", R"({"a": 1 "c": 2})", "{\"a\": 1, \"\n\": 2}", R"({"a": 1, "\u00zz": 2})"}) {
        INFO(text);
        CHECK(values_of(text).back().starts_with(R"({"a":1)"));
        CHECK(values_of(text).back().find("2") == std::string::npos);
    }
    CHECK(values_of("The answer is {}") == std::vector<std::string>{"null"});
    CHECK(values_of("```json\n[1, 2]\n```\n{}").back() == "[1,2]");
    CHECK(values_of(std::string(1000, '[')).back() == std::string(ai::max_json_depth, '[') + std::string(ai::max_json_depth, ']'));
}

TEST_CASE("a member that an object has twice is named, and its first value is kept") {
    partial_json reader;
    reader.add(R"({"a": {"b": 1, "c": 2, "b": 3}, "d": 4})");
    CHECK(reader.repeated_member() == "b");
    CHECK(ai::dump_json(reader.value()) == R"({"a":{"b":1,"c":2}})");
}

TEST_CASE("any JSON in any pieces grows to its value, and is shown at most as often as its text grows by an eighth") {
    for (int i = 0; i < 500; ++i) {
        support::dice roll(static_cast<std::uint64_t>(i), support::topic::call, 0);
        const json value = some_value(roll, 5);
        const std::string text = ai::dump_json(value, i % 3 - 1);
        partial_json reader;
        json before;
        std::size_t shown_bytes = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = 1 + static_cast<std::size_t>(roll.below(9));
            const bool show = reader.add(std::string_view(text).substr(at, length));
            at += length;
            shown_bytes += show ? ai::dump_json(reader.value()).size() : 0;
            REQUIRE(has_grown_from(before, reader.value()));
            before = reader.value();
        }
        reader.add(" ");
        INFO(text);
        CHECK(reader.value() == value);
        CHECK(reader.repeated_member().empty());
        CHECK(shown_bytes <= 12 * text.size() + 64);
    }
}
