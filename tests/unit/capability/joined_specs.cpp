#include <pyaichat/capability/detail/joined_specs.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

namespace {
std::vector<ai::capability_spec> named(std::initializer_list<const char*> names) {
    std::vector<ai::capability_spec> specs;
    for (const char* one : names) {
        specs.push_back({.name = one, .description = "A test."});
    }
    return specs;
}
}  // namespace

TEST_CASE("declarations are joined in order, and follow their sources") {
    ai::detail::joined_specs joined;
    const auto join = [&](std::initializer_list<std::vector<ai::capability_spec>> sources) {
        joined.begin();
        for (const auto& one : sources) {
            joined.add(one);
        }
        std::string names;
        for (const ai::capability_spec& one : joined.finish()) {
            names += one.name;
        }
        return names;
    };
    CHECK(join({named({"a", "b"}), named({"c"})}) == "abc");
    CHECK(join({named({"a"}), named({"c", "d"})}) == "acd");
    CHECK(join({named({}), named({"d"})}) == "d");
    CHECK(join({}).empty());
}

TEST_CASE("declarations that have not changed stay where they are") {
    ai::detail::joined_specs joined;
    const auto both = named({"a", "b"});
    joined.begin();
    joined.add(both);
    const ai::capability_spec* first = joined.finish().data();
    joined.begin();
    joined.add(both);
    CHECK(joined.finish().data() == first);
}

TEST_CASE("a source that says that it has not changed is not looked at, wherever it stands") {
    ai::detail::joined_specs joined;
    const auto fixed = named({"f", "g"});
    const auto join = [&](const std::vector<ai::capability_spec>& before, const std::vector<ai::capability_spec>& said,
                          std::uint64_t revision) {
        joined.begin();
        joined.add(before);
        joined.add(said, revision);
        std::string names;
        for (const ai::capability_spec& one : joined.finish()) {
            names += one.name;
        }
        return names;
    };
    CHECK(join(named({"a"}), fixed, 7) == "afg");
    const std::uint64_t first = joined.specs_revision();
    CHECK(join(named({"a"}), named({"x", "y"}), 7) == "afg");  // it said so
    CHECK(joined.specs_revision() == first);
    CHECK(join(named({"b"}), fixed, 7) == "bfg");
    CHECK(join(named({"b", "c"}), fixed, 7) == "bcfg");
    CHECK(join(named({}), fixed, 7) == "fg");
    CHECK(join(named({}), named({"x"}), 8) == "x");
    CHECK(join(named({}), named({"y"}), 0) == "y");
    CHECK(join(named({}), named({"z"}), 0) == "z");
    CHECK(joined.specs_revision() > first);

    ai::detail::joined_specs other;
    other.begin();
    other.add(named({"z"}));
    CHECK(other.finish().size() == 1);
    CHECK(other.specs_revision() != joined.specs_revision());
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
