#include <pyaichat/capability/combine.hpp>

#include <pyaichat/capability/adapt.hpp>
#include <pyaichat/capability/any_capabilities.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/message/capability_list.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

namespace combine_tests {

namespace {

template <class Source>
ai::capability_reply ask(Source& source, std::string name) {
    ai::capability_call call;
    call.name = std::move(name);
    std::optional<ai::capability_reply> reply;
    source.invoke(call, ai::capability_responder([&](ai::capability_reply came) { reply = std::move(came); }));
    REQUIRE(reply);
    return *reply;
}

}  // namespace

TEST_CASE("combined sources declare in their order, and a call goes to the one that declares it") {
    auto tools =
        ai::combine(ai::capability("a", "A.", [] { return 1; }), ai::no_capabilities{}, ai::capability("b", "B.", [] { return 2; }));
    REQUIRE(tools.specs()->size() == 2);
    CHECK(tools.specs().value()[1].name == "b");
    CHECK(ask(tools, "b").result == 2);
    CHECK(ask(tools, "gone").code == ai::reply_code::unknown_function);
}

TEST_CASE("combinations nest, take erased sources, and are erased in turn") {
    ai::any_capabilities open{ai::capability("c", "C.", [] { return 3; })};
    auto tools = ai::combine(ai::combine(ai::capability("a", "A.", [] { return 1; })), ai::borrow(open));
    REQUIRE(open.add(ai::capability("d", "D.", [] { return 4; })));
    CHECK(tools.specs()->size() == 3);
    ai::any_capabilities all{std::move(tools)};
    CHECK(ask(all, "d").result == 4);
}

TEST_CASE("two of one name are told with both owners, and a prefix mends it") {
    const auto door = [] { return ai::capability("door", "State of a door.", [] { return "open"; }); };
    const auto clash = ai::combine(door(), door());
    const auto declared = clash.specs();
    REQUIRE_FALSE(declared);
    CHECK(declared.error().code == ai::errc::name_clash);
    CHECK(declared.error().message.find("`door`") != std::string::npos);
    const auto fine = ai::combine(door(), door() | ai::prefix{"back_"});
    CHECK(fine.specs());
}

TEST_CASE("each source reviews its own calls") {
    auto tools =
        ai::combine(ai::capability("a", "A.", [] {}),
                    ai::capability("b", "B.", [] {}) | ai::approve{[](const ai::proposed_call&) { return ai::call_decision::ask(); }});
    std::vector<ai::proposed_call> batch(2);
    batch[0].name = "b";
    batch[1].name = "a";
    const auto decided = tools.review(batch);
    REQUIRE(decided.size() == 2);
    CHECK(decided[0].what == ai::call_decision::kind::ask);
    CHECK(decided[1].what == ai::call_decision::kind::abstain);
}

}  // namespace combine_tests
