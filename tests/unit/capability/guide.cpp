// The snippets of docs/guide/capabilities.md and docs/reference/composition.md.
#include <pyaichat/pyaichat.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

#include <functional>
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

class meters {
public:
    meters() = default;
    explicit meters(double value) : value_(value) {}
    [[nodiscard]] double value() const { return value_; }

private:
    double value_ = 0;
};

ai::capability_reply ask(ai::any_capabilities& source, std::string name, ai::json arguments) {
    ai::capability_call call;
    call.name = std::move(name);
    call.arguments = std::move(arguments);
    ai::capability_reply reply;
    source.invoke(call, ai::capability_responder([&](ai::capability_reply came) { reply = std::move(came); }));
    return reply;
}

}  // namespace

// [describe]
enum class lamp { stop = 1000, go = 2000 };
template <>
constexpr auto ai::describe<lamp>() {
    return std::array{ai::enumerator<lamp>{lamp::stop, "stop", "wait"}, ai::enumerator<lamp>{lamp::go, "go"}};
}
// [/describe]

// [reflect]
template <>
struct ai::reflect<meters> {
    using form = double;
    static form write(const meters& length) { return length.value(); }
    static ai::result<meters> read(form value) {
        if (value < 0) {
            return ai::failure{.message = "must not be negative"};
        }
        return meters(value);
    }
};
// [/reflect]

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

TEST_CASE("guide: a capability takes enumerations, variants and types of the host") {
    // [enum]
    enum class mood { calm, alert, hostile };
    mood current = mood::calm;
    auto set_mood = ai::capability("set_mood", "Changes how the guard behaves.", [&](mood to) { current = to; }, ai::arg{"to"});
    // [/enum]
    // [plan]
    struct patrol {
        std::vector<std::string> places = {};
        std::chrono::seconds pause = {};
    };
    struct attack {
        std::string target = {};
    };
    using order = std::variant<patrol, attack, std::string>;  // told apart by their members; a text is a remark
    std::vector<order> orders;
    auto plan = ai::capability(
        "plan", "Gives the guard orders.", [&](std::vector<order> given) { orders = std::move(given); },
        ai::arg{"orders", "what to do, in order"});
    // [/plan]
    auto walk = ai::capability("walk", "Walks.", [](meters far) { return far; }, ai::arg{"far"});
    auto show = ai::capability("show", "Shows.", [](lamp shown) { return shown; }, ai::arg{"lamp"});
    ai::any_capabilities all{std::move(set_mood), std::move(plan), std::move(walk), std::move(show)};
    CHECK(ask(all, "set_mood", {{"to", "hostile"}}).ok());
    CHECK(current == mood::hostile);
    CHECK(ask(all, "plan", {{"orders", {{{"target", "gate"}}, "Careful.", {{"places", {"gate"}}, {"pause", 5}}}}}).ok());
    REQUIRE(orders.size() == 3);
    CHECK(std::get<attack>(orders[0]).target == "gate");
    CHECK(std::get<patrol>(orders[2]).pause == 5s);
    CHECK(ask(all, "walk", {{"far", 2.5}}).result == 2.5);
    CHECK(ask(all, "walk", {{"far", -1}}).message.find("must not be negative") != std::string::npos);
    CHECK(ask(all, "show", {{"lamp", "go"}}).result == "go");
}

TEST_CASE("guide: arguments have defaults and limits") {
    int now = 0;
    // [limits]
    auto volume = ai::capability(
        "set_volume", "Sets the volume.", [&](int level) { now = level; }, ai::arg{"level", "how loud"}.between(0, 100).or_else(50));
    auto wait = ai::capability(
        "wait", "Waits.", [](std::chrono::milliseconds time) { return time; }, ai::arg{"time", "how long"}.at_most(1min).or_else(2s));
    auto rename = ai::capability(
        "rename", "Renames.", [](const std::string& to) { return to; }, ai::arg{"to", "the new name"}.max_length(20).matching("^[a-z_]+$"));
    // [/limits]
    ai::any_capabilities all{std::move(volume), std::move(wait), std::move(rename)};
    CHECK(ask(all, "set_volume", ai::json::object()).ok());
    CHECK(now == 50);
    CHECK_FALSE(ask(all, "set_volume", {{"level", 101}}).ok());
    CHECK(ask(all, "wait", ai::json::object()).result == 2000);
    CHECK_FALSE(ask(all, "rename", {{"to", "A"}}).ok());
}

TEST_CASE("guide: a capability is a member function") {
    // [member]
    struct player {
        double health = 40;
        double heal(double points) { return health += points; }
    };
    auto ada = std::make_shared<player>();
    auto heal = ai::capability("heal", "Restore health.", &player::heal, *ada, ai::arg{"points", "how much"});  // `*ada` lives longer
    auto health = ai::capability("health", "Current health.", &player::health, std::weak_ptr(ada));  // after its end, calls get an error
    auto bound = ai::capability<double(double)>("heal_ada", "Restore Ada's health.", std::bind_front(&player::heal, ada),
                                                ai::arg{"points", "how much"});
    // [/member]
    ai::any_capabilities all{std::move(heal), std::move(health), std::move(bound)};
    CHECK(ask(all, "heal", {{"points", 2}}).result == 42.0);
    CHECK(ask(all, "heal_ada", {{"points", 2}}).result == 44.0);
    CHECK(ask(all, "health", ai::json::object()).result == 44.0);
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
