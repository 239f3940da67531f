#include "python/question_guess.hpp"

#include "../python/python_bench.hpp"

#include <string>

namespace {

const char* const questions[] = {
    "what is x?",
    "What is in df",
    "why did it fail",
    "why did that fail?",
    "how do I call attack",
    "how many rows does df have?",
    "how long is the list",
    "show me the columns of df",
    "show variables",
    "which variables are there",
    "which of these is the largest?",
    "list my variables",
    "list all functions that take a path",
    "is x a list?",
    "is this sorted",
    "can you explain the last error",
    "can I sort this?",
    "explain the traceback",
    "explain attack()",
    "where is attack defined?",
    "tell me about df.price",
    "describe the player",
    "please sum up what changed",
    "compare a and b",
    "compute the mean of df['price']",
    "does the second row match the first one?",
    "what's wrong here?",
    "i want to know the type of x",
    "the result of attack(1, 2) is wrong, why?",
    "who calls the function update?",
};

const char* const faulty[] = {
    "x = = 3",
    "print 'hello'",
    "print x",
    "print x, y",
    "if x == 3",
    "for x in range(3)",
    "for i in the list",
    "while True",
    "def f(x)",
    "class Player",
    "import os as",
    "from os import",
    "from a import b c",
    "return x y",
    "exec 'a'",
    "raise ValueError, 'text'",
    "try",
    "else:",
    "x y",
    "foo bar baz",
    "a b c d",
    "1 2 3",
    "what = ",
    "show(x y)",
    "list(x for",
    "is",
    "x is is y",
    "del x y",
    "lambda x x",
    "async with a b",
    "how to: do",
    "df?",
    "df.head()?",
    "can)",
    "is not x",
    "list of [1, 2",
};

}  // namespace

TEST_CASE("English text that Python refuses looks like a question") {
    for (const char* const text : questions) {
        INFO(text);
        CHECK(repl::looks_like_a_question(text));
    }
}

TEST_CASE("faulty Python does not look like a question") {
    for (const char* const text : faulty) {
        INFO(text);
        CHECK_FALSE(repl::looks_like_a_question(text));
    }
}

TEST_CASE("Python refuses all texts of both tables") {
    bench::python_bench python;
    const auto refused = [&](const char* text) {
        INFO(text);
        const bench::py::outcome ended = python.session.exec(text);
        CHECK((ended.exception && (ended.exception->exc_type == "SyntaxError" || ended.exception->exc_type == "IndentationError")));
    };
    for (const char* const text : questions) {
        refused(text);
    }
    for (const char* const text : faulty) {
        refused(text);
    }
}

TEST_CASE("long text, several lines and no text do not look like a question") {
    CHECK_FALSE(repl::looks_like_a_question(""));
    CHECK_FALSE(repl::looks_like_a_question("what is\nthis?"));
    CHECK_FALSE(repl::looks_like_a_question("what is this " + std::string(2000, 'a') + "?"));
    CHECK_FALSE(repl::looks_like_a_question("\xFF\xFE ?"));
}
