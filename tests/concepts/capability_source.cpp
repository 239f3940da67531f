#include <pyaichat/policy/capability_source.hpp>

#include <pyaichat/capability/adapt.hpp>
#include <pyaichat/capability/any_capabilities.hpp>
#include <pyaichat/capability/combine.hpp>
#include <pyaichat/capability/deferred.hpp>
#include <pyaichat/capability/function.hpp>

#include <vector>

namespace ai = pyaichat;

namespace {

// [archetype]
struct archetype {
    archetype(archetype&&) = default;
    archetype& operator=(archetype&&) = delete;
    std::span<const ai::capability_spec> specs() const;
    void invoke(const ai::capability_call&, ai::capability_responder);
};
static_assert(ai::capability_source<archetype>);
// [/archetype]
static_assert(ai::capability_source<ai::no_capabilities>);
static_assert(ai::capability_source<ai::any_capabilities>);
static_assert(ai::capability_source<ai::function_capability>);

// What is put together is a source again, and reviews.
static_assert(ai::reviewing_source<ai::any_capabilities> && !ai::reviewing_source<ai::function_capability>);
static_assert(ai::reviewing_source<ai::combined<ai::any_capabilities, ai::function_capability, archetype>>);
static_assert(ai::reviewing_source<ai::adapted<archetype, ai::prefix>> && ai::reviewing_source<ai::adapted<archetype, ai::approve>>);
static_assert(ai::reviewing_source<decltype(ai::deferred(std::declval<archetype>()))>);
static_assert(ai::reviewing_source<ai::combined<>>);

// An adapter changes declarations or reviews calls.
template <class Adapter>
concept adapts = requires(ai::function_capability source, Adapter adapter) { std::move(source) | std::move(adapter); };
static_assert(adapts<ai::prefix> && adapts<ai::only> && adapts<ai::timeout> && adapts<ai::approve>);
static_assert(!adapts<std::string> && !adapts<int> && !adapts<ai::no_approval_policy>);

struct returns_a_copy {
    std::vector<ai::capability_spec> specs() const;
    void invoke(const ai::capability_call&, ai::capability_responder);
};
static_assert(!ai::capability_source<returns_a_copy>);

struct specs_are_not_const {
    std::span<const ai::capability_spec> specs();
    void invoke(const ai::capability_call&, ai::capability_responder);
};
static_assert(!ai::capability_source<specs_are_not_const>);

struct returns_the_reply {
    std::span<const ai::capability_spec> specs() const;
    ai::capability_reply invoke(const ai::capability_call&, ai::capability_responder);
};
static_assert(!ai::capability_source<returns_the_reply>);

struct cannot_be_moved {
    cannot_be_moved(cannot_be_moved&&) = delete;
    std::span<const ai::capability_spec> specs() const;
    void invoke(const ai::capability_call&, ai::capability_responder);
};
static_assert(!ai::capability_source<cannot_be_moved>);

}  // namespace
