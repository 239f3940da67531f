#include <pyaichat/offline/offline.hpp>

#include <pyaichat/message/capability_reply.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

namespace {

ai::capability_list capabilities(bool with_last_entry) {
    std::vector<ai::capability_spec> out;
    for (const char* name : {"inspect", "get_repr", "get_type", "get_doc", "list_globals", "get_dir", "eval_expr"}) {
        out.push_back({.name = name, .description = "looks"});
    }
    if (with_last_entry) {
        out.push_back({.name = "get_last_entry", .description = "the last entry"});
    }
    return *ai::declare(out);
}

ai::candidate respond(const ai::model_request& request) {
    const auto response = ai::offline().complete(request, {}, {});
    REQUIRE(response.has_value());
    REQUIRE(response->candidates.size() == 1);
    return response->candidates.front();
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

/// The expression of the first call, which shows what a question was taken to be about.
std::string subject_of(const ai::message& content) {
    const auto calls = calls_of(content);
    return calls.empty() ? "no call" : std::string(ai::string_member(calls.front().arguments, "expr").value_or("no expr"));
}

/// The second response to `question`, after the reply of `get_last_entry`.
ai::candidate after_entry(const std::string& question, const char* entry) {
    ai::model_request request{.messages = {ai::user_message(question)}, .declarations = capabilities(true)};
    const ai::candidate first = respond(request);
    const auto calls = calls_of(first.content);
    REQUIRE(calls.size() == 1);
    CHECK(calls[0].name == "get_last_entry");
    ai::message replies;
    replies.parts.emplace_back(
        ai::response_part{.id = calls[0].id, .name = calls[0].name, .response = ai::reply_with(*ai::parse_json(entry)).envelope()});
    request.messages.push_back(first.content);
    request.messages.push_back(replies);
    return respond(request);
}

/// The response to the last question of a conversation that has the earlier ones.
ai::candidate in_conversation(const std::vector<std::string>& questions) {
    ai::model_request request{.declarations = capabilities(false)};
    for (const std::string& question : questions) {
        if (!request.messages.empty()) {
            request.messages.push_back(ai::model_message("An answer."));
        }
        request.messages.push_back(ai::user_message(question));
    }
    return respond(request);
}

}  // namespace

TEST_CASE("a pronoun stands for the subject of the last question that had one") {
    CHECK(subject_of(in_conversation({"what is xs?", "what type is it?"}).content) == "xs");
    CHECK(subject_of(in_conversation({"what is xs?", "what type is it?", "what can it do?"}).content) == "xs");
    CHECK(subject_of(in_conversation({"what is xs?", "its type?"}).content) == "xs");
    CHECK(subject_of(in_conversation({"describe the list xs", "what is it[0]?"}).content) == "xs[0]");
}

TEST_CASE("a question that names only another subject repeats the form of the last one") {
    const ai::message type = in_conversation({"what type is x?", "and y?"}).content;
    REQUIRE(calls_of(type).size() == 1);
    CHECK(calls_of(type)[0].name == "get_type");
    CHECK(subject_of(type) == "y");
    const ai::message third = in_conversation({"what type is x?", "and what is it?", "what type is it?", "and y?", "and z?"}).content;
    CHECK(calls_of(third)[0].name == "get_type");
    CHECK(subject_of(third) == "z");
    CHECK(subject_of(in_conversation({"what is x?", "what about len(y)?"}).content) == "len(y)");
}

TEST_CASE("without earlier questions a pronoun stands for the subject of the last entry") {
    CHECK(subject_of(after_entry("what type is it?", R"({"question": "what is d?", "names": ["f"]})").content) == "d");
    CHECK(subject_of(after_entry("what type is it?", R"({"question": null, "names": ["a", "b"]})").content) == "b");
    CHECK(subject_of(after_entry("what does this do?", R"({"question": "what is d?", "names": ["f"]})").content) == "f");
}

TEST_CASE("a pronoun without anything that it can stand for is asked back, and the run is not complete") {
    const ai::candidate none = in_conversation({"what type is it?"});
    CHECK(none.finish == ai::finish_reason::unanswered);
    CHECK(none.content.text() == "Which object do you mean by `it`? Ask with its name: for example, `what is x?`.");
    const ai::candidate empty = after_entry("what type is it?", R"({"question": null, "names": []})");
    CHECK(empty.finish == ai::finish_reason::unanswered);
    CHECK(subject_of(in_conversation({"and y?"}).content) == "y");
}

namespace {

ai::capability_reply name_error(const char* name, const char* nearest) {
    return ai::reply_error(ai::reply_code::python_exception, "NameError: name '" + std::string(name) + "' is not defined",
                           ai::json({{"exc_type", "NameError"}, {"at", name}, {"nearest", ai::json::array({nearest})}}));
}

/// Plays a run about a name that is missing, in a session with these variables. Returns the expressions that were looked at, and the text.
std::pair<std::vector<std::string>, std::string> look_at_missing(const std::string& question, const char* missing, const char* variables) {
    std::vector<std::string> seen;
    ai::model_request request{.messages = {ai::user_message(question)}, .declarations = capabilities(false)};
    ai::message last = respond(request).content;
    for (int step = 0; step < 4 && !calls_of(last).empty(); ++step) {
        ai::message replies;
        for (const ai::call_part& call : calls_of(last)) {
            ai::json reply;
            const auto expression = ai::string_member(call.arguments, "expr");
            if (call.name == "list_globals") {
                reply = ai::reply_with(*ai::parse_json(variables)).envelope();
            } else if (expression == missing) {
                reply = name_error(missing, "print").envelope();
            } else {
                seen.emplace_back(expression.value_or(""));
                reply = ai::reply_with(*ai::parse_json(R"({"repr": "5", "type": "int"})")).envelope();
            }
            replies.parts.emplace_back(ai::response_part{.id = call.id, .name = call.name, .response = std::move(reply)});
        }
        request.messages.push_back(last);
        request.messages.push_back(replies);
        last = respond(request).content;
    }
    return {seen, last.text()};
}

}  // namespace

TEST_CASE("a name that is nearly the name of one variable is repaired, and the answer says so") {
    const auto [seen, text] = look_at_missing("what is pirce?", "pirce", R"({"globals": [{"name": "price"}, {"name": "x"}]})");
    CHECK(text == "There is no `pirce`; taking `price`.\n`price` is an int: 5");
    CHECK(seen == std::vector<std::string>{"price", "price"});
}

TEST_CASE("a name that is near to several variables, or to none, is not repaired") {
    const auto [several, first] = look_at_missing("what is pric?", "pric", R"({"globals": [{"name": "price"}, {"name": "prick"}]})");
    CHECK(several.empty());
    CHECK(first.starts_with("I could not look at `pric`: NameError"));
    CHECK(look_at_missing("what is q?", "q", R"({"globals": [{"name": "x"}]})").second.starts_with("I could not look at `q`"));
}
