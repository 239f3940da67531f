#pragma once
#include <pyaichat/message/capability_reply.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

template <class Member>
struct class_of;
template <class T, class Class>
struct class_of<T Class::*> {
    using type = Class;
};
/// The class of a pointer to a member.
template <class Member>
using member_class = typename class_of<Member>::type;

/// Whether a member function may be called with a const object.
template <class Member>
inline constexpr bool takes_const = false;
template <class C, class R, class... A>
inline constexpr bool takes_const<R (C::*)(A...) const> = true;
template <class C, class R, class... A>
inline constexpr bool takes_const<R (C::*)(A...) const&> = true;
template <class C, class R, class... A>
inline constexpr bool takes_const<R (C::*)(A...) const noexcept> = true;
template <class C, class R, class... A>
inline constexpr bool takes_const<R (C::*)(A...) const & noexcept> = true;

/// A member of an object, as a callable.
template <class Member, class Target>
struct bound_member {
    Member member;
    Target* object;

    template <class... P>
        requires(std::invocable<const Member&, Target*, P...>)
    decltype(auto) operator()(P&&... parameters) const {
        return std::invoke(member, object, std::forward<P>(parameters)...);
    }
};

template <class T, class Class>
concept is_a = std::derived_from<std::remove_cv_t<T>, Class>;
template <class T, class Class>
concept points_to_a = requires(const T& pointer) {
    { *pointer };
    requires is_a<std::remove_reference_t<decltype(*pointer)>, Class>;
};

template <class T>
struct is_reference_wrapper : std::false_type {};
template <class T>
struct is_reference_wrapper<std::reference_wrapper<T>> : std::true_type {};

// What the object of a member function was given as. `lock` returns a pointer to the object, which keeps it alive for a call if it can, or
// a null pointer.

template <class T>
struct held_value {
    T value;
    [[nodiscard]] T* lock() noexcept { return &value; }
};
template <class Pointer>
struct held_pointer {
    Pointer pointer;
    [[nodiscard]] auto lock() const noexcept { return pointer ? &*pointer : nullptr; }
};
template <class Pointer>
struct held_weakly {
    Pointer pointer;
    [[nodiscard]] auto lock() const noexcept { return pointer.lock(); }
};
struct held_nothing {};

/// Holds an object of `Class`, or a pointer to one. Returns `held_nothing` for others.
template <class Class, class Object>
[[nodiscard]] auto hold(Object&& object) {
    using type = std::remove_cvref_t<Object>;
    if constexpr (is_reference_wrapper<type>::value) {
        return hold<Class>(object.get());
    } else if constexpr (is_a<type, Class> && std::is_lvalue_reference_v<Object>) {
        return held_pointer<std::remove_reference_t<Object>*>{&object};
    } else if constexpr (is_a<type, Class>) {
        return held_value<type>{std::forward<Object>(object)};
    } else if constexpr (points_to_a<type, Class>) {
        return held_pointer<type>{std::forward<Object>(object)};
    } else if constexpr (requires { requires points_to_a<decltype(object.lock()), Class>; }) {
        return held_weakly<type>{std::forward<Object>(object)};
    } else {
        return held_nothing();
    }
}

template <class Holder>
struct target_type {
    using type = std::remove_reference_t<decltype(*std::declval<Holder&>().lock())>;
};
template <>
struct target_type<held_nothing> {
    using type = void;
};
/// The type of the object that is held; void for `held_nothing`.
template <class Holder>
using target_of = typename target_type<Holder>::type;

/// Returns the reply to a call whose object no longer exists.
[[nodiscard]] capability_reply object_is_gone(std::string_view name);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
