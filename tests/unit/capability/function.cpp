#include <pyaichat/capability/function.hpp>

#include "catch.hpp"

#include <functional>
#include <memory>
#include <stdexcept>

namespace ai = pyaichat;

namespace function_tests {

namespace {

ai::capability_reply invoke(ai::function_capability& source, ai::json arguments) {
    ai::capability_call call;
    call.name = source.specs().value()[0].name;
    call.arguments = std::move(arguments);
    std::optional<ai::capability_reply> reply;
    source.invoke(call, ai::capability_responder([&](ai::capability_reply came) { reply = std::move(came); }));
    REQUIRE(reply);
    return *reply;
}

int twice(int value) {
    return 2 * value;
}

}  // namespace

TEST_CASE("parameters become a schema with the names and descriptions of the args") {
    const auto source = ai::capability(
        "heal", "Restore health.", [](double points, std::optional<std::string> who) { return points + (who ? 1 : 0); },
        ai::arg{"points", "how much"}, ai::arg{"who"});
    const ai::capability_list declared = *source.specs();
    const ai::capability_spec& spec = declared[0];
    CHECK(spec.name == "heal");
    CHECK(spec.effects == ai::effects::once);
    CHECK(ai::dump_json(spec.parameters) ==
          R"({"additionalProperties":false,"properties":{"points":{"description":"how much","type":"number"},"who":{"type":"string"}},)"
          R"("required":["points"],"type":"object"})");
}

TEST_CASE("a capability without parameters declares none") {
    const auto source = ai::capability("ping", "Ping.", [] {});
    CHECK(source.specs().value()[0].parameters.is_null());
}

TEST_CASE("arguments reach the callable and its result comes back") {
    auto source = ai::capability("twice", "Twice.", twice, ai::arg{"value"});
    CHECK(invoke(source, {{"value", 21}}).result == 42);
}

TEST_CASE("a missing or wrong argument is told with its path and the callable is not run") {
    int ran = 0;
    auto source = ai::capability("f", "F.", [&](int) { ++ran; }, ai::arg{"value", "a number"});
    const auto missing = invoke(source, ai::json::object());
    CHECK(missing.code == ai::reply_code::invalid_args);
    CHECK(missing.details[0]["path"] == "/value");
    CHECK(missing.details[0]["keyword"] == "required");
    const auto wrong = invoke(source, {{"value", "x"}});
    CHECK(wrong.code == ai::reply_code::invalid_args);
    CHECK(wrong.details[0]["keyword"] == "type");
    CHECK(ran == 0);
}

TEST_CASE("a result that failed is an error with the hint") {
    auto source = ai::capability("open", "Open.", []() -> ai::result<int> {
        return ai::failure{.code = ai::errc::not_allowed, .message = "locked", .hint = "set `force`"};
    });
    const auto reply = invoke(source, ai::json::object());
    CHECK(reply.code == ai::reply_code::not_allowed);
    CHECK(reply.message == "set `force`");
}

TEST_CASE("a first parameter of type capability_responder makes it asynchronous") {
    ai::capability_responder kept;
    auto source =
        ai::capability("later", "Later.", [&](ai::capability_responder responder, int) { kept = std::move(responder); }, ai::arg{"value"});
    CHECK(source.specs().value()[0].parameters["required"] == ai::json({"value"}));
    ai::capability_call call;
    call.arguments = {{"value", 1}};
    std::optional<ai::capability_reply> reply;
    source.invoke(call, ai::capability_responder([&](ai::capability_reply came) { reply = std::move(came); }));
    CHECK_FALSE(reply);
    kept(ai::reply_with("done"));
    REQUIRE(reply);
    CHECK(reply->result == "done");
}

TEST_CASE("a capability owns what can only be moved, and says its effects and its time") {
    auto source = ai::capability("held", "Held.", [held = std::make_unique<int>(3)] { return *held; })
                      .with(ai::effects::read)
                      .with_timeout(std::chrono::seconds(1));
    CHECK(invoke(source, ai::json::object()).result == 3);
    CHECK(source.specs().value()[0].effects == ai::effects::read);
    CHECK(source.specs().value()[0].timeout == std::chrono::seconds(1));
}

namespace {
struct heal_args {
    double points = 0;
    std::optional<std::string> who = {};
    static constexpr ai::about descriptions[] = {{"points", "how much"}, {"who", "whom; yourself when left out"}};
};
struct healed {
    std::string who = {};
    double health = 0;
};
healed heal(const heal_args& a) {
    return {.who = a.who.value_or("you"), .health = 40 + a.points};
}
}  // namespace

TEST_CASE("the fields of one struct are the arguments, and those of another the result") {
    auto source = ai::capability("heal", "Restore health.", heal);
    CHECK(ai::dump_json(source.specs().value()[0].parameters) ==
          R"({"additionalProperties":false,"properties":{"points":{"description":"how much","type":"number"},)"
          R"("who":{"description":"whom; yourself when left out","type":"string"}},"required":["points"],"type":"object"})");
    CHECK(invoke(source, {{"points", 2}}).result == ai::json({{"who", "you"}, {"health", 42.0}}));
    const auto missing = invoke(source, ai::json::object());
    CHECK(missing.code == ai::reply_code::invalid_args);
    CHECK(missing.details[0]["path"] == "/points");
}

TEST_CASE("a struct with an arg is one argument among others, and an asynchronous capability may take its fields too") {
    auto nested = ai::capability(
        "heal", "Restore health.", [](const heal_args& a, int times) { return a.points * times; }, ai::arg{"one"}, ai::arg{"times"});
    CHECK(invoke(nested, {{"one", {{"points", 2}}}, {"times", 3}}).result == 6.0);
    auto alone = ai::capability("heal", "Restore health.", [](const heal_args& a) { return a.points; }, ai::arg{"args"});
    CHECK(invoke(alone, {{"args", {{"points", 2}}}}).result == 2.0);
    auto later = ai::capability("heal", "Restore health.",
                                [](ai::capability_responder responder, const heal_args& a) { responder(ai::reply_with(a.points)); });
    CHECK(invoke(later, {{"points", 2}}).result == 2.0);
}

TEST_CASE("two parameters of one name are told before anything runs, and a null text is null") {
    const auto twice = ai::capability("add", "Adds.", [](int a, int b) { return a + b; }, ai::arg{"n", "one"}, ai::arg{"n", "another"});
    REQUIRE_FALSE(twice.specs());
    CHECK(twice.specs().error().code == ai::errc::invalid_argument);
    CHECK(twice.specs().error().message == "two parameters of `add` are called `n`");
    CHECK(ai::encode(static_cast<const char*>(nullptr))->is_null());
}

TEST_CASE("a function may return a failure, or the reply itself") {
    auto refusing = ai::capability("f", "F.", [] { return ai::failure{.code = ai::errc::busy, .hint = "Try later."}; });
    CHECK(invoke(refusing, ai::json::object()).message == "Try later.");
    auto replying = ai::capability("f", "F.", [] { return ai::reply_error(ai::reply_code::busy, "Later."); });
    CHECK(invoke(replying, ai::json::object()) == ai::reply_error(ai::reply_code::busy, "Later."));
}

namespace {
struct player {
    double health = 40;
    double heal(double points) { return health += points; }
    int armor(int side) const { return side; }
    std::string armor(const std::string& side) { return "armor of " + side; }
};
double half(double value) {
    return value / 2;
}
int half(int value) {
    return value / 2;
}

}  // namespace

TEST_CASE("a callable that can be called in several ways has a type that is written") {
    player ada;
    auto bound = ai::capability<double(double)>("heal", "Heals.", std::bind_front(&player::heal, &ada), ai::arg{"points", "", 1});
    CHECK(invoke(bound, ai::json::object()).result == 41.0);
    auto generic = ai::capability<std::string(std::string)>("f", "F.", [](auto value) { return value + value; }, ai::arg{"text"});
    CHECK(invoke(generic, {{"text", "ab"}}).result == "abab");
    auto function = ai::capability<int(int)>("f", "F.", half, ai::arg{"n"});
    CHECK(invoke(function, {{"n", 5}}).result == 2);
    auto other = ai::capability<double(double)>("f", "F.", &half, ai::arg{"n"});
    CHECK(invoke(other, {{"n", 5}}).result == 2.5);
    auto constant = ai::capability<int(int) const>("f", "F.", &player::armor, ada, ai::arg{"side"});
    CHECK(invoke(constant, {{"side", 3}}).result == 3);
    auto changing = ai::capability<std::string(const std::string&)>("f", "F.", &player::armor, ada, ai::arg{"side"});
    CHECK(invoke(changing, {{"side", "left"}}).result == "armor of left");
    auto none = ai::capability<void()>("f", "F.", [&ada](auto... nothing) { return ada.health += sizeof...(nothing) + 1; });
    CHECK(invoke(none, ai::json::object()).result.is_null());
    CHECK(ada.health == 42);
}

}  // namespace function_tests
