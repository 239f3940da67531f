#pragma once
#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/message/event.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/policy/detail/policy_wrapper.hpp>
#include <pyaichat/policy/hook_responder.hpp>

#include <chrono>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// The outcome of a run, for `on_answer`. The texts are valid during the call.
struct closing_answer {
    std::string_view question = {};
    std::string_view text = {};
    stop_reason reason = stop_reason::misconfigured;
};

namespace detail {

template <class H>
concept hooks_before_call = requires(H& hooks, const proposed_call& call) {
    { hooks.before_call(call) } -> std::same_as<call_decision>;
};
template <class H>
concept hooks_after_call = requires(H& hooks, const capability_call& call, capability_reply& reply) {
    { hooks.after_call(call, reply) } -> std::same_as<void>;
};
template <class H>
concept defers_before_call = requires(H& hooks, const proposed_call& call, hook_responder<call_decision> answer) {
    { hooks.before_call(call, std::move(answer)) } -> std::same_as<void>;
};
template <class H>
concept defers_after_call =
    requires(H& hooks, const capability_call& call, capability_reply reply, hook_responder<capability_reply> answer) {
        { hooks.after_call(call, std::move(reply), std::move(answer)) } -> std::same_as<void>;
    };
template <class H>
concept defers_on_answer = requires(H& hooks, const closing_answer& answer, hook_responder<std::string> note) {
    { hooks.on_answer(answer, std::move(note)) } -> std::same_as<void>;
};
template <class H>
concept hooks_on_question = requires(H& hooks, std::string_view question) {
    { hooks.on_question(question) } -> std::same_as<void>;
};
template <class H>
concept hooks_before_model = requires(H& hooks, const model_request& request) {
    { hooks.before_model(request) } -> std::same_as<void>;
};
template <class H>
concept hooks_on_answer = requires(H& hooks, const closing_answer& answer) {
    { hooks.on_answer(answer) } -> std::same_as<std::string>;
};
template <class H>
concept hooks_on_event = requires(H& hooks, const event& happened) {
    { hooks.on_event(happened) } -> std::same_as<void>;
};

template <class H>
concept changes_a_copy = requires { static_cast<void (H::*)(const capability_call&, capability_reply)>(&H::after_call); } ||
                         requires { static_cast<void (H::*)(const capability_call&, capability_reply) const>(&H::after_call); };

/// Has a member with nearly the name of a hook.
template <class H>
concept misspells_a_hook =
    requires { &H::beforecall; } || requires { &H::beforeCall; } || requires { &H::before_calls; } || requires { &H::on_before_call; } ||
    requires { &H::aftercall; } || requires { &H::afterCall; } || requires { &H::after_calls; } || requires { &H::on_after_call; } ||
    requires { &H::beforemodel; } || requires { &H::beforeModel; } || requires { &H::before_models; } ||
    requires { &H::on_before_model; } || requires { &H::onQuestion; } || requires { &H::onAnswer; } || requires { &H::on_answers; } ||
    requires { &H::onEvent; } || requires { &H::on_events; };

/// Returns true. Does not compile if a member has the name of a hook, or nearly, and would never be called.
template <class H>
constexpr bool has_no_misfit() noexcept {
    static_assert(!misspells_a_hook<H>,
                  "a member with almost the name of a hook would never be called: the hooks are on_question, before_model, before_call, "
                  "after_call, on_answer and on_event");
    static_assert(
        hooks_before_call<H> || defers_before_call<H> || !requires { &H::before_call; },
        "the hook `before_call` takes a const pyaichat::proposed_call& and returns a pyaichat::call_decision");
    static_assert(
        (hooks_after_call<H> && !changes_a_copy<H>) || defers_after_call<H> || !requires { &H::after_call; },
        "the hook `after_call` takes a const pyaichat::capability_call& and a pyaichat::capability_reply&, which it changes in place, and "
        "returns void");
    static_assert(
        hooks_on_question<H> || !requires { &H::on_question; }, "the hook `on_question` takes a std::string_view and returns void");
    static_assert(
        hooks_before_model<H> || !requires { &H::before_model; },
        "the hook `before_model` takes a const pyaichat::model_request& and returns void");
    static_assert(
        hooks_on_answer<H> || defers_on_answer<H> || !requires { &H::on_answer; },
        "the hook `on_answer` takes a const pyaichat::closing_answer& and returns a std::string");
    static_assert(hooks_on_event<H> || !requires { &H::on_event; }, "the hook `on_event` takes a const pyaichat::event& and returns void");
    return true;
}

}  // namespace detail

