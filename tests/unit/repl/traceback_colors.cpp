#include "python/traceback_colors.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

namespace {

std::string without_colors(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\x1b') {
            at = text.find('m', at);
        } else {
            out += text[at];
        }
    }
    return out;
}

constexpr const char* error = R"(Traceback (most recent call last):
  File "<input 2>", line 1, in <module>
    json.loads("{")
  File "/usr/lib/python3.11/json/__init__.py", line 346, in loads
    return _default_decoder.decode(s)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/home/me/own.py", line 3, in f
    1 / 0
    ~~^~~
json.decoder.JSONDecodeError: Expecting: a value
  in two lines
)";

}  // namespace

TEST_CASE("colours add nothing but colours to a traceback") {
    const std::vector<std::string> texts = {
        error,
        "",
        "x",
        "\n\n",
        "  File \"\n   ",
        "  + Exception Group Traceback (most recent call last):\n  |   File \"<input>\", line 1\n  | ExceptionGroup: several (2 "
        "sub-exceptions)\n"
        "  +-+---------------- 1 ----------------\n    | ValueError: 1\n    +------------------------------------\n"};
    for (const std::string& text : texts) {
        CHECK(without_colors(repl::color_traceback(text)) == text);
    }
}

TEST_CASE("frames of the person's code stand out, those of libraries are dim, and the error has its type in red") {
    const std::string colored = repl::color_traceback(error);
    CHECK(colored.find("\x1b[36m  File \"<input 2>\", line 1, in <module>\x1b[0m\n    json.loads") != std::string::npos);
    CHECK(colored.find("\x1b[2m  File \"/usr/lib/python3.11/json") != std::string::npos);
    CHECK(colored.find("\x1b[2m           ^^^^") != std::string::npos);
    CHECK(colored.find("\x1b[36m  File \"/home/me/own.py\"") != std::string::npos);
    CHECK(colored.find("\x1b[31m    ~~^~~\x1b[0m") != std::string::npos);
    CHECK(colored.find("\x1b[1;31mjson.decoder.JSONDecodeError\x1b[0m: Expecting: a value\n  in two lines\n") != std::string::npos);
}

TEST_CASE("the members of an exception group are coloured like exceptions of their own") {
    const std::string colored = repl::color_traceback(
        "  + Exception Group Traceback (most recent call last):\n  |   File \"<input 1>\", line 1, in <module>\n"
        "  | ExceptionGroup: several (1 sub-exception)\n  +-+---------------- 1 ----------------\n"
        "    | Traceback (most recent call last):\n    |   File \"<input 1>\", line 2, in f\n    | ValueError: 1\n");
    CHECK(colored.find("\x1b[1;31mExceptionGroup\x1b[0m") != std::string::npos);
    CHECK(colored.find("\x1b[36m    |   File \"<input 1>\"") != std::string::npos);
    CHECK(colored.find("\x1b[1;31mValueError\x1b[0m: 1") != std::string::npos);
}
