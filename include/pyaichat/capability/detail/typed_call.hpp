#pragma once
#include <pyaichat/capability/arg.hpp>
#include <pyaichat/capability/detail/arg_rules.hpp>
#include <pyaichat/policy/capability_source.hpp>
#include <pyaichat/schema/decode.hpp>
#include <pyaichat/schema/detail/signature.hpp>
#include <pyaichat/schema/schema_of.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

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

/// What the callable of a capability is called with, and with what result. `Signature` is a `signature`.
template <class Signature, std::size_t Args>
class typed_call {
public:
    using parameters = parameter_list<typename Signature::parameters>;
    using named = typename parameters::named;
    static constexpr std::size_t count = std::tuple_size_v<named>;
    static constexpr bool by_fields = takes_fields<named, Args>;

    explicit typed_call(std::array<arg, Args> args) : args_(std::move(args)) {}

    /// Returns the schema of the arguments. Fails if the defaults or the limits of an argument do not fit its type.
    [[nodiscard]] result<json> make_schema(std::string_view capability) {
        return make_schema(capability, std::make_index_sequence<count>());
    }

    /// Calls `callable` with the arguments of the call, and replies.
    template <class F>
    void run(F& callable, const capability_call& call, capability_responder& responder) const {
        run(callable, call, responder, std::make_index_sequence<count>());
    }

private:
    template <std::size_t I>
    using parameter = std::tuple_element_t<I, named>;

    template <std::size_t... I>
    [[nodiscard]] result<json> make_schema(std::string_view capability, std::index_sequence<I...>) {
        if constexpr (by_fields) {
            return schema_of<parameter<0>>();
        } else {
            json schema;
            (add_parameter<parameter<I>>(schema, args_[I]), ...);
            const std::array<parameter_traits, Args> types{parameter_traits::of<parameter<I>>()...};
            result<arg_rules> rules = arg_rules::make(capability, args_, types, schema);
            if (!rules) {
                return rules.error();
            }
            rules_ = std::move(*rules);
            std::optional<failure> wrong;
            (check_default<I>(capability, wrong), ...);
            return wrong ? result<json>(std::move(*wrong)) : result<json>(std::move(schema));
        }
    }
    template <class P>
    static void add_parameter(json& schema, const arg& declared) {
        json type = schema_of<without_optional<P>>();
        const bool has_default = declared.fallback.has_value();
        if (is_optional<P>::value && has_default) {
            type = any_of({std::move(type), {{"type", "null"}}});
        }
        add_property(schema, {.field = declared.name, .text = declared.description}, std::move(type),
                     !is_optional<P>::value && !has_default);
    }
    template <std::size_t I>
    void check_default(std::string_view capability, std::optional<failure>& wrong) const {
        if (const json* fallback = rules_.fallback(I); fallback != nullptr && !wrong) {
            parameter<I> read{};
            schema_error error;
            if (!decode(*fallback, read, error)) {
                wrong = bad_default(capability, args_[I].name, error);
            }
        }
    }

    template <std::size_t I>
    [[nodiscard]] bool decode_argument(const json& arguments, parameter<I>& into, schema_error& error) const {
        if (find_member(arguments, args_[I].name) == nullptr) {
            if (const json* fallback = rules_.fallback(I)) {
                return decode(*fallback, into, error);
            }
        }
        member_reader<field_form> member{arguments, error};
        member(args_[I].name, into, args_[I].description);
        return member.fits;
    }

    template <class F, std::size_t... I>
    void run(F& callable, const capability_call& call, capability_responder& responder, std::index_sequence<I...>) const {
        named values{};
        schema_error error;
        bool fits = true;
        if constexpr (by_fields) {
            fits = decode(call.arguments, std::get<0>(values), error);
        } else {
            fits = (decode_argument<I>(call.arguments, std::get<I>(values), error) && ...);
        }
        if (!fits) {
            responder(reply_invalid_args({&error, 1}));
            return;
        }
        if (const std::vector<schema_error> errors = rules_.check(call.arguments); !errors.empty()) {
            responder(reply_invalid_args(errors));
            return;
        }
        using result_type = typename Signature::result_type;
        const auto call_it = [&]<class... First>(First&&... first) -> result_type {
            if constexpr (parameters::takes_call) {
                return static_cast<result_type>(callable(call, std::forward<First>(first)..., std::move(std::get<I>(values))...));
            } else {
                return static_cast<result_type>(callable(std::forward<First>(first)..., std::move(std::get<I>(values))...));
            }
        };
        if constexpr (parameters::asynchronous) {
            call_it(std::move(responder));
        } else if constexpr (std::same_as<std::remove_cvref_t<result_type>, capability_reply> ||
                             std::same_as<std::remove_cvref_t<result_type>, failure>) {
            responder(call_it());
        } else if constexpr (std::same_as<std::remove_cvref_t<result_type>, image>) {
            responder(reply_with_image(call_it()));
        } else if constexpr (std::same_as<std::remove_cvref_t<result_type>, result<image>>) {
            result<image> outcome = call_it();
            responder(outcome ? reply_with_image(std::move(*outcome)) : to_reply(std::move(outcome.error())));
        } else if constexpr (std::is_void_v<result_type>) {
            call_it();
            responder(reply_with(nullptr));
        } else {
            responder(to_reply(encode(call_it())));
        }
    }

    std::array<arg, Args> args_;
    arg_rules rules_ = {};
};

/// Whether a parameter can be decoded into. If not, the error is that of `schema_of`.
template <class P>
constexpr bool takes_type() noexcept {
    if constexpr (!std::default_initializable<P>) {
        explain_unsupported<P>();
    }
    return std::default_initializable<P>;
}

/// Returns whether a callable with these parameters can be called and can reply. If not, one assertion says what to do.
template <class F, class Result, class... P, class... Named>
constexpr bool takes_parameters(std::tuple<P...>*, std::tuple<Named...>*) noexcept {
    constexpr bool asynchronous = parameter_list<std::tuple<P...>>::asynchronous;
    constexpr bool in_order = !((std::same_as<Named, capability_responder> || std::same_as<Named, capability_call>) || ...);
    constexpr bool invocable = std::invocable<F&, P...> && !(asynchronous && std::invocable<F&, const capability_responder&, Named...>);
    static_assert(in_order,
                  "the pyaichat::capability_responder is the first parameter, or the second after a const pyaichat::capability_call&");
    static_assert(!in_order || invocable,
                  "a capability takes its parameters by value or as const references, and a pyaichat::capability_responder by value");
    static_assert(!in_order || !invocable || !asynchronous || std::is_void_v<Result>,
                  "a capability with a pyaichat::capability_responder replies through it and returns void");
    if constexpr (in_order && invocable && (!asynchronous || std::is_void_v<Result>)) {
        return (takes_type<Named>() && ...);
    } else {
        return false;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
