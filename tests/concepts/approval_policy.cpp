#include <pyaichat/policy/approval_policy.hpp>

#include <pyaichat/policy/borrow.hpp>

namespace ai = pyaichat;

namespace {

// [archetype]
struct archetype {
    archetype(archetype&&) = default;
    archetype& operator=(archetype&&) = delete;
    std::vector<ai::call_decision> decide(std::span<const ai::proposed_call>);
};
static_assert(ai::approval_policy<archetype>);
// [/archetype]
static_assert(ai::approval_policy<ai::no_approval_policy>);
static_assert(ai::approval_policy<ai::any_approval_policy>);
static_assert(ai::approval_policy<ai::borrowed<archetype>>);
static_assert(std::is_constructible_v<ai::any_approval_policy, archetype>);

// A function that decides about one call is a policy too, where one is taken.
static_assert(ai::approval_policy<ai::approve_each<decltype(&ai::allow_all)>>);
static_assert(std::is_convertible_v<decltype(ai::ask_before_effects), ai::any_approval_policy>);

struct decides_about_one {
    ai::call_decision decide(const ai::proposed_call&);
};
static_assert(!ai::approval_policy<decides_about_one>);

struct returns_flags {
    std::vector<bool> decide(std::span<const ai::proposed_call>);
};
static_assert(!ai::approval_policy<returns_flags>);

struct wants_to_change_the_calls {
    std::vector<ai::call_decision> decide(std::span<ai::proposed_call>);
};
static_assert(!ai::approval_policy<wants_to_change_the_calls>);

struct cannot_be_moved {
    cannot_be_moved(cannot_be_moved&&) = delete;
    std::vector<ai::call_decision> decide(std::span<const ai::proposed_call>);
};
static_assert(!ai::approval_policy<cannot_be_moved> && ai::approval_policy<ai::borrowed<cannot_be_moved>>);

constexpr auto answers_yes_or_no = [](const ai::proposed_call&) { return true; };
template <class F>
concept decides_each = requires(F decide) { ai::approve_each{decide}; };
static_assert(decides_each<decltype(&ai::ask_before_effects)> && !decides_each<decltype(answers_yes_or_no)>);

}  // namespace
