#pragma once
#include <pyaichat/config/config.hpp>

#include <tuple>
#include <type_traits>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The parameters (decayed) and the result of anything that can be called in exactly one way. A member function has those of its call with
/// an object.
template <class F>
struct signature {};  // none: no function, or one of several

template <class F>
    requires requires { &F::operator(); }
struct signature<F> : signature<decltype(&F::operator())> {};

template <class R, class... A>
struct signature<R (*)(A...)> {
    using result_type = R;
    using parameters = std::tuple<std::remove_cvref_t<A>...>;
};
template <class R, class... A>
struct signature<R (*)(A...) noexcept> : signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...)> : signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...) const> : signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...)&> : signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...) const&> : signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...) noexcept> : signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...) const noexcept> : signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...) & noexcept> : signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct signature<R (C::*)(A...) const & noexcept> : signature<R (*)(A...)> {};
/// A data member is read: no parameters, and a copy of the member as the result.
template <class C, class T>
    requires(!std::is_function_v<T>)
struct signature<T C::*> : signature<T (*)()> {};

template <class F>
concept has_signature = requires { typename signature<std::decay_t<F>>::parameters; };

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
