#include <pyaichat/offline/offline.hpp>

#include <pyaichat/message/capability_reply.hpp>

#include "catch.hpp"
#include "pictures.hpp"

#include <algorithm>

namespace ai = pyaichat;

namespace offline_tests {

namespace {

std::vector<ai::capability_spec> all_capabilities(const std::string& prefix = "") {
    std::vector<ai::capability_spec> out;
    for (const char* name :
         {"list_globals", "get_type", "get_repr", "get_dir", "get_doc", "inspect", "eval_expr", "get_last_exception", "situation"}) {
        out.push_back({.name = prefix + name, .description = "looks"});
    }
    return out;
}

ai::model_request asking(const std::string& question, std::vector<ai::capability_spec> declarations = all_capabilities()) {
    return {.messages = {ai::user_message(question)}, .declarations = *ai::declare(declarations)};
}

ai::message respond(const ai::model_request& request, ai::finish_reason finish = ai::finish_reason::stop) {
    const auto response = ai::offline().complete(request, {}, {});
    REQUIRE(response.has_value());
    REQUIRE(response->candidates.size() == 1);
    CHECK(response->candidates[0].finish == finish);
    CHECK(response->usage == ai::token_usage{});
    return response->candidates[0].content;
}

std::vector<ai::call_part> calls_of(const ai::message& content) {
    std::vector<ai::call_part> out;
    for (const ai::part& one : content.parts) {
        if (const auto* call = one.as<ai::call_part>()) {
            out.push_back(*call);
        }
    }
    return out;
}

/// Plays a whole run: every call gets the envelope that `reply` has for its name. A question takes at most four responses.
std::string answer(const std::string& question, const std::vector<std::pair<std::string, ai::capability_reply>>& replies) {
    ai::model_request request = asking(question);
    ai::message last = respond(request);
    for (int step = 0; step < 3 && !calls_of(last).empty(); ++step) {
        ai::message answers;
        for (const ai::call_part& call : calls_of(last)) {
            const auto found = std::find_if(replies.begin(), replies.end(), [&](const auto& each) { return each.first == call.name; });
            const ai::capability_reply reply =
                found == replies.end() ? ai::reply_error(ai::reply_code::plugin_error, "not in this test") : found->second;
            answers.parts.emplace_back(ai::response_part{.id = call.id, .name = call.name, .response = reply.envelope()});
        }
        request.messages.push_back(last);
        request.messages.push_back(answers);
        last = respond(request);
    }
    CHECK(calls_of(last).empty());
    return last.text();
}

ai::capability_reply good(const char* text) {
    return ai::reply_with(*ai::parse_json(text));
}

}  // namespace

TEST_CASE("the first response is real calls with ids, for the thing asked about") {
    const auto calls = calls_of(respond(asking("what is x?")));
    REQUIRE(calls.size() == 2);
    CHECK(calls[0].name == "inspect");
    CHECK(calls[1].name == "get_repr");
    CHECK(calls[0].id != calls[1].id);
    CHECK(calls[1].arguments == ai::json({{"expr", "x"}}));
}

TEST_CASE("declared names with a prefix are called as declared") {
    const auto calls = calls_of(respond(asking("what type is x?", all_capabilities("py_"))));
    REQUIRE(calls.size() == 1);
    CHECK(calls[0].name == "py_get_type");
}

TEST_CASE("a capability that is not declared is said to be missing") {
    CHECK(respond(asking("what type is x?", {})).text().find("`get_type`") != std::string::npos);
    CHECK(calls_of(respond(asking("what is x?", {{.name = "get_repr", .description = "prints"}}))).size() == 1);
}

TEST_CASE("an unknown question ends degraded, with the three forms that come closest and no call") {
    const ai::message joke = respond(asking("tell me a joke"), ai::finish_reason::unanswered);
    CHECK(calls_of(joke).empty());
    CHECK(joke.text().find("not a language model") != std::string::npos);
    CHECK(joke.text().find("what is X; which variables are there; why did it fail") != std::string::npos);
    const std::string near = respond(asking("please plot the columns of my missing values nicely"), ai::finish_reason::unanswered).text();
    CHECK(near.find("missing values in X") != std::string::npos);
    CHECK(near.find("why did it fail") == std::string::npos);
}

TEST_CASE("the whole list of forms is a complete answer to who asks for it") {
    const ai::message list = respond(asking("what can you do?"));
    CHECK(calls_of(list).empty());
    for (const char* form : {"which variables are there", "what is X", "compare X and Y", "columns of X", "show the source of X"}) {
        CHECK(list.text().find(form) != std::string::npos);
    }
}

TEST_CASE("the answer says what the replies say") {
    CHECK(answer("what is x?", {{"inspect", good(R"({"type": "list", "size": 3})")},
                                {"get_repr", good(R"({"repr": "[1, 2, 41]", "truncated": false})")}}) ==
          "`x` is a list of 3 items: [1, 2, 41]");
    CHECK(answer("what is x?", {{"get_repr", good(R"({"repr": "[0, 0, ...]", "truncated": true, "original_len": 900})")}}) ==
          "`x` is an object: [0, 0, ...] (cut; 900 characters in all)");
    CHECK(answer("how long is s?", {{"inspect", good(R"({"type": {"name": "str"}, "size": 1})")},
                                    {"get_repr", good(R"({"repr": "'a'"})")}}) == "`s` (a str) has 1 character: 'a'");
    CHECK(answer("what type is x?", {{"get_type", good(R"({"name": "DataFrame", "module": "pandas"})")}}) ==
          "The type of `x` is `DataFrame` from the module `pandas`.");
    CHECK(answer("what can x do?", {{"get_dir", good(R"({"members": ["__len__", "append", {"name": "pop"}], "truncated": false})")}}) ==
          "`x` has append, pop.");
    CHECK(answer("documentation of f", {{"get_doc", good(R"({"doc": null})")}}) == "`f` has no documentation.");
    CHECK(answer("compute 2 + 2", {{"eval_expr", good(R"({"value_repr": "4", "stdout": "", "stderr": ""})")}}) == "`2 + 2` is 4");
    CHECK(answer("which variables are there?",
                 {{"list_globals", good(R"({"globals": [{"name": "x", "type_name": "list", "summary": "3 items"}], "total": 1})")}}) ==
          "There is 1 variable:\n  x (list): 3 items");
}

TEST_CASE("the last error is told with its place and the values there") {
    CHECK(answer("why did it fail?", {{"get_last_exception", good(R"({"exception": null})")}}) ==
          "Nothing has failed in this session so far.");
    const auto raised =
        good(R"({"exception": {"exc_type": "ZeroDivisionError", "message": "division by zero", "frames": [)"
             R"j({"file": "<session>", "line": 3, "function": "<module>", "source_line": "f()", "locals": {}}, )j"
             R"({"file": "<session>", "line": 2, "function": "f", "source_line": "return a / b", "locals": {"a": "1", "b": "0"}}]}})");
    CHECK(answer("why did it fail?", {{"get_last_exception", raised}}) ==
          "The last error was ZeroDivisionError: division by zero, raised in <session> line 2 in `f`, by `return a / b`. There, a = 1, b = "
          "0.");
}

TEST_CASE("a failed reply is told as it is") {
    const auto missing = ai::reply_error(ai::reply_code::python_exception, "name 'xz' is not defined; the nearest names are: x",
                                         ai::json({{"exc_type", "NameError"}}));
    CHECK(answer("what is xz?", {{"inspect", missing}, {"get_repr", missing}}) ==
          "I could not look at `xz`: NameError: name 'xz' is not defined; the nearest names are: x");
    CHECK(answer("compute f()", {{"eval_expr", ai::reply_error(ai::reply_code::timeout, "it did not end within 5 s")}}) ==
          "I could not compute `f()`: it did not end within 5 s");
}

TEST_CASE("only the open question counts, and equal requests get equal responses") {
    ai::model_request request = asking("what type is a?");
    request.messages.push_back(ai::model_message("The type of `a` is `int`."));
    request.messages.push_back(ai::user_message("what is b?"));
    const auto calls = calls_of(respond(request));
    REQUIRE(calls.size() == 2);
    CHECK(calls[0].arguments == ai::json({{"expr", "b"}}));
    CHECK(calls_of(respond(request))[1].id == calls[1].id);
}

TEST_CASE("a tripped token ends it at once") {
    ai::cancel_source stop;
    stop.request_stop();
    const auto response = ai::offline().complete(asking("what is x?"), {}, stop.get_token());
    REQUIRE_FALSE(response.has_value());
    CHECK(response.error().code == ai::errc::cancelled);
}

TEST_CASE("a reply that was cut is told in one bounded sentence that says so") {
    const auto cut = [](const std::string& text) {
        ai::json result = ai::json::object();
        result["text"] = text;
        ai::capability_reply reply = ai::reply_with(std::move(result));
        reply.truncated = ai::json::object();
        reply.truncated["bytes"] = 5000;
        return reply;
    };
    const auto long_reply = cut("{\"exception\":\n" + std::string(16000, 'q'));
    const std::string text = answer("why did it fail?", {{"get_last_exception", long_reply}});
    CHECK(text.starts_with("The reply of `get_last_exception` was too long and has been cut; it begins with {\"exception\": qqq"));
    CHECK(text.size() < 500);
    // What another reply says whole is the better answer.
    CHECK(answer("what is x?", {{"inspect", cut("{")}, {"get_repr", good(R"({"repr": "5"})")}}) == "`x` is an object: 5");
    const auto wordy = good((R"({"exception": {"exc_type": "E", "message": ")" + std::string(30000, 'q') + R"("}})").c_str());
    CHECK(answer("why did it fail?", {{"get_last_exception", wordy}}).size() < 1100);
}

TEST_CASE("values are listed with their blanks as they are") {
    CHECK(answer("which variables are there?",
                 {{"list_globals", good(R"({"globals": [{"name": "s", "type_name": "str", "summary": "'a   b\n  c'"}], "total": 1})")}}) ==
          "There is 1 variable:\n  s (str): 'a   b   c'");
}

TEST_CASE("a situation is told by its state, the exception, the changes and the threads") {
    CHECK(answer("what is going on?", {{"situation", good(R"({"state": "idle: the last entry ended", "exception": null,
        "changes": {"added": [{"name": "a"}, {"name": "b"}], "removed": ["c"]}, "threads": []})")}}) ==
          "State: idle: the last entry ended.\nadded: a, b\nremoved: c");
    CHECK(answer("what is going on?", {{"situation", good(R"({"state": "Python is busy", "threads": [{"frames": [
        {"function": "work", "file": "a.py", "line": 3, "c_call": "sum", "locals": {"n": "5"}}]}]})")}}) ==
          "State: Python is busy.\nA thread is in `work`, a.py line 3, in the built-in function `sum`. There, n = 5.");
}

TEST_CASE("a question with an image is answered from its text, and the answer says so") {
    const std::string remark = "I cannot see images, so this is about the text alone.\n";
    ai::model_request request = asking("");
    request.messages = {{.parts = {ai::image_part{pictures::png()}, ai::text_part{"tell me a joke"}}}};
    CHECK(respond(request, ai::finish_reason::unanswered).text().starts_with(remark));

    request.messages = {{.parts = {ai::image_part{pictures::png()}, ai::text_part{"what type is x?"}}}};
    const ai::message calling = respond(request);
    REQUIRE(calls_of(calling).size() == 1);
    ai::message replies;
    const ai::capability_reply reply = good(R"({"name": "DataFrame", "module": "pandas"})");
    replies.parts.emplace_back(ai::response_part{.id = calls_of(calling)[0].id, .name = "get_type", .response = reply.envelope()});
    request.messages.push_back(calling);
    request.messages.push_back(replies);
    CHECK(respond(request).text() == remark + "The type of `x` is `DataFrame` from the module `pandas`.");

    request.messages = {ai::user_message("what type is x?"), calling};
    std::get<ai::response_part>(replies.parts[0].content).images = {pictures::png()};
    request.messages.push_back(replies);
    CHECK(respond(request).text().starts_with(remark));
    request.messages.push_back(ai::model_message("A DataFrame."));
    request.messages.push_back(ai::user_message("what can you do?"));
    CHECK_FALSE(respond(request).text().starts_with(remark));  // the image belongs to an earlier question
}

}  // namespace offline_tests
