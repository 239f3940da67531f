#include <pyaichat/capability/arg.hpp>

#include <pyaichat/capability/function.hpp>

#include "catch.hpp"

namespace ai = pyaichat;
using ai::json;
using namespace std::chrono_literals;

namespace {

enum class mood { calm, alert, hostile };
struct point {
    int x = 0;
    int y = 0;
};

ai::capability_reply invoke(ai::function_capability& source, json arguments) {
    ai::capability_call call;
    call.name = source.specs().value()[0].name;
    call.arguments = std::move(arguments);
    ai::capability_reply reply;
    source.invoke(call, ai::capability_responder([&](ai::capability_reply replied) { reply = std::move(replied); }));
    return reply;
}
json parameter_of(const ai::function_capability& source, const char* name) {
    return source.specs().value()[0].parameters["properties"][name];
}
/// The setup error of a capability with one parameter of type `T`.
template <class T>
std::string error_of(ai::arg declared) {
    const auto source = ai::capability("f", "F.", [](T) {}, std::move(declared));
    REQUIRE_FALSE(source.specs());
    CHECK(source.specs().error().code == ai::errc::invalid_argument);
    return source.specs().error().message;
}

}  // namespace

TEST_CASE("a default value is in the schema, and the argument is not required") {
    auto source = ai::capability(
        "f", "F.", [](int n, const std::string& text) { return text + std::to_string(n); }, ai::arg{"n", "how many", 10},
        ai::arg{"text"}.or_else("x"));
    CHECK(ai::dump_json(source.specs().value()[0].parameters) ==
          R"({"additionalProperties":false,"properties":{"n":{"default":10,"description":"how many","type":"integer"},)"
          R"("text":{"default":"x","type":"string"}},"type":"object"})");
    CHECK(invoke(source, json::object()).result == "x10");
    CHECK(invoke(source, {{"n", 3}}).result == "x3");
    CHECK(invoke(source, {{"n", "3"}}).code == ai::reply_code::invalid_args);
}

TEST_CASE("a default value may be of any type that can be encoded") {
    auto source = ai::capability(
        "f", "F.",
        [](mood m, std::vector<int> list, point at, std::chrono::seconds wait, std::optional<int> n) {
            return json{ai::encode(m).value(), list.size(), at.y, wait.count(), n.has_value()};
        },
        ai::arg{"m", "", mood::alert}, ai::arg{"list", "", std::vector{1, 2}}, ai::arg{"at", "", point{1, 5}}, ai::arg{"wait", "", 2min},
        ai::arg{"n", "", 4});
    REQUIRE(source.specs());
    CHECK(parameter_of(source, "m")["default"] == "alert");
    CHECK(parameter_of(source, "wait") == json({{"type", "integer"}, {"description", "in seconds"}, {"default", 120}}));
    CHECK(invoke(source, json::object()).result == json({"alert", 2, 5, 120, true}));
    CHECK(invoke(source, {{"m", "calm"}, {"wait", 1}, {"n", nullptr}}).result == json({"calm", 2, 5, 1, false}));
}

TEST_CASE("a range is in the schema and holds for calls that were not validated") {
    auto source =
        ai::capability("volume", "Sets it.", [](int level) { return level; }, ai::arg{"level", "how loud"}.between(0, 100).or_else(50));
    CHECK(parameter_of(source, "level") ==
          json({{"type", "integer"}, {"description", "how loud"}, {"minimum", 0}, {"maximum", 100}, {"default", 50}}));
    CHECK(invoke(source, json::object()).result == 50);
    CHECK(invoke(source, {{"level", 100}}).result == 100);
    const auto refused = invoke(source, {{"level", 101}});
    CHECK(refused.code == ai::reply_code::invalid_args);
    CHECK(refused.details[0]["path"] == "/level");
    CHECK(refused.details[0]["keyword"] == "maximum");
    auto share = ai::capability("f", "F.", [](std::optional<double> x) { return x.value_or(-1); }, ai::arg{"x"}.at_least(0.5));
    CHECK(invoke(share, {{"x", 0.25}}).details[0]["keyword"] == "minimum");
    CHECK(invoke(share, {{"x", 0.5}}).result == 0.5);
    CHECK(invoke(share, json::object()).result == -1.0);
}

