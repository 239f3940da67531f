#include <pyaichat/policy/capability_source.hpp>

#include <pyaichat/capability/adapt.hpp>
#include <pyaichat/capability/any_capabilities.hpp>
#include <pyaichat/capability/combine.hpp>
#include <pyaichat/capability/deferred.hpp>
#include <pyaichat/capability/function.hpp>

#include <string>
#include <utility>

namespace ai = pyaichat;

namespace {

// [archetype]
struct archetype {
    archetype(archetype&&) = default;
    archetype& operator=(archetype&&) = delete;
    ai::result<ai::capability_list> specs() const;
    void invoke(const ai::capability_call&, ai::capability_responder);
};
static_assert(ai::capability_source<archetype>);
// [/archetype]
static_assert(ai::capability_source<ai::no_capabilities>);
static_assert(ai::capability_source<ai::any_capabilities>);
static_assert(ai::capability_source<ai::function_capability>);

// What is put together is a source again, and reviews if something in it does.
static_assert(ai::reviewing_source<ai::any_capabilities> && !ai::reviewing_source<ai::function_capability>);
static_assert(ai::reviewing_source<ai::combined<ai::any_capabilities, ai::function_capability, archetype>>);
static_assert(ai::capability_source<ai::adapted<archetype, ai::prefix>> && !ai::reviewing_source<ai::adapted<archetype, ai::prefix>>);
static_assert(ai::reviewing_source<ai::adapted<archetype, ai::approve>>);
static_assert(ai::reviewing_source<ai::adapted<ai::adapted<archetype, ai::approve>, ai::prefix>>);
static_assert(ai::capability_source<decltype(ai::deferred(std::declval<archetype>()))>);
static_assert(!ai::reviewing_source<decltype(ai::deferred(std::declval<archetype>()))>);
static_assert(ai::reviewing_source<decltype(ai::deferred(std::declval<ai::adapted<archetype, ai::approve>>()))>);
static_assert(ai::capability_source<ai::combined<>> && !ai::reviewing_source<ai::combined<>>);

// An adapter changes declarations or reviews calls.
template <class Adapter>
concept adapts = requires(ai::function_capability source, Adapter adapter) { std::move(source) | std::move(adapter); };
static_assert(adapts<ai::prefix> && adapts<ai::only> && adapts<ai::timeout> && adapts<ai::approve>);
static_assert(!adapts<std::string> && !adapts<int> && !adapts<ai::no_approval_policy>);

struct returns_the_list {
    const ai::capability_list& specs() const;
    void invoke(const ai::capability_call&, ai::capability_responder);
};
static_assert(!ai::capability_source<returns_the_list>);

struct specs_are_not_const {
    ai::result<ai::capability_list> specs();
    void invoke(const ai::capability_call&, ai::capability_responder);
};
static_assert(!ai::capability_source<specs_are_not_const>);

struct returns_the_reply {
    ai::result<ai::capability_list> specs() const;
    ai::capability_reply invoke(const ai::capability_call&, ai::capability_responder);
};
static_assert(!ai::capability_source<returns_the_reply>);

struct cannot_be_moved {
    cannot_be_moved(cannot_be_moved&&) = delete;
    ai::result<ai::capability_list> specs() const;
    void invoke(const ai::capability_call&, ai::capability_responder);
};
static_assert(!ai::capability_source<cannot_be_moved>);

}  // namespace
