#pragma once
#include <pyaichat/capability/arg.hpp>
#include <pyaichat/capability/detail/bound_member.hpp>
#include <pyaichat/capability/detail/typed_call.hpp>
#include <pyaichat/policy/capability_source.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// A source with one capability, as `capability` returns it. Satisfies `capability_source`.
class function_capability {
public:
    using body = unique_function<void(const capability_call&, capability_responder)>;

    /// `run` is called on the pumping thread for each call. If the declaration is invalid, `specs` fails as `declare` does.
    function_capability(capability_spec spec, body run) : declared_(declare({std::move(spec)})), run_(std::move(run)) {}
    /// A capability that cannot be declared: `specs` fails with this.
    explicit function_capability(failure why) : declared_(std::move(why)) {}

    [[nodiscard]] result<capability_list> specs() const { return declared_; }
    void invoke(const capability_call& call, capability_responder responder) { run_(call, std::move(responder)); }

    /// Sets the effects. The default is `once`.
    [[nodiscard]] function_capability with(pyaichat::effects value) && {
        return std::move(*this).changed([value](capability_spec& spec) { spec.effects = value; });
    }

    /// Sets the timeout of each call, instead of `limits::call_timeout`.
    [[nodiscard]] function_capability with_timeout(duration value) && {
        return std::move(*this).changed([value](capability_spec& spec) { spec.timeout = value; });
    }

private:
    template <class Change>
    [[nodiscard]] function_capability changed(Change change) && {
        if (declared_) {
            declared_ = derive({&*declared_, 1}, [&](capability_spec& spec) {
                change(spec);
                return true;
            });
        }
        return std::move(*this);
    }

    result<capability_list> declared_;
    body run_;
};

namespace detail {

/// Makes the capability `invoke` of a signature: `invoke(typed, call, responder)` calls `typed.run` with what is to be called.
template <class Signature, class Invoke, std::size_t Args>
[[nodiscard]] function_capability make_capability(std::string name, std::string description, Invoke invoke, std::array<arg, Args> args) {
    typed_call<Signature, Args> typed(std::move(args));
    result<json> schema = typed.make_schema(name);
    if (!schema) {
        return function_capability(std::move(schema).error());
    }
    capability_spec spec;
    spec.name = std::move(name);
    spec.description = std::move(description);
    spec.parameters = std::move(*schema);
    spec.origin = "C++";
    return {std::move(spec), [typed = std::move(typed), invoke = std::move(invoke)](
                                 const capability_call& call, capability_responder responder) mutable { invoke(typed, call, responder); }};
}

/// Returns whether what follows the callable is one `arg` for each parameter, and whether `F` can be called with the parameters. If not,
/// one assertion says what to do.
template <class Signature, class F, class... Args>
constexpr bool check_args() {
    constexpr bool are_args = (std::same_as<Args, arg> && ...);
    static_assert(
        are_args,
        "after the function come pyaichat::arg{\"name\", \"description\"}, one for each parameter; with(effects) sets the effects");
    using parameters = parameter_list<typename Signature::parameters>;
    constexpr bool callable = takes_parameters<F, typename Signature::result_type>(static_cast<typename Signature::parameters*>(nullptr),
                                                                                   static_cast<typename parameters::named*>(nullptr));
    constexpr std::size_t count = std::tuple_size_v<typename parameters::named>;
    constexpr bool one_too_many = (parameters::asynchronous || parameters::takes_call) && sizeof...(Args) == count + 1;
    static_assert(!callable || !one_too_many,
                  "a pyaichat::capability_responder or pyaichat::capability_call does not come from the model: it has no pyaichat::arg");
    constexpr bool counted = count == sizeof...(Args) || takes_fields<typename parameters::named, sizeof...(Args)>;
    static_assert(!callable || one_too_many || counted,
                  "give one pyaichat::arg{\"name\", \"description\"} for each parameter of the callable, or let it take one struct without "
                  "bases, constructors and private members, whose fields are then the arguments");
    return are_args && callable && counted;
}

template <class Signature, class F, class... Args>
[[nodiscard]] function_capability make_callable_capability(std::string name, std::string description, F callable, Args... args) {
    if constexpr (check_args<Signature, F, Args...>()) {
        auto invoke = [callable = std::move(callable)](const auto& typed, const capability_call& call,
                                                       capability_responder& responder) mutable { typed.run(callable, call, responder); };
        return make_capability<Signature>(std::move(name), std::move(description), std::move(invoke),
                                          std::array<arg, sizeof...(Args)>{std::move(args)...});
    } else {
        return function_capability(failure());
    }
}

/// A pointer to a member, followed by the object to call it with.
template <class F, class... Args>
inline constexpr bool has_object = false;
template <class F, class Object, class... Args>
inline constexpr bool has_object<F, Object, Args...> = std::is_member_pointer_v<F> && !std::same_as<std::remove_cvref_t<Object>, arg>;

template <class Signature, class Member, class Object, class... Args>
[[nodiscard]] function_capability make_member_capability(std::string name, std::string description, Member member, Object&& object,
                                                         Args... args) {
    using holder = decltype(hold<member_class<Member>>(std::forward<Object>(object)));
    using target = target_of<holder>;
    using bound = bound_member<Member, target>;
    constexpr bool is_object = !std::is_void_v<target>;
    constexpr bool may_change = std::is_member_object_pointer_v<Member> || takes_const<Member> || !std::is_const_v<target>;
    static_assert(is_object,
                  "after a member function comes an object of its class that lives longer, std::ref of one, or a pointer to one, which "
                  "may be a std::shared_ptr or a std::weak_ptr");
    static_assert(!is_object || may_change,
                  "a member function that may change its object is not called with a const one: give the object itself, or make the "
                  "function const");
    if constexpr (is_object && may_change) {
        if constexpr (check_args<Signature, bound, Args...>()) {
            holder held = hold<member_class<Member>>(std::forward<Object>(object));
            if (held.lock() == nullptr) {
                return function_capability(failure{.code = errc::invalid_argument,
                                                   .message = "the object of `" + name + "` is a null pointer",
                                                   .hint = "Give the capability the object that it is called with."});
            }
            auto invoke = [member, held = std::move(held)](const auto& typed, const capability_call& call,
                                                           capability_responder& responder) mutable {
                if (const auto alive = held.lock(); alive != nullptr) {
                    bound callable{member, &*alive};
                    typed.run(callable, call, responder);
                } else {
                    responder(object_is_gone(call.name));
                }
            };
            function_capability made = make_capability<Signature>(std::move(name), std::move(description), std::move(invoke),
                                                                  std::array<arg, sizeof...(Args)>{std::move(args)...});
            return std::is_member_object_pointer_v<Member> ? std::move(made).with(effects::read) : std::move(made);
        }
    }
    return function_capability(failure());
}

}  // namespace detail

