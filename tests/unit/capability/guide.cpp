// The snippets of docs/guide/capabilities.md and docs/reference/composition.md.
#include <pyaichat/pyaichat.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

#include <thread>

using namespace std::chrono_literals;
namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace {

// [struct]
struct heal_args {
    double points = 0;
    std::optional<std::string> who = {};  // optional: not required
    static constexpr ai::about descriptions[] = {{"points", "how much, 0 to 100"}, {"who", "whom; the player when left out"}};
};
struct patient {
    std::string who = {};
    double health = 0;
};

auto heal_capability(double& health) {
    return ai::capability("heal", "Restore health.", [&health](const heal_args& args) -> ai::result<patient> {
        if (args.points < 0) {
            return ai::failure{.code = ai::errc::invalid_argument, .message = "negative points", .hint = "Give `points` above zero."};
        }
        return patient{.who = args.who.value_or("player"), .health = health += args.points};
    });
}
// [/struct]

ai::capability_reply ask(ai::any_capabilities& source, std::string name, ai::json arguments) {
    ai::capability_call call;
    call.name = std::move(name);
    call.arguments = std::move(arguments);
    ai::capability_reply reply;
    source.invoke(call, ai::capability_responder([&](ai::capability_reply came) { reply = std::move(came); }));
    return reply;
}

}  // namespace

TEST_CASE("guide: a capability is a function") {
    double health = 40;
    // [function]
    auto heal = ai::capability(
        "heal", "Restore health.", [&](double points, std::optional<std::string>) { return health += points; },
        ai::arg{"points", "how much, 0 to 100"}, ai::arg{"who", "whom; the player when left out"});
    auto look = ai::capability("health", "Current health, 0 to 100.", [&] { return health; }).with(ai::effects::read);
    // [/function]
    ai::any_capabilities all{std::move(heal), std::move(look)};
    CHECK(ask(all, "heal", {{"points", 2}}).result == 42.0);
    CHECK(ask(all, "health", ai::json::object()).result == 42.0);
}

TEST_CASE("guide: a call waits for its reply for days") {
    struct {
        std::map<std::string, std::string> open = {};
        void begin(const std::string& order, const std::string& who) { open[order] = who; }
    } kitchen;
    // [suspend]
    auto order_pizza = ai::capability(
        "order_pizza", "Orders a pizza.",
        [&](const ai::capability_call& call, ai::capability_responder responder, const std::string& who) {
            kitchen.begin(call.idempotency_key, who);  // the same key if the call is made again
            responder(ai::suspend_call("the pizza for " + who + " is in the oven"));
        },
        ai::arg{"who", "for whom"});
    // [/suspend]
    fake::scripted_provider model{fake::call("order_pizza", {{"who", "Ada"}}), fake::say("It is here.")};
    ai::basic_agent agent{ai::borrow(model), ai::any_capabilities{std::move(order_pizza)}};
    ai::run run = agent.ask("Order a pizza for Ada.");
    CHECK(run.wait().reason == ai::stop_reason::awaiting_approval);
    CHECK(kitchen.open.begin()->second == "Ada");
    // [resume]
    for (const ai::pending_call& pending : run.pending()) {
        if (pending.suspended) {
            ai::result<void> resumed = run.resume(pending.call.number, ai::reply_with("delivered"));
            // [/resume]
            CHECK(resumed);
            // [resume]
        }
    }
    // [/resume]
    CHECK(run.wait().text == "It is here.");
}

TEST_CASE("guide: a capability takes and gives structs") {
    double health = 40;
    ai::any_capabilities all{heal_capability(health)};
    CHECK(ask(all, "heal", {{"points", 2}}).result == ai::json({{"who", "player"}, {"health", 42.0}}));
    CHECK(ask(all, "heal", {{"points", -2}}).message == "Give `points` above zero.");
}

TEST_CASE("guide: sources are put together") {
    double health = 40;
    auto python =
        ai::combine(ai::capability("get_type", "Type.", [] { return "int"; }), ai::capability("get_repr", "Repr.", [] { return "1"; }));
    const auto grep = [] { return "nothing found"; };
    // [combine]
    auto tools = ai::combine(std::move(python) | ai::only{"get_type", "get_repr"} | ai::prefix{"py_"},
                             heal_capability(health) | ai::approve{ai::ask_before_effects},
                             ai::deferred(ai::capability("grep", "Search the sources.", grep)) | ai::timeout{2s});
    ai::result<ai::capability_list> declared = tools.specs();  // an agent does this by itself: clashes and typos are found here
    // [/combine]
    REQUIRE(declared);
    CHECK(declared->find("py_get_type") != nullptr);
    CHECK(declared->find("grep")->timeout == 2s);

    // [any]
    ai::any_capabilities open{heal_capability(health)};
    ai::result<void> added = open.add(heal_capability(health));  // two of one name: nothing is added
    // [/any]
    REQUIRE_FALSE(added);
    CHECK(added.error().code == ai::errc::name_clash);
}

TEST_CASE("guide: a provider behind another") {
    auto first = [] { return fake::scripted_provider{fake::fail(ai::errc::unavailable)}; };
    auto second = [] { return fake::scripted_provider{fake::say("Hello.")}; };
    // [fallback]
    ai::agent agent{ai::fallback{first(), second()}};
    const ai::answer reply = agent.ask("Are you there?").wait();
    // [/fallback]
    CHECK(reply.text == "Hello.");
}

TEST_CASE("guide: history from a database") {
    ai::conversation stored{ai::user_message("How am I?"),
                            ai::message{.role = ai::role::model, .parts = {ai::call_part{.name = "health"}}}};
    // [history]
    stored.push_back(ai::user_message("And now?"));
    for (const std::string& fault : ai::check_history(stored)) {
        INFO(fault);  // "the call of `health` has no reply", ...
    }
    const ai::conversation good = ai::repair_history(stored);
    // [/history]
    CHECK(good.size() == 5);
    CHECK(ai::check_history(good).empty());
}