/// Observes runs and may restrict them: one or more of these members. The driver calls them on the pumping thread. They must not block.
///
/// | member                                        | effect                                                                      |
/// |-----------------------------------------------|-----------------------------------------------------------------------------|
/// | `on_question(string_view)`                    | observes                                                                    |
/// | `before_model(const model_request&)`          | observes                                                                    |
/// | `before_call(const proposed_call&)`           | returns a `call_decision`: deny, ask or change; `allow` has no effect       |
/// | `after_call(const capability_call&, reply&)`  | may change the reply before events, journal and model see it                |
/// | `on_answer(const closing_answer&)`            | returns a note that is appended to the answer's text; empty = none          |
/// | `on_event(const event&)`                      | observes                                                                    |
///
/// The three hooks that change something have an asynchronous form, with a `hook_responder` as last parameter: `before_call(call,
/// responder)`, `after_call(call, reply, responder)` and `on_answer(answer, responder)`. The run waits for the result, without blocking the
/// thread, until its deadline; for notes at most `longest_wait_for_notes`. If a type has both forms, the asynchronous form is used.
///
/// If `before_call` throws or drops its responder, the call is denied. If another hook does so, it has no effect.
template <class H>
concept run_hooks =
    std::move_constructible<H> && (detail::hooks_before_call<H> || detail::hooks_after_call<H> || detail::hooks_on_question<H> ||
                                   detail::hooks_before_model<H> || detail::hooks_on_answer<H> || detail::hooks_on_event<H> ||
                                   detail::defers_before_call<H> || detail::defers_after_call<H> || detail::defers_on_answer<H>);

namespace detail {
template <class H>
concept names_a_hook = requires { &H::before_call; } || requires { &H::after_call; } || requires { &H::on_question; } ||
                       requires { &H::before_model; } || requires { &H::on_answer; } || requires { &H::on_event; };

/// Is meant as hooks: it has a member with the name of a hook, or nearly, or is a function or a pointer that hooks are mistaken for.
template <class H>
concept almost_hooks =
    !run_hooks<H> && (names_a_hook<unwrapped_t<H>> || misspells_a_hook<unwrapped_t<H>> || std::invocable<H&, const proposed_call&> ||
                      std::invocable<H&, const event&> || requires(H& pointer) { requires run_hooks<typename H::element_type>; });
}  // namespace detail

/// How long a run that has its answer waits for the results of asynchronous `on_answer` hooks.
inline constexpr duration longest_wait_for_notes = std::chrono::milliseconds(50);

/// The null hooks: do nothing.
struct no_hooks {
    void on_event(const event&) const {}
};

/// Holds hooks of any type. Copies share the hooks. Each member calls the hook of the same name, if there is one.
class any_run_hooks {
public:
    template <class H>
        requires(!std::same_as<std::remove_cvref_t<H>, any_run_hooks> && run_hooks<std::remove_cvref_t<H>>)
    any_run_hooks(H&& hooks) : self_(std::make_shared<model<std::remove_cvref_t<H>>>(std::forward<H>(hooks))) {
        static_assert(detail::has_no_misfit<detail::unwrapped_t<std::remove_cvref_t<H>>>() && detail::can_store<H>());
    }