/// Makes a capability from a callable, which runs on the pumping thread. Give one `arg` per parameter. Or give no `arg` and let the
/// callable take one plain struct: then its fields are the arguments, described by `about`.
///
/// A parameter of type `std::optional`, or with a default value in its `arg`, need not be given by the model. The return value is encoded
/// as JSON (`void` as null); a `failure`, also in a `result<T>`, becomes an error reply with its hint. A `capability_reply` is the reply
/// itself, and an `image` a reply with a picture. If the first parameter is a `capability_responder`, the callable replies through it, now
/// or later. Before it, the callable may take a `const capability_call&`.
template <class F, class... Args>
    requires(!std::is_function_v<F> && !detail::has_object<F, Args...>)
[[nodiscard]] function_capability capability(std::string name, std::string description, F callable, Args... args) {
    static_assert(!std::is_member_pointer_v<F>,
                  "after a member function comes the object to call it with: "
                  "pyaichat::capability(\"heal\", \"Restore health.\", &player::heal, player)");
    static_assert(std::is_member_pointer_v<F> || detail::has_signature<F>,
                  "a capability is a lambda, a function or an object with one operator() that is not a template: its parameters are the "
                  "arguments; for others write the type, as in pyaichat::capability<double(double)>(...)");
    if constexpr (!std::is_member_pointer_v<F> && detail::has_signature<F>) {
        return detail::make_callable_capability<detail::signature<F>>(std::move(name), std::move(description), std::move(callable),
                                                                      std::move(args)...);
    } else {
        return function_capability(failure());
    }
}

/// Makes a capability from a member function and the object to call it with: `capability("heal", "...", &player::heal, player)`. The object
/// outlives the capability; or give a `std::shared_ptr`, which keeps it alive, or a `std::weak_ptr`: after its end, calls get an error. An
/// object that is passed with `std::move` belongs to the capability. A data member is read: `capability("health", "...", &player::health,
/// player)` has the effects `read`.
template <class Member, class Object, class... Args>
    requires(detail::has_object<Member, Object>)
[[nodiscard]] function_capability capability(std::string name, std::string description, Member member, Object&& object, Args... args) {
    return detail::make_member_capability<detail::signature<Member>>(std::move(name), std::move(description), member,
                                                                     std::forward<Object>(object), std::move(args)...);
}

/// Makes a capability from a callable of the type `Signature`: for what can be called in several ways, such as overloads, generic lambdas
/// and what `std::bind_front` returns: `capability<double(double)>("heal", "...", std::bind_front(&player::heal, &player), arg{"points"})`.
template <class Signature, class F, class... Args>
    requires(std::is_function_v<Signature> && !std::is_member_pointer_v<F> && (std::is_class_v<F> || !std::convertible_to<F, Signature*>))
[[nodiscard]] function_capability capability(std::string name, std::string description, F callable, Args... args) {
    return detail::make_callable_capability<detail::signature<Signature*>>(std::move(name), std::move(description), std::move(callable),
                                                                           std::move(args)...);
}
template <class Signature, class... Args>
    requires(std::is_function_v<Signature>)
[[nodiscard]] function_capability capability(std::string name, std::string description, std::type_identity_t<Signature>* function,
                                             Args... args) {
    return detail::make_callable_capability<detail::signature<Signature*>>(std::move(name), std::move(description), function,
                                                                           std::move(args)...);
}
/// The same for an overloaded member function: `capability<double(double) const>("armor", "...", &player::armor, player, arg{"angle"})`.
template <class Signature, class Class, class Object, class... Args>
    requires(std::is_function_v<Signature>)
[[nodiscard]] function_capability capability(std::string name, std::string description, Signature Class::* member, Object&& object,
                                             Args... args) {
    return detail::make_member_capability<detail::signature<Signature Class::*>>(std::move(name), std::move(description), member,
                                                                                 std::forward<Object>(object), std::move(args)...);
}

template <class Name, class F, class... Args>
    requires(!std::is_function_v<Name> && !std::convertible_to<F, std::string>)
function_capability capability(Name, F, Args...) {
    static_assert(std::convertible_to<F, std::string>, "write pyaichat::capability(\"name\", \"description\", function, ...)");
    return function_capability(failure());
}

}  // namespace pyaichat::inline PYAICHAT_ABI
