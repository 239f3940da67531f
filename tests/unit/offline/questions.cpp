#include "offline/question.hpp"

#include "offline/subject.hpp"

#include "catch.hpp"

#include <chrono>

namespace ai = pyaichat;
using ai::detail::question_form;

TEST_CASE("questions are recognised, whatever their case, courtesies and final mark") {
    struct example {
        const char* text;
        question_form form;
        const char* subject;
    };
    const auto one = GENERATE(values<example>({
        {"which variables are there?", question_form::variables, ""},
        {"What variables do I have", question_form::variables, ""},
        {"what is x?", question_form::value, "x"},
        {"What's X?", question_form::value, "X"},
        {"what is `df.columns[0]`?", question_form::value, "df.columns[0]"},
        {"what is the value of game.items[\"key one\"] ?", question_form::value, "game.items[\"key one\"]"},
        {"what's d['two  blanks']?", question_form::value, "d['two  blanks']"},
        {"show the variable x", question_form::value, "x"},
        {"Could you please tell me what x is, thanks", question_form::value, "x"},
        {"what type is x", question_form::type, "x"},
        {"what is the type of x?", question_form::type, "x"},
        {"what can x do?", question_form::members, "x"},
        {"what attributes does x have?", question_form::attributes, "x"},
        {"how long is x?", question_form::contents, "x"},
        {"how many orders are there?", question_form::contents, "orders"},
        {"what is in x?", question_form::contents, "x"},
        {"how many elements does the tuple x have?", question_form::contents, "x"},
        {"documentation of math.sqrt", question_form::documentation, "math.sqrt"},
        {"what does f do?", question_form::documentation, "f"},
        {"how do I call the function f?", question_form::signature, "f"},
        {"where is f defined?", question_form::location, "f"},
        {"show me the source code of f", question_form::source, "f"},
        {"why did it fail?", question_form::failure, ""},
        {"what was the last error?", question_form::failure, ""},
        {"what was x when it failed?", question_form::failure_value, "x"},
        {"What is going on?", question_form::situation, ""},
        {"what has changed", question_form::changes, ""},
        {"compare a and b", question_form::comparison, "a"},
        {"is a bigger than b", question_form::order, "a"},
        {"df's columns", question_form::columns, "df"},
        {"mean of the price column of df", question_form::operation, "df[\"price\"]"},
        {"max of `xs`", question_form::operation, "xs"},
        {"is 5 in the list xs", question_form::membership, "xs"},
        {"compute sum(x) * 2", question_form::computation, "sum(x) * 2"},
        {"what is 2 + 2?", question_form::computation, "2 + 2"},
        {"what is len(x)?", question_form::computation, "len(x)"},
        {"what is 3 in x?", question_form::computation, "3 in x"},
        {"please compute x[0].", question_form::computation, "x[0]"},
        {"x", question_form::value, "x"},
        {"x + 1", question_form::computation, "x + 1"},
        {"waht is x", question_form::value, "x"},
        {"what is the lenght of x", question_form::contents, "x"},
        {"and y?", question_form::follow_up, "y"},
        {"hello", question_form::greeting, ""},
        {"who are you?", question_form::identity, ""},
    }));
    const auto seen = ai::detail::recognise(one.text);
    INFO(one.text);
    CHECK(seen.form == one.form);
    CHECK(seen.subject == one.subject);
}

TEST_CASE("what is no form is not taken for one") {
    const char* text = GENERATE("tell me a joke", "", "   ", "?", "compute", "what is ", "write a poem about x", "yes, why", "don't");
    INFO(text);
    CHECK(ai::detail::recognise(text).form == question_form::unknown);
}

TEST_CASE("a path is names, attributes and items with literal keys, and nothing that computes") {
    for (const char* path : {"x", "_a1", "a.b.c", "a[0]", "a[-1].b['k']",
                             "gr\xC3\xB6\xC3\x9F"
                             "e"}) {
        INFO(path);
        CHECK(ai::detail::is_object_path(path));
    }
    for (const char* other : {"", "1x", "a.", ".a", "a[", "a[]", "a[i]", "f(x)", "a b", "a['k", "a+b", "a[0"}) {
        INFO(other);
        CHECK_FALSE(ai::detail::is_object_path(other));
    }
}

TEST_CASE("hostile questions are read in bounded time, and never as something else") {
    const std::string words = [] {
        std::string out;
        for (int i = 0; i < 700; ++i) {
            out += "in of ";
        }
        return out;
    }();
    const auto begun = std::chrono::steady_clock::now();
    for (const std::string& text :
         {std::string(1 << 20, 'a'), std::string(1 << 20, '('), "what is " + std::string(3000, '['), words.substr(0, 3990),
          "what is the first of " + words.substr(0, 500), std::string("what is \xFF\xFE\x80"), std::string("is \"x in y"),
          std::string("what\0is\x1Bx", 9), std::string(3000, '\''), std::string(3000, '`')}) {
        static_cast<void>(ai::detail::recognise(text));
    }
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(20));  // milliseconds, if the time is linear
    CHECK(ai::detail::recognise(std::string(1 << 20, 'a')).form == question_form::unknown);
}
