#include "assistant/call_approval.hpp"

#include "catch.hpp"

#include <deque>

namespace {

using repl::ai::call_decision;
using kind = call_decision::kind;

repl::screen& quiet() {
    static repl::screen one({});
    return one;
}

repl::ai::proposed_call call_of(repl::ai::provenance from, repl::ai::effects effects, std::string origin = "doors.lua") {
    return {.number = 1, .name = "open_door", .effects = effects, .from = from, .origin = std::move(origin)};
}

repl::ai::pending_call waiting(std::uint64_t number, std::string origin = "doors.lua") {
    repl::ai::pending_call one{.call = call_of(repl::ai::provenance::file, repl::ai::effects::once, std::move(origin))};
    one.call.number = number;
    return one;
}

/// A person who types these lines, and no more.
repl::call_approval::asker typing(std::deque<std::string> lines, int* asked = nullptr) {
    return [lines = std::move(lines), asked](const std::string&) mutable -> repl::entry {
        if (asked != nullptr) {
            ++*asked;
        }
        if (lines.empty()) {
            return {.what = repl::entry::kind::closed};
        }
        repl::entry line{.what = repl::entry::kind::text, .text = lines.front()};
        lines.pop_front();
        return line;
    };
}

}  // namespace

TEST_CASE("a choice is yes, no or always, or its first letter, in any case") {
    CHECK(repl::read_choice("yes") == repl::person_choice::yes);
    CHECK(repl::read_choice(" Y ") == repl::person_choice::yes);
    CHECK(repl::read_choice("No") == repl::person_choice::no);
    CHECK(repl::read_choice("a") == repl::person_choice::always);
    CHECK(repl::read_choice("ALWAYS") == repl::person_choice::always);
    for (const char* other : {"", "yess", "ye", "1", "ok", "yes please", "y n"}) {
        CHECK_FALSE(repl::read_choice(other).has_value());
    }
}

TEST_CASE("what changes something and comes from a file, and all of a server's, needs approval") {
    using repl::ai::effects;
    using repl::ai::provenance;
    const repl::call_approval nobody_allowed({}, {}, quiet());
    CHECK(nobody_allowed.decide(call_of(provenance::host, effects::once)).what == kind::abstain);
    CHECK(nobody_allowed.decide(call_of(provenance::file, effects::read)).what == kind::abstain);
    CHECK(nobody_allowed.decide(call_of(provenance::file, effects::idempotent)).what == kind::ask);
    CHECK(nobody_allowed.decide(call_of(provenance::server, effects::read)).what == kind::ask);
    CHECK(nobody_allowed.decide(call_of(provenance::file, effects::once)).reason.find("doors.lua") != std::string::npos);
}

TEST_CASE("what --allow names runs, by its name or as all") {
    for (const char* name : {"open_door", "all"}) {
        const repl::call_approval approval({name}, {}, quiet());
        CHECK(approval.decide(call_of(repl::ai::provenance::file, repl::ai::effects::once)).what == kind::allow);
    }
    const repl::call_approval other({"close_door"}, {}, quiet());
    CHECK(other.decide(call_of(repl::ai::provenance::file, repl::ai::effects::once)).what == kind::ask);
}

TEST_CASE("where nobody can be asked, what waits is denied, but for what is allowed") {
    repl::call_approval denying({}, {}, quiet());
    const auto denied = denying.settle({waiting(7)});
    REQUIRE(denied.has_value());
    REQUIRE(denied->size() == 1);
    CHECK(denied->front().call == 7);
    CHECK(denied->front().decision.what == kind::deny);
    // A hook has asked, although the policy would have let it run.
    repl::call_approval allowing({"open_door"}, {}, quiet());
    CHECK(allowing.settle({waiting(7)})->front().decision.what == kind::allow);
}

TEST_CASE("a person is asked until the answer is one, and the end of the input is a no") {
    int asked = 0;
    repl::call_approval approval({}, typing({"perhaps", "", "yes", "no"}, &asked), quiet());
    const auto rulings = approval.settle({waiting(1), waiting(2), waiting(3)});
    REQUIRE(rulings.has_value());
    CHECK(rulings->at(0).decision.what == kind::allow);
    CHECK(rulings->at(1).decision.what == kind::deny);
    CHECK(rulings->at(2).decision.what == kind::deny);
    CHECK(asked == 5);
}

TEST_CASE("always holds for this capability of this file, and for no other") {
    int asked = 0;
    repl::call_approval approval({}, typing({"always", "no"}, &asked), quiet());
    CHECK(approval.settle({waiting(1), waiting(2)})->at(1).decision.what == kind::allow);
    CHECK(asked == 1);
    CHECK(approval.decide(waiting(3).call).what == kind::allow);
    CHECK(approval.settle({waiting(4, "other.lua")})->at(0).decision.what == kind::deny);
    CHECK(asked == 2);
}

TEST_CASE("Ctrl-C at the question decides nothing") {
    repl::call_approval approval({}, [](const std::string&) { return repl::entry{.what = repl::entry::kind::interrupted}; }, quiet());
    CHECK_FALSE(approval.settle({waiting(1)}).has_value());
}

TEST_CASE("a name after --allow that does not exist is refused with the nearest one") {
    const std::vector<std::string> known = {"open_door", "get_repr"};
    CHECK_FALSE(repl::refuse_unknown({"open_door", "all"}, known).has_value());
    const auto slip = repl::refuse_unknown({"open_dor"}, known);
    REQUIRE(slip.has_value());
    CHECK(slip->find("open_dor; did you mean open_door?") != std::string::npos);
    CHECK(repl::refuse_unknown({"zzzzzzzz"}, known)->find("did you mean") == std::string::npos);
}
