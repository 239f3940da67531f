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

/// How a run came out, for `on_answer`. The texts are there during the call; keep copies.
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
concept hooks_after_call = requires(H& hooks, const capability_call& call, capability_reply& reply) { hooks.after_call(call, reply); };
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
concept defers_on_answer = requires(H& hooks, const closing_answer& made, hook_responder<std::string> answer) {
    { hooks.on_answer(made, std::move(answer)) } -> std::same_as<void>;
};
template <class H>
concept hooks_on_question = requires(H& hooks, std::string_view question) { hooks.on_question(question); };
template <class H>
concept hooks_before_model = requires(H& hooks, const model_request& request) { hooks.before_model(request); };
template <class H>
concept hooks_on_answer = requires(H& hooks, const closing_answer& answer) {
    { hooks.on_answer(answer) } -> std::same_as<std::string>;
};
template <class H>
concept hooks_on_event = requires(H& hooks, const event& happened) { hooks.on_event(happened); };

/// A member that is called like a hook and is none would never be asked. True, or it does not compile.
template <class H>
constexpr bool has_no_misfit() noexcept {
    static_assert(
        hooks_before_call<H> || defers_before_call<H> || !requires { &H::before_call; },
        "the hook `before_call` takes a const pyaichat::proposed_call& and returns a pyaichat::call_decision");
    static_assert(
        hooks_after_call<H> || defers_after_call<H> || !requires { &H::after_call; },
        "the hook `after_call` takes a const pyaichat::capability_call& and a pyaichat::capability_reply&");
    static_assert(hooks_on_question<H> || !requires { &H::on_question; }, "the hook `on_question` takes a std::string_view");
    static_assert(
        hooks_before_model<H> || !requires { &H::before_model; }, "the hook `before_model` takes a const pyaichat::model_request&");
    static_assert(
        hooks_on_answer<H> || defers_on_answer<H> || !requires { &H::on_answer; },
        "the hook `on_answer` takes a const pyaichat::closing_answer& and returns a std::string");
    static_assert(hooks_on_event<H> || !requires { &H::on_event; }, "the hook `on_event` takes a const pyaichat::event&");
    return true;
}

}  // namespace detail

/// Looks into runs, and may restrict them. A type with one or more of these members, all called on the pumping thread, none may block:
///
/// | member                                        | what it may do                                                              |
/// |-----------------------------------------------|-----------------------------------------------------------------------------|
/// | `on_question(string_view)`                    | look                                                                        |
/// | `before_model(const model_request&)`          | look                                                                        |
/// | `before_call(const proposed_call&)`           | a `call_decision`: deny, ask, change arguments; its `allow` grants nothing  |
/// | `after_call(const capability_call&, reply&)`  | change the reply before anybody else sees it, events and journal included   |
/// | `on_answer(const closing_answer&)`            | return a note that is put after the answer's text; empty = none             |
/// | `on_event(const event&)`                      | look                                                                        |
///
/// Those that decide have a second form, for hooks that need time or another thread: with a `hook_responder` behind the parameters, which
/// they answer later (`before_call(call, responder)`; `after_call(call, reply, responder)` is given the reply and answers with the new one;
/// `on_answer(answer, responder)`). The run waits without holding the thread up, at most until its deadline; for notes
/// `longest_wait_for_notes`. A type with both forms is asked in this one.
///
/// Failing: a `before_call` that throws, or drops its responder, denies; anything else that does so has no effect.
template <class H>
concept run_hooks =
    std::move_constructible<H> && (detail::hooks_before_call<H> || detail::hooks_after_call<H> || detail::hooks_on_question<H> ||
                                   detail::hooks_before_model<H> || detail::hooks_on_answer<H> || detail::hooks_on_event<H> ||
                                   detail::defers_before_call<H> || detail::defers_after_call<H> || detail::defers_on_answer<H>);

namespace detail {
template <class H>
concept names_a_hook = requires { &H::before_call; } || requires { &H::after_call; } || requires { &H::on_question; } ||
                       requires { &H::before_model; } || requires { &H::on_answer; } || requires { &H::on_event; };

/// Means to be a hook and is none.
template <class H>
concept almost_hooks = !run_hooks<H> && names_a_hook<unwrapped_t<H>>;
}  // namespace detail

/// How long an ended run waits for notes that come later. Then it ends without.
inline constexpr duration longest_wait_for_notes = std::chrono::milliseconds(50);

/// The null model: looks at nothing.
struct no_hooks {
    void on_event(const event&) const {}
};

/// Hooks of any type. Copies share them.
class any_run_hooks {
public:
    template <class H>
        requires(!std::same_as<std::remove_cvref_t<H>, any_run_hooks> && run_hooks<std::remove_cvref_t<H>>)
    any_run_hooks(H&& hooks) : self_(std::make_shared<model<std::remove_cvref_t<H>>>(std::forward<H>(hooks))) {
        static_assert(detail::has_no_misfit<detail::unwrapped_t<std::remove_cvref_t<H>>>());
    }

    template <class H>
        requires(!std::same_as<std::remove_cvref_t<H>, any_run_hooks> && detail::almost_hooks<std::remove_cvref_t<H>>)
    any_run_hooks(H&&) {
        static_assert(detail::has_no_misfit<detail::unwrapped_t<std::remove_cvref_t<H>>>());
        static_assert(run_hooks<std::remove_cvref_t<H>>, "hooks are moved to where they are kept: give what cannot be as pyaichat::borrow");
    }

    void on_question(std::string_view question) { self_->on_question(question); }
    void before_model(const model_request& request) { self_->before_model(request); }
    void on_event(const event& happened) { self_->on_event(happened); }

    /// The answer, or nothing: it comes through `later`, which was taken then.
    [[nodiscard]] std::optional<call_decision> before_call(const proposed_call& call, hook_responder<call_decision>& later) {
        return self_->before_call(call, later);
    }
    /// `reply` is the new one then, unless `later` was taken.
    void after_call(const capability_call& call, capability_reply& reply, hook_responder<capability_reply>& later) {
        self_->after_call(call, reply, later);
    }
    [[nodiscard]] std::optional<std::string> on_answer(const closing_answer& made, hook_responder<std::string>& later) {
        return self_->on_answer(made, later);
    }

private:
    struct concept_ {
        virtual ~concept_() = default;
        virtual void on_question(std::string_view question) = 0;
        virtual void before_model(const model_request& request) = 0;
        virtual std::optional<call_decision> before_call(const proposed_call& call, hook_responder<call_decision>& later) = 0;
        virtual void after_call(const capability_call& call, capability_reply& reply, hook_responder<capability_reply>& later) = 0;
        virtual std::optional<std::string> on_answer(const closing_answer& made, hook_responder<std::string>& later) = 0;
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
                capability_reply changed = reply;  // what throws half way has changed nothing
                value_.after_call(call, changed);
                reply = std::move(changed);
            }
        }
        std::optional<std::string> on_answer(const closing_answer& made, hook_responder<std::string>& later) override {
            if constexpr (detail::defers_on_answer<H>) {
                value_.on_answer(made, std::move(later));
                return std::nullopt;
            } else if constexpr (detail::hooks_on_answer<H>) {
                return value_.on_answer(made);
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
