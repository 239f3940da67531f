#pragma once
#include <pyaichat/core/json.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The base of types that wrap a policy `T`. It has each member of the policy concepts, required or optional, that `T` has, and forwards
/// the call. A derived type hides the members that it changes. A new member of a concept is added here only.
///
/// `Held` is `T`, or `T*` for a policy that is borrowed.
template <class T, class Held = T>
class policy_wrapper {
public:
    using wrapped_policy = T;

    // A template, so that no conversion to `Held` is tried: a type-erasing constructor would ask whether this class satisfies its concept.
    template <std::same_as<Held> H>
    explicit policy_wrapper(H held) : held_(std::move(held)) {}

#define PYAICHAT_FORWARD(name)                                                                    \
    template <class... Args, class P = T>                                                         \
    auto name(Args&&... args) -> decltype(std::declval<P&>().name(std::forward<Args>(args)...)) { \
        return target().name(std::forward<Args>(args)...);                                        \
    }
#define PYAICHAT_FORWARD_CONST(name)                                                                                     \
    template <class P = T>                                                                                               \
    auto name() const noexcept(noexcept(std::declval<const P&>().name())) -> decltype(std::declval<const P&>().name()) { \
        return std::as_const(target()).name();                                                                           \
    }
    // model_provider, async_model_provider
    PYAICHAT_FORWARD(complete)
    PYAICHAT_FORWARD(start)
    PYAICHAT_FORWARD_CONST(is_async)
    PYAICHAT_FORWARD_CONST(lent)
    PYAICHAT_FORWARD_CONST(tells_cost)
    template <class P = T>
    auto takes_answer_schema(const json& schema) const -> decltype(std::declval<const P&>().takes_answer_schema(schema)) {
        return std::as_const(target()).takes_answer_schema(schema);
    }
    // capability_source
    PYAICHAT_FORWARD_CONST(specs)
    PYAICHAT_FORWARD(invoke)
    PYAICHAT_FORWARD(review)
    // approval_policy, run_journal, task_executor, run_clock
    PYAICHAT_FORWARD(decide)
    PYAICHAT_FORWARD(append)
    PYAICHAT_FORWARD(claim)
    PYAICHAT_FORWARD(submit)
    PYAICHAT_FORWARD_CONST(check)
    PYAICHAT_FORWARD_CONST(now)
    // run_hooks
    PYAICHAT_FORWARD(on_question)
    PYAICHAT_FORWARD(before_model)
    PYAICHAT_FORWARD(before_call)
    PYAICHAT_FORWARD(after_call)
    PYAICHAT_FORWARD(on_answer)
    PYAICHAT_FORWARD(on_event)
    // http_transport, async_http_transport
    PYAICHAT_FORWARD_CONST(loop)
    PYAICHAT_FORWARD(send)
    PYAICHAT_FORWARD(stream)
#undef PYAICHAT_FORWARD
#undef PYAICHAT_FORWARD_CONST

    static constexpr bool real_time = requires { requires static_cast<bool>(T::real_time); };

protected:
    [[nodiscard]] T& target() const noexcept
        requires std::is_pointer_v<Held>
    {
        return *held_;
    }
    [[nodiscard]] T& target() noexcept
        requires(!std::is_pointer_v<Held>)
    {
        return held_;
    }
    [[nodiscard]] const T& target() const noexcept
        requires(!std::is_pointer_v<Held>)
    {
        return held_;
    }

private:
    Held held_;
};

/// Returns true. Does not compile if a type-erasing wrapper would have to copy an object that can only be moved.
template <class T>
constexpr bool can_store() noexcept {
    static_assert(std::constructible_from<std::remove_cvref_t<T>, T>,
                  "this object cannot be copied: pass std::move(object), or keep it and pass pyaichat::borrow(object)");
    return true;
}

/// The policy inside of all wrappers. Compile-time messages about a wrong signature refer to its members.
template <class T>
struct unwrapped {
    using type = T;
};
template <class T>
    requires requires { typename T::wrapped_policy; }
struct unwrapped<T> : unwrapped<typename T::wrapped_policy> {};
template <class T>
using unwrapped_t = typename unwrapped<T>::type;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
