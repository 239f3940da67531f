#include "python/look/path.hpp"

#include "catch.hpp"

#include <random>

using namespace pyaichat::python::detail;

namespace {

path read(const std::string& text) {
    const pyaichat::result<path> parsed = parse_path(text);
    INFO(text);
    REQUIRE(parsed);
    return *parsed;
}

template <class T>
const T& key_of(const path& found) {
    REQUIRE(found.steps.size() == 1);
    const T* value = std::get_if<T>(&found.steps[0].key.value);
    REQUIRE(value != nullptr);
    return *value;
}

}  // namespace

TEST_CASE("a path is a name with attributes and items by literal keys") {
    const path found = read(" game . player.items [ 'key' ] [-1].naïve_1 ");
    CHECK(found.root == "game");
    REQUIRE(found.steps.size() == 5);
    CHECK(found.steps[0].attribute == "player");
    CHECK(std::get<std::string>(found.steps[2].key.value) == "key");
    CHECK(std::get<path_key::number>(found.steps[3].key.value).digits == "-1");
    CHECK(found.steps[4].attribute == "naïve_1");
}

TEST_CASE("keys are read as Python reads its literals") {
    CHECK(key_of<std::string>(read(R"(d["a\n\x41\u00e9\101\'"])")) ==
          "a\nA\xC3\xA9"
          "A'");
    CHECK(key_of<std::string>(read(R"(d[r'\n'])")) == "\\n");
    CHECK(key_of<std::string>(read("d['']")).empty());
    CHECK(key_of<path_key::bytes>(read(R"(d[b'\xff\0a'])")).data == std::string("\xff\0a", 3));
    CHECK(key_of<path_key::number>(read("d[0x1F]")).digits == "0x1F");
    CHECK(key_of<path_key::number>(read("d[0x1e]")).digits == "0x1e");
    CHECK(key_of<path_key::number>(read("d[1_000]")).digits == "1_000");
    CHECK(key_of<double>(read("d[-1.5e-3]")) == -0.0015);
    CHECK(key_of<double>(read("d[.5]")) == 0.5);
    CHECK(key_of<bool>(read("d[True]")));
    CHECK(std::holds_alternative<path_key::none>(read("d[None]").steps[0].key.value));
    CHECK(key_of<path_key::tuple>(read("d[1, 'b']")).size() == 2);
    CHECK(key_of<path_key::tuple>(read("d[1,]")).size() == 1);
    CHECK(key_of<path_key::tuple>(read("d[()]")).empty());
    CHECK(key_of<path_key::tuple>(read("d[(1, (2, 3))]")).size() == 2);
    CHECK(key_of<path_key::number>(read("d[(1)]")).digits == "1");
}

TEST_CASE("everything that is no path is refused with the place") {
    for (const char* text : {"",
                             " ",
                             "f()",
                             "a.f()",
                             "a +b",
                             "a.",
                             "a..b",
                             ".a",
                             "a[",
                             "a[]",
                             "a[b]",
                             "a[1:2]",
                             "a[1",
                             "a['x",
                             "a['''x''']",
                             "a[f'x']",
                             "a['x' 'y']",
                             "a['\\N{DASH}']",
                             "a['\\ud800']",
                             "a[b'\\u0041']",
                             "1",
                             "'x'.join",
                             "None",
                             "lambda: 0",
                             "class",
                             "a.if",
                             "a b",
                             "(a)",
                             "a;b",
                             "a[--1]",
                             "a[1.2.3]",
                             "a[(1]",
                             "a['\n']",
                             "*a",
                             "a:=1",
                             "a[...]",
                             "a[,]"}) {
        INFO(text);
        const pyaichat::result<path> parsed = parse_path(text);
        REQUIRE_FALSE(parsed);
        CHECK(parsed.error().code == pyaichat::errc::not_allowed);
        CHECK(!parsed.error().message.empty());
    }
    CHECK(parse_path("f(1)").error().message == "not a path from here on: (1)");
}

TEST_CASE("hostile lengths and depths are refused") {
    CHECK_FALSE(parse_path(std::string(100'000, 'a')));
    CHECK_FALSE(parse_path("d[" + std::string(2000, '(') + "1"));
    CHECK_FALSE(parse_path("d[" + std::string(9, '(') + "1" + std::string(9, ')') + "]"));
    std::string many = "a";
    for (std::size_t i = 0; i <= max_path_steps; ++i) {
        many += ".a";
    }
    CHECK_FALSE(parse_path(many));
    CHECK_FALSE(parse_path(std::string("a\0b", 3)));
}

TEST_CASE("any bytes are read to an end") {
    std::mt19937 random(7);
    const std::string alphabet = "ab.[]()'\"\\x0u1-+e,_ bTrueNone\xC3\xFF";
    std::size_t paths = 0;
    for (int round = 0; round < 50'000; ++round) {
        std::string text = "a";
        for (std::size_t size = random() % 12; size > 0; --size) {
            text += alphabet[random() % alphabet.size()];
        }
        paths += parse_path(text) ? 1 : 0;
    }
    CHECK(paths > 100);
    CHECK(paths < 49'000);
}
