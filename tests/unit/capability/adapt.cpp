#include <pyaichat/capability/adapt.hpp>

#include <pyaichat/capability/any_capabilities.hpp>
#include <pyaichat/capability/combine.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/message/capability_list.hpp>

#include "catch.hpp"

using namespace std::chrono_literals;
namespace ai = pyaichat;

namespace {

auto two() {
    return ai::combine(ai::capability("get_type", "Type.", [] { return "type"; }),
                       ai::capability("get_repr", "Repr.", [] { return "repr"; }));
}

template <class Source>
std::string names(const Source& source) {
    std::string joined;
    const ai::capability_list declared = source.specs().value();
    for (const ai::capability_spec& one : declared) {
        joined += (joined.empty() ? "" : " ") + one.name;
    }
    return joined;
}

template <class Source>
ai::json ask(Source& source, std::string name) {
    ai::capability_call call;
    call.name = std::move(name);
    ai::json result;
    source.invoke(call, ai::capability_responder([&](ai::capability_reply came) { result = came.envelope(); }));
    return result;
}

/// Says what it is asked about, and decides by name.
struct reviewing {
    [[nodiscard]] ai::result<ai::capability_list> specs() const { return own; }
    void invoke(const ai::capability_call& call, ai::capability_responder responder) { responder(ai::reply_with(call.name)); }
    [[nodiscard]] std::vector<ai::call_decision> review(std::span<const ai::proposed_call> batch) {
        std::vector<ai::call_decision> decided;
        for (const ai::proposed_call& one : batch) {
            decided.push_back(one.name == "open" ? ai::call_decision::allow()
                                                 : ai::call_decision::deny("the source says no to " + one.name));
        }
        return decided;
    }
    ai::result<ai::capability_list> own = ai::declare({{.name = "open", .description = "Open."}, {.name = "shut", .description = "Shut."}});
};

std::vector<ai::proposed_call> batch_of(std::initializer_list<const char*> wanted) {
    std::vector<ai::proposed_call> batch;
    for (const char* one : wanted) {
        batch.push_back({.name = one});
    }
    return batch;
}

}  // namespace

TEST_CASE("a prefix is seen outside, and the source sees its own names") {
    auto tools = two() | ai::prefix{"py_"};
    CHECK(names(tools) == "py_get_type py_get_repr");
    CHECK(ask(tools, "py_get_repr")["result"] == "repr");
    auto twice = reviewing{} | ai::prefix{"a_"} | ai::prefix{"b_"};
    CHECK(names(twice) == "b_a_open b_a_shut");
    CHECK(ask(twice, "b_a_open")["result"] == "open");
    const auto decided = twice.review(batch_of({"b_a_shut", "b_a_open"}));
    REQUIRE(decided.size() == 2);
    CHECK(decided[0].reason == "the source says no to shut");
    CHECK(decided[1].what == ai::call_decision::kind::allow);
}

TEST_CASE("only those that are named are offered") {
    auto tools = two() | ai::only{"get_repr"};
    CHECK(names(tools) == "get_repr");
    CHECK(tools.specs());
    CHECK(ask(tools, "get_repr")["result"] == "repr");
}

TEST_CASE("to name one that does not exist is an error that tells the nearest name") {
    const auto tools = two() | ai::only{"get_repr", "get_tpye"};
    const auto declared = tools.specs();
    REQUIRE_FALSE(declared);
    CHECK(declared.error().message == "`only` names the capability `get_tpye`, but its source does not declare it");
    CHECK(declared.error().hint == "Did you mean `get_type`?");
    ai::any_capabilities all;
    CHECK(all.add(two() | ai::only{"quite_another"}).error().message.find("does not declare it") != std::string::npos);
    CHECK(all.specs()->empty());
}

TEST_CASE("a timeout is put on every capability of the source") {
    const auto tools = ai::combine(ai::capability("a", "A.", [] {}).with_timeout(9s), ai::capability("b", "B.", [] {})) | ai::timeout{2s};
    CHECK(tools.specs().value()[0].timeout == 2s);
    CHECK(tools.specs().value()[1].timeout == 2s);
    const auto none = ai::capability("a", "A.", [] {}) | ai::timeout{0s};
    CHECK_FALSE(none.specs());
}

TEST_CASE("an approval policy on a source counts beside what the source says, and the stricter is followed") {
    auto tools = reviewing{} | ai::approve{[](const ai::proposed_call& call) {
                     return call.name == "open" ? ai::call_decision::ask("really?") : ai::call_decision::allow();
                 }};
    const auto decided = tools.review(batch_of({"open", "shut"}));
    REQUIRE(decided.size() == 2);
    CHECK(decided[0].what == ai::call_decision::kind::ask);
    CHECK(decided[0].reason == "really?");
    CHECK(decided[1].what == ai::call_decision::kind::deny);
    CHECK(tools.specs());
    CHECK(names(tools) == "open shut");
}

TEST_CASE("an approval policy outside of a prefix sees the names that the model sees") {
    std::string seen;
    const auto policy = [&](const ai::proposed_call& call) {
        seen += call.name + " ";
        return ai::call_decision::allow();
    };
    auto tools = reviewing{} | ai::approve{policy} | ai::prefix{"door_"} | ai::approve{policy};
    CHECK(tools.review(batch_of({"door_open"}))[0].what == ai::call_decision::kind::allow);
    CHECK(seen == "open door_open ");
}

TEST_CASE("a policy that decides about too few denies the rest") {
    struct lazy {
        std::vector<ai::call_decision> decide(std::span<const ai::proposed_call>) { return {ai::call_decision::allow()}; }
    };
    auto tools = two() | ai::approve{lazy{}};
    const auto decided = tools.review(batch_of({"get_type", "get_repr"}));
    REQUIRE(decided.size() == 2);
    CHECK(decided[0].what == ai::call_decision::kind::allow);
    CHECK(decided[1].what == ai::call_decision::kind::deny);
}

TEST_CASE("adapters follow a source that changes what it declares") {
    ai::any_capabilities open{ai::capability("a", "A.", [] {})};
    const auto tools = ai::borrow(open) | ai::prefix{"x_"} | ai::timeout{1s};
    CHECK(names(tools) == "x_a");
    REQUIRE(open.add(ai::capability("b", "B.", [] {})));
    CHECK(names(tools) == "x_a x_b");
    CHECK(*tools.specs() == *tools.specs());
}

TEST_CASE("adapted sources are joined like any others, reviews included") {
    ai::any_capabilities all{two() | ai::prefix{"py_"}, reviewing{} | ai::prefix{"lua_"}};
    CHECK(names(all) == "py_get_type py_get_repr lua_open lua_shut");
    const auto decided = all.review(batch_of({"lua_shut", "py_get_type", "lua_open"}));
    REQUIRE(decided.size() == 3);
    CHECK(decided[0].what == ai::call_decision::kind::deny);
    CHECK(decided[1].what == ai::call_decision::kind::abstain);
    CHECK(decided[2].what == ai::call_decision::kind::allow);
}
