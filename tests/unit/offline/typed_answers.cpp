// Questions whose answer has a schema: the offline provider takes the value from the replies, or says that it has none.
#include <pyaichat/offline/offline.hpp>

#include "offline/python_literal.hpp"

#include <pyaichat/message/capability_reply.hpp>

#include "catch.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ai = pyaichat;
using ai::json;

namespace {

struct outcome {
    std::optional<json> value = {};
    ai::finish_reason finish = ai::finish_reason::unknown;
    std::string text = {};
};

/// Plays a run in which each capability replies with this JSON text. The answer has a schema, which is given to the service or as a
/// function.
outcome answered(const std::string& question, const json& schema, const std::vector<std::pair<std::string, std::string>>& replies,
                 bool by_function = false) {
    std::vector<ai::capability_spec> specs;
    for (const char* name : {"list_globals", "get_type", "get_repr", "get_dir", "inspect", "eval_expr"}) {
        specs.push_back({.name = name, .description = "looks"});
    }
    ai::model_request request{.messages = {ai::user_message(question)}};
    if (by_function) {
        const json wrapped{
            {"type", "object"}, {"properties", {{"answer", schema}}}, {"required", {"answer"}}, {"additionalProperties", false}};
        specs.push_back({.name = "give_answer", .description = "answers", .parameters = wrapped});
        request.answer_function = "give_answer";
    } else {
        request.answer_schema = std::make_shared<const json>(schema);
    }
    request.declarations = *ai::declare(specs);
    for (int step = 0; step < 5; ++step) {
        const auto response = ai::offline().complete(request, {}, {});
        REQUIRE(response);
        const ai::candidate& option = response->candidates.at(0);
        ai::message given;
        for (const ai::part& piece : option.content.parts) {
            if (const auto* call = piece.as<ai::call_part>()) {
                if (call->name == "give_answer") {
                    return {.value = call->arguments["answer"], .finish = option.finish};
                }
                ai::capability_reply reply = ai::reply_error(ai::reply_code::plugin_error, "not in this test");
                for (const auto& [name, text] : replies) {
                    reply = name == call->name ? ai::reply_with(*ai::parse_json(text)) : reply;
                }
                given.parts.emplace_back(ai::response_part{.id = call->id, .name = call->name, .response = reply.envelope()});
            }
        }
        if (given.parts.empty()) {
            const std::string text = option.content.text();
            const auto value = ai::parse_json(text);
            return {.value = value ? std::optional(*value) : std::nullopt, .finish = option.finish, .text = text};
        }
        request.messages.push_back(option.content);
        request.messages.push_back(std::move(given));
    }
    FAIL("no answer");
    return {};
}

}  // namespace

TEST_CASE("a value is taken from the replies, in both ways") {
    const std::vector<std::pair<std::string, std::string>> replies{
        {"eval_expr", R"({"value_repr": "42"})"},
        {"get_repr", R"({"repr": "['Ann', 'Bo']", "truncated": false})"},
        {"inspect", R"({"type": {"name": "list"}, "size": 2})"},
        {"get_type", R"({"name": "list"})"},
        {"list_globals",
         R"({"globals": [{"name": "x", "type_name": "int"}, {"name": "y", "type_name": "str"}], "total": 2, "truncated": false})"}};
    const json texts{{"type", "array"}, {"items", {{"type", "string"}}}};
    for (const bool by_function : {false, true}) {
        CHECK(answered("compute 6 * 7", {{"type", "integer"}}, replies, by_function).value == 42);
        CHECK(answered("what is xs?", texts, replies, by_function).value == json::array({"Ann", "Bo"}));
        CHECK(answered("how long is xs?", {{"type", "integer"}}, replies, by_function).value == 2);
        CHECK(answered("which variables are there?", texts, replies, by_function).value == json::array({"x", "y"}));
        CHECK(answered("is xs defined?", {{"type", "boolean"}}, replies, by_function).value == true);
        CHECK(answered("what type is xs?", {{"type", "string"}}, replies, by_function).value == "list");
        CHECK(answered("hello", {{"type", "string"}}, replies, by_function).value->is_string());
    }
}

TEST_CASE("an answer that the schema does not allow is none, and its text says so") {
    for (const bool by_function : {false, true}) {
        const outcome none =
            answered("compute 6 * 7", {{"type", "integer"}, {"maximum", 9}}, {{"eval_expr", R"({"value_repr": "42"})"}}, by_function);
        CHECK_FALSE(none.value);
        CHECK(none.finish == ai::finish_reason::unanswered);
        CHECK(none.text.find("42") != std::string::npos);
        CHECK(answered("tell me a joke", {{"type", "string"}}, {}, by_function).finish == ai::finish_reason::unanswered);
        CHECK(answered("compute 6 * 7", {{"type", "integer"}}, {}, by_function).finish == ai::finish_reason::unanswered);
        CHECK(
            answered("what is xs?", {{"type", "array"}}, {{"get_repr", R"({"repr": "[1, 2]", "truncated": true})"}}, by_function).finish ==
            ai::finish_reason::unanswered);
    }
}

TEST_CASE("what Python prints for plain values is read, and nothing else") {
    const auto read = [](std::string_view text) {
        const auto value = ai::detail::read_python_literal(text);
        return value ? ai::dump_json(*value) : std::string("nothing");
    };
    CHECK(read(" 1 ") == "1");
    CHECK(read("-1.5e-07") == "-1.5e-07");
    CHECK(read("None") == "null");
    CHECK(read("[True, False]") == "[true,false]");
    CHECK(read("(1,)") == "[1]");
    CHECK(read("()") == "[]");
    CHECK(read("{'a': [1, {'b': \"it's\"}], 'c': ()}") == R"({"a":[1,{"b":"it's"}],"c":[]})");
    CHECK(read(R"('a\n\'b\'')") == R"("a\n'b'")");
    for (const char* text : {"",      "nan",      "inf",       "x",        "1 2",
                             "[1",    "[1 2]",    "[,]",       "{1, 2}",   "{1: 2}",
                             "{'a'}", "'a",       R"('\x00')", "<object>", "array([1])",
                             "[...]", "[1, ...]", "0x10",      "1_000",    "[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]"}) {
        INFO(text);
        CHECK(read(text) == "nothing");
    }
}
