#include <pyaichat/policy/detail/policy_wrapper.hpp>

#include <pyaichat/capability/adapt.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/policy/borrow.hpp>
#include <pyaichat/policy/run_clock.hpp>
#include <pyaichat/provider/any_provider.hpp>
#include <pyaichat/runtime/steady_clock.hpp>

#include "catch.hpp"

#include <memory>

namespace ai = pyaichat;

namespace {

/// What a double does: it hides one member and leaves the others to the base.
template <class S>
struct counting : ai::detail::policy_wrapper<S> {
    using ai::detail::policy_wrapper<S>::policy_wrapper;
    void invoke(const ai::capability_call& call, ai::capability_responder responder) {
        ++calls;
        this->target().invoke(call, std::move(responder));
    }
    int calls = 0;
};

struct unmoved {
    unmoved() = default;
    unmoved(unmoved&&) = delete;
    void submit(std::unique_ptr<int> work) { kept = std::move(work); }
    std::unique_ptr<int> kept = {};
};

}  // namespace

TEST_CASE("a wrapper has the members that its policy has, optional ones included") {
    const auto deny = ai::approve{[](const ai::proposed_call&) { return ai::call_decision::deny("no"); }};
    auto source = ai::capability("f", "F.", [] { return 4; }) | deny;
    counting<decltype(source)> wrapped(std::move(source));
    STATIC_REQUIRE(ai::reviewing_source<decltype(wrapped)>);
    STATIC_REQUIRE_FALSE(ai::reviewing_source<counting<ai::function_capability>>);
    STATIC_REQUIRE_FALSE(ai::any_model_provider<decltype(wrapped)>);
    const std::vector<ai::proposed_call> batch{{.name = "f"}};
    CHECK(wrapped.review(batch).at(0).what == ai::call_decision::kind::deny);
    CHECK(wrapped.specs()->size() == 1);

    ai::json result;
    wrapped.invoke({}, ai::capability_responder([&](ai::capability_reply reply) { result = reply.result; }));
    CHECK(result == 4);
    CHECK(wrapped.calls == 1);
}

TEST_CASE("a wrapper passes on what a policy says about itself") {
    ai::no_provider mine;
    using wrapped = ai::detail::policy_wrapper<ai::any_provider>;
    CHECK(ai::is_lent(wrapped(ai::any_provider(ai::borrow(mine)))));
    CHECK_FALSE(ai::is_lent(wrapped(ai::any_provider(mine))));
    CHECK_FALSE(ai::is_async(wrapped(ai::any_provider(mine))));
    STATIC_REQUIRE(ai::is_real_time<ai::detail::policy_wrapper<ai::steady_clock>>);
    STATIC_REQUIRE(std::same_as<ai::detail::unwrapped_t<wrapped>, ai::any_provider>);
}

TEST_CASE("what cannot be copied goes through to a policy that cannot be moved") {
    unmoved policy;
    ai::detail::policy_wrapper<unmoved, unmoved*> wrapped(&policy);
    wrapped.submit(std::make_unique<int>(7));
    REQUIRE(policy.kept);
    CHECK(*policy.kept == 7);
}
