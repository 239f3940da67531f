#pragma once
#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/message/event.hpp>
#include <pyaichat/message/request.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline v0 {

/// How a run came out, for `on_answer`.
struct closing_answer {
    std::string_view question = {};
    std::string_view text = {};
    std::string_view reason = {};  ///< the name of the stop reason
};

namespace detail {

template <class H>
concept hooks_before_call = requires(H& hooks, const proposed_call& call) {
    { hooks.before_call(call) } -> std::same_as<call_decision>;
};
template <class H>
concept hooks_after_call = requires(H& hooks, const capability_call& call, capability_reply& reply) {
    hooks.after_call(call, reply);
};
template <class H>
concept hooks_on_question = requires(H& hooks, std::string_view question) {
    hooks.on_question(question);
};
template <class H>
concept hooks_before_model = requires(H& hooks, const model_request& request) {
    hooks.before_model(request);
};
template <class H>
concept hooks_on_answer = requires(H& hooks, const closing_answer& answer) {
    { hooks.on_answer(answer) } -> std::same_as<std::string>;
};
template <class H>
concept hooks_on_event = requires(H& hooks, const event& happened) {
    hooks.on_event(happened);
};

/// A member that is called like a hook and is none would never be asked. True, or it does not compile.
template <class H>
constexpr bool has_no_misfit() noexcept {
    static_assert(
        hooks_before_call<H> || !requires { &H::before_call; },
        "the hook `before_call` takes a const pyaichat::proposed_call& and returns a pyaichat::call_decision");
    static_assert(
        hooks_after_call<H> || !requires { &H::after_call; },
        "the hook `after_call` takes a const pyaichat::capability_call& and a pyaichat::capability_reply&");
    static_assert(
        hooks_on_question<H> || !requires { &H::on_question; }, "the hook `on_question` takes a std::string_view");
    static_assert(
        hooks_before_model<H> || !requires { &H::before_model; }, "the hook `before_model` takes a const pyaichat::model_request&");
    static_assert(
        hooks_on_answer<H> || !requires { &H::on_answer; },
        "the hook `on_answer` takes a const pyaichat::closing_answer& and returns a std::string");
    static_assert(
        hooks_on_event<H> || !requires { &H::on_event; }, "the hook `on_event` takes a const pyaichat::event&");
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
/// Failing: a `before_call` that throws denies; anything else that throws has no effect.
template <class H>
concept run_hooks = std::move_constructible<H> &&
    (detail::hooks_before_call<H> || detail::hooks_after_call<H> || detail::hooks_on_question<H> || detail::hooks_before_model<H> ||
     detail::hooks_on_answer<H> || detail::hooks_on_event<H>);

/// The null model: looks at nothing.
struct no_hooks {
    void on_event(const event&) const {}
};

/// Hooks of any type. Copies share them.
class any_run_hooks {
public:
    template <class H>
    requires(!std::same_as<std::remove_cvref_t<H>, any_run_hooks> && run_hooks<std::remove_cvref_t<H>>) any_run_hooks(H&& hooks)
        : self_(std::make_shared<model<std::remove_cvref_t<H>>>(std::forward<H>(hooks))) {
        static_assert(detail::has_no_misfit<std::remove_cvref_t<H>>());
    }

    void on_question(std::string_view question) { self_->on_question(question); }
    void before_model(const model_request& request) { self_->before_model(request); }
    [[nodiscard]] call_decision before_call(const proposed_call& call) { return self_->before_call(call); }
    void after_call(const capability_call& call, capability_reply& reply) { self_->after_call(call, reply); }
    [[nodiscard]] std::string on_answer(const closing_answer& answer) { return self_->on_answer(answer); }
    void on_event(const event& happened) { self_->on_event(happened); }

private:
    struct concept_ {
        virtual ~concept_() = default;
        virtual void on_question(std::string_view question) = 0;
        virtual void before_model(const model_request& request) = 0;
        virtual call_decision before_call(const proposed_call& call) = 0;
        virtual void after_call(const capability_call& call, capability_reply& reply) = 0;
        virtual std::string on_answer(const closing_answer& answer) = 0;
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
        call_decision before_call(const proposed_call& call) override {
            if constexpr (detail::hooks_before_call<H>) {
                return value_.before_call(call);
            } else {
                return {};
            }
        }
        void after_call(const capability_call& call, capability_reply& reply) override {
            if constexpr (detail::hooks_after_call<H>) {
                value_.after_call(call, reply);
            }
        }
        std::string on_answer(const closing_answer& answer) override {
            if constexpr (detail::hooks_on_answer<H>) {
                return value_.on_answer(answer);
            } else {
                return {};
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

}  // namespace pyaichat::inline v0
