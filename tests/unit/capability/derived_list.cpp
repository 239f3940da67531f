#include <pyaichat/capability/detail/derived_list.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

namespace {

ai::capability_list named(std::initializer_list<const char*> names) {
    std::vector<ai::capability_spec> specs;
    for (const char* one : names) {
        specs.push_back({.name = one, .description = "A test."});
    }
    return ai::declare(specs).value();
}

std::string names_of(const ai::capability_list& list) {
    std::string names;
    for (const ai::capability_spec& one : list) {
        names += one.name;
    }
    return names;
}

}  // namespace

TEST_CASE("declarations are joined in order, and follow their sources") {
    ai::detail::derived_list joined;
    const auto join = [&](std::vector<ai::result<ai::capability_list>> sources) {
        const ai::capability_list list = joined.update(std::move(sources)).value();
        return names_of(list);
    };
    CHECK(join({named({"a", "b"}), named({"c"})}) == "abc");
    CHECK(join({named({"a"}), named({"c", "d"})}) == "acd");
    CHECK(join({named({}), named({"d"})}) == "d");
    CHECK(join({}).empty());
}

TEST_CASE("a derived list is the same object while what it is derived from is") {
    ai::detail::derived_list joined;
    const ai::capability_list first = named({"a", "b"});
    const ai::capability_list second = named({"c"});
    const ai::capability_list both = joined.update({first, second}).value();
    CHECK(joined.update({first, second}).value() == both);
    CHECK_FALSE(joined.update({named({"a", "b"}), second}).value() == both);
    CHECK(joined.update({first, ai::failure{.message = "gone"}}).error().message == "gone");
    CHECK(joined.update({first, named({"b"})}).error().code == ai::errc::name_clash);
    CHECK(joined.update({first}).value().size() == 2);
}

TEST_CASE("it knows whose each name was when the sources were last asked") {
    ai::detail::derived_list joined;
    CHECK_FALSE(joined.known());
    CHECK(joined.update({named({"a"}), named({"b", "c"})}));
    CHECK(joined.known());
    CHECK(joined.owner_of("c") == std::size_t{1});
    CHECK_FALSE(joined.owner_of("d").has_value());
    CHECK_FALSE(joined.update({named({"d"}), ai::failure{}}));
    CHECK(joined.owner_of("a") == std::size_t{0});
    CHECK(names_of(joined.part(1)) == "bc");
}

TEST_CASE("a batch is reviewed in parts, and what a source leaves out is denied") {
    std::vector<ai::proposed_call> batch(3);
    batch[0].name = "b";
    batch[1].name = "a";
    batch[2].name = "c";
    ai::detail::joined_review review(batch);
    std::vector<std::string> seen;
    review.ask(named({"a", "b"}), [&](std::span<const ai::proposed_call> own) {
        for (const ai::proposed_call& one : own) {
            seen.push_back(one.name);
        }
        return std::vector<ai::call_decision>{ai::call_decision::allow()};
    });
    review.ask(named({"x"}), [&](std::span<const ai::proposed_call>) {
        seen.emplace_back("asked about nothing of its own");
        return std::vector<ai::call_decision>{};
    });
    const std::vector<ai::call_decision> decided = std::move(review).decisions();
    CHECK(seen == std::vector<std::string>{"b", "a"});
    REQUIRE(decided.size() == 3);
    CHECK(decided[0].what == ai::call_decision::kind::allow);
    CHECK(decided[1].what == ai::call_decision::kind::deny);
    CHECK(decided[2].what == ai::call_decision::kind::abstain);
}