TEST_CASE("the range and the default of a duration are converted to its unit") {
    auto source = ai::capability(
        "wait", "Waits.", [](std::chrono::milliseconds time) { return time; }, ai::arg{"time"}.between(0.5s, 1min).or_else(2s));
    CHECK(parameter_of(source, "time")["minimum"] == 500);
    CHECK(parameter_of(source, "time")["maximum"] == 60000);
    CHECK(parameter_of(source, "time")["default"] == 2000);
    CHECK(invoke(source, json::object()).result == 2000);
    CHECK(invoke(source, {{"time", 499}}).code == ai::reply_code::invalid_args);
    CHECK(error_of<std::chrono::seconds>(ai::arg{"time"}.or_else(1500ms)) ==
          "the parameter `time` of `f`: its default value is not a whole number in the unit of the parameter");
    const auto fractions = ai::capability("f", "F.", [](std::chrono::duration<double>) {}, ai::arg{"time", "", 1500ms});
    CHECK(parameter_of(fractions, "time")["default"] == 1.5);
    const auto nanoseconds = ai::capability("f", "F.", [](std::chrono::nanoseconds) {}, ai::arg{"time", "", 36h + 1ns});
    CHECK(parameter_of(nanoseconds, "time")["default"] == 129600000000001);
}

TEST_CASE("a text has a length and a pattern") {
    auto source = ai::capability(
        "name", "Names.", [](const std::string& text) { return text; },
        ai::arg{"text", "a name"}.min_length(2).max_length(4).matching("^[a-z]+$"));
    CHECK(parameter_of(source, "text") ==
          json({{"type", "string"}, {"description", "a name"}, {"minLength", 2}, {"maxLength", 4}, {"pattern", "^[a-z]+$"}}));
    CHECK(invoke(source, {{"text", "abc"}}).result == "abc");
    for (const char* wrong : {"a", "abcde", "ABC"}) {
        CHECK(invoke(source, {{"text", wrong}}).code == ai::reply_code::invalid_args);
    }
}

TEST_CASE("a default or a limit that does not fit its parameter is a setup error") {
    CHECK(error_of<int>({"n", "", "ten"}) == "the parameter `n` of `f`: its default value must be an integer, not string");
    CHECK(error_of<std::uint8_t>({"n", "", 300}) == "the parameter `n` of `f`: its default value must be an integer from 0 to 255");
    CHECK(error_of<std::vector<int>>({"n", "", std::vector{"a"}}) ==
          "the parameter `n` of `f`: its default value at /0 must be an integer, not string");
    CHECK(error_of<mood>({"n", "", static_cast<mood>(9)}).find("the value 9") != std::string::npos);
    CHECK(error_of<int>({"n", "", 2s}) == "the parameter `n` of `f`: its default value is a duration, but the parameter is not");
    CHECK(error_of<int>(ai::arg{"n"}.between(0, 10).or_else(11)).find("its default value") != std::string::npos);
    CHECK(error_of<int>(ai::arg{"n"}.between(10, 0)) ==
          "the parameter `n` of `f`: its range is empty, because the minimum is above the maximum");
    CHECK(error_of<std::string>(ai::arg{"n"}.at_least(0)) == "the parameter `n` of `f`: only a number or a duration has a range");
    CHECK(error_of<int>(ai::arg{"n"}.at_least("0")) == "the parameter `n` of `f`: its minimum is not a number");
    CHECK(error_of<int>(ai::arg{"n"}.max_length(3)) == "the parameter `n` of `f`: only a text has a length or a pattern");
    CHECK(error_of<std::string>(ai::arg{"n"}.matching("(")).find("the parameter `n` of `f`: ") == 0);
}