    template <class H>
        requires(!std::same_as<std::remove_cvref_t<H>, any_run_hooks> && detail::almost_hooks<std::remove_cvref_t<H>>)
    any_run_hooks(H&&) {
        static_assert(detail::has_no_misfit<detail::unwrapped_t<std::remove_cvref_t<H>>>());
        static_assert(
            run_hooks<std::remove_cvref_t<H>>,
            "hooks are a movable object with members such as `call_decision before_call(const proposed_call&)`, not a function or a "
            "pointer; pass hooks that are not movable, or that a pointer owns, as pyaichat::borrow(hooks)");
    }

    void on_question(std::string_view question) { self_->on_question(question); }
    void before_model(const model_request& request) { self_->before_model(request); }
    void on_event(const event& happened) { self_->on_event(happened); }

    /// Returns the decision. An asynchronous hook takes `later` and returns `nullopt`.
    [[nodiscard]] std::optional<call_decision> before_call(const proposed_call& call, hook_responder<call_decision>& later) {
        return self_->before_call(call, later);
    }
    /// Changes `reply`. An asynchronous hook takes `later` and leaves `reply` unchanged.
    void after_call(const capability_call& call, capability_reply& reply, hook_responder<capability_reply>& later) {
        self_->after_call(call, reply, later);
    }
    /// Returns the note. An asynchronous hook takes `later` and returns `nullopt`.
    [[nodiscard]] std::optional<std::string> on_answer(const closing_answer& answer, hook_responder<std::string>& later) {
        return self_->on_answer(answer, later);
    }

private:
    struct concept_ {
        virtual ~concept_() = default;
        virtual void on_question(std::string_view question) = 0;
        virtual void before_model(const model_request& request) = 0;
        virtual std::optional<call_decision> before_call(const proposed_call& call, hook_responder<call_decision>& later) = 0;
        virtual void after_call(const capability_call& call, capability_reply& reply, hook_responder<capability_reply>& later) = 0;
        virtual std::optional<std::string> on_answer(const closing_answer& answer, hook_responder<std::string>& later) = 0;
        virtual void on_event(const event& happened) = 0;
    };
    template <class H>
    struct model final : concept_ {
        template <class T>
        explicit model(T&& value) : value_(std::forward<T>(value)) {}
        void on_question(std::string_view question) override {
            if constexpr (detail::hooks_on_question<H>) {
                value_.on_question(question);
            }
        }
        void before_model(const model_request& request) override {
            if constexpr (detail::hooks_before_model<H>) {
                value_.before_model(request);
            }
        }
        std::optional<call_decision> before_call(const proposed_call& call, hook_responder<call_decision>& later) override {
            if constexpr (detail::defers_before_call<H>) {
                value_.before_call(call, std::move(later));
                return std::nullopt;
            } else if constexpr (detail::hooks_before_call<H>) {
                return value_.before_call(call);
            } else {
                return call_decision();
            }
        }
        void after_call(const capability_call& call, capability_reply& reply, hook_responder<capability_reply>& later) override {
            if constexpr (detail::defers_after_call<H>) {
                value_.after_call(call, reply, std::move(later));
            } else if constexpr (detail::hooks_after_call<H>) {
                capability_reply changed = reply;  // a hook that throws changes nothing
                value_.after_call(call, changed);
                reply = std::move(changed);
            }
        }
        std::optional<std::string> on_answer(const closing_answer& answer, hook_responder<std::string>& later) override {
            if constexpr (detail::defers_on_answer<H>) {
                value_.on_answer(answer, std::move(later));
                return std::nullopt;
            } else if constexpr (detail::hooks_on_answer<H>) {
                return value_.on_answer(answer);
            } else {
                return std::string();
            }
        }
        void on_event(const event& happened) override {
            if constexpr (detail::hooks_on_event<H>) {
                value_.on_event(happened);
            }
        }
        H value_;
    };

    std::shared_ptr<concept_> self_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
