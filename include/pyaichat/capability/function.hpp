#pragma once
#include <pyaichat/capability/arg.hpp>
#include <pyaichat/policy/capability_source.hpp>
#include <pyaichat/schema/decode.hpp>
#include <pyaichat/schema/detail/signature.hpp>
#include <pyaichat/schema/encode.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
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

template <class Parameters>
struct parameter_list;

/// Parameters of a synchronous capability.
template <class... P>
struct parameter_list<std::tuple<P...>> {
    static constexpr bool asynchronous = false;
    static constexpr bool takes_call = false;
    using named = std::tuple<P...>;
};
/// The first parameter takes the reply: the capability is asynchronous.
template <class... P>
struct parameter_list<std::tuple<capability_responder, P...>> {
    static constexpr bool asynchronous = true;
    static constexpr bool takes_call = false;
    using named = std::tuple<P...>;
};
/// The first parameter is the call.
template <class... P>
struct parameter_list<std::tuple<capability_call, P...>> : parameter_list<std::tuple<P...>> {
    static constexpr bool takes_call = true;
};

/// Whether the arguments are the fields of the only parameter.
template <class Named, std::size_t Args>
inline constexpr bool takes_fields = false;
template <class P>
inline constexpr bool takes_fields<std::tuple<P>, 0> = plain_struct<P>;

template <class Named, std::size_t Args, std::size_t... I>
[[nodiscard]] json parameters_schema(const std::array<arg, Args>& args, std::index_sequence<I...>) {
    if constexpr (takes_fields<Named, Args>) {
        return schema_of<std::tuple_element_t<0, Named>>();
    } else {
        json schema;
        (add_property(schema, {.field = args[I].name, .text = args[I].description}, schema_of<std::tuple_element_t<I, Named>>(),
                      !is_optional<std::tuple_element_t<I, Named>>::value),
         ...);
        return schema;
    }
}

template <class Named, std::size_t Args, std::size_t... I>
[[nodiscard]] bool decode_arguments(const json& arguments, const std::array<arg, Args>& args, Named& values, schema_error& error,
                                    std::index_sequence<I...>) {
    if constexpr (takes_fields<Named, Args>) {
        return decode(arguments, std::get<0>(values), error);
    } else {
        member_reader<field_form> members{arguments, error};
        (members(args[I].name, std::get<I>(values), args[I].description), ...);
        return members.fits;
    }
}

template <class F, class Named, std::size_t Args, std::size_t... I>
void invoke_typed(F& callable, const std::array<arg, Args>& args, const capability_call& call, capability_responder& responder,
                  std::index_sequence<I...> indices) {
    Named values{};
    schema_error error;
    if (!decode_arguments(call.arguments, args, values, error, indices)) {
        responder(reply_invalid_args({&error, 1}));
        return;
    }
    using call_signature = signature<std::decay_t<F>>;
    using result_type = std::remove_cvref_t<typename call_signature::result_type>;
    using parameters = parameter_list<typename call_signature::parameters>;
    const auto run = [&]<class... First>(First&&... first) -> decltype(auto) {
        if constexpr (parameters::takes_call) {
            return callable(call, std::forward<First>(first)..., std::move(std::get<I>(values))...);
        } else {
            return callable(std::forward<First>(first)..., std::move(std::get<I>(values))...);
        }
    };
    if constexpr (parameters::asynchronous) {
        run(std::move(responder));
    } else if constexpr (std::same_as<result_type, capability_reply> || std::same_as<result_type, failure>) {
        responder(run());
    } else if constexpr (std::is_void_v<result_type>) {
        run();
        responder(reply_with(nullptr));
    } else {
        responder(encode(run()));
    }
}

/// Returns true. Does not compile if a callable with these parameters cannot be called, or could not reply.
template <class F, class... P, class... Named>
constexpr bool takes_parameters(std::tuple<P...>*, std::tuple<Named...>*) noexcept {
    constexpr bool asynchronous = parameter_list<std::tuple<P...>>::asynchronous;
    static_assert(!((std::same_as<Named, capability_responder> || std::same_as<Named, capability_call>) || ...),
                  "the pyaichat::capability_responder is the first parameter, or the second after a const pyaichat::capability_call&");
    static_assert(std::invocable<F&, P...> && !(asynchronous && std::invocable<F&, const capability_responder&, Named...>),
                  "a capability takes its parameters by value or as const references, and a pyaichat::capability_responder by value");
    static_assert(!asynchronous || std::is_void_v<typename signature<F>::result_type>,
                  "a capability with a pyaichat::capability_responder replies through it and returns void");
    return true;
}

}  // namespace detail

/// Makes a capability from a callable, which runs on the pumping thread. Give one `arg` per parameter. Or give no `arg` and let the
/// callable take one plain struct: then its fields are the arguments, described by `about`.
///
/// A parameter of type `std::optional` need not be given by the model. The return value is encoded as JSON (`void` as null); a `failure`,
/// also in a `result<T>`, becomes an error reply with its hint. A `capability_reply` is the reply itself. If the first parameter is a
/// `capability_responder`, the callable replies through it, now or later. Before it, the callable may take a `const capability_call&`.
template <class F, class... Args>
[[nodiscard]] function_capability capability(std::string name, std::string description, F callable, Args... args) {
    static_assert(
        detail::has_signature<F> && !std::is_member_pointer_v<F>,
        "a capability is a lambda, a function or an object with one operator() that is not a template: its parameters are the arguments");
    static_assert(
        (std::same_as<Args, arg> && ...),
        "after the function come pyaichat::arg{\"name\", \"description\"}, one for each parameter; with(effects) sets the effects");
    using parameters = detail::parameter_list<typename detail::signature<F>::parameters>;
    static_assert(detail::takes_parameters<F>(static_cast<typename detail::signature<F>::parameters*>(nullptr),
                                              static_cast<typename parameters::named*>(nullptr)));
    constexpr std::size_t count = std::tuple_size_v<typename parameters::named>;
    static_assert(count == sizeof...(Args) || detail::takes_fields<typename parameters::named, sizeof...(Args)>,
                  "give one pyaichat::arg{\"name\", \"description\"} for each parameter of the callable, or let it take one struct without "
                  "bases, constructors and private members, whose fields are then the arguments");
    using indices = std::make_index_sequence<count>;

    std::array<arg, sizeof...(Args)> named{std::move(args)...};
    for (const arg& one : named) {
        if (std::count_if(named.begin(), named.end(), [&](const arg& other) { return other.name == one.name; }) > 1) {
            return function_capability(failure{.code = errc::invalid_argument,
                                               .message = "two parameters of `" + name + "` are called `" + one.name + "`",
                                               .hint = "Give each pyaichat::arg a name of its own."});
        }
    }
    capability_spec spec;
    spec.name = std::move(name);
    spec.description = std::move(description);
    spec.parameters = detail::parameters_schema<typename parameters::named>(named, indices{});
    spec.origin = "C++";
    return {std::move(spec), [callable = std::move(callable), named = std::move(named)](const capability_call& call,
                                                                                        capability_responder responder) mutable {
                detail::invoke_typed<F, typename parameters::named>(callable, named, call, responder, indices{});
            }};
}

template <class Name, class F, class... Args>
    requires(!std::convertible_to<F, std::string>)
function_capability capability(Name, F, Args...) {
    static_assert(std::convertible_to<F, std::string>, "write pyaichat::capability(\"name\", \"description\", function, ...)");
    return function_capability(failure());
}

}  // namespace pyaichat::inline PYAICHAT_ABI
