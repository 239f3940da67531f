#pragma once
#include <pyaichat/agent/run.hpp>
#include <pyaichat/schema/decode.hpp>
#include <pyaichat/schema/schema_of.hpp>

#include <concepts>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// The answer to a question whose answer is a `T`.
template <class T>
struct typed_answer {
    /// The value, or why there is none. A run that ends early, for any reason, has no value. The failure is `answer.error` if there is one;
    /// otherwise its code fits the reason, such as `timeout`, and its message names the reason.
    result<T> value = failure{};
    pyaichat::answer answer = {};  ///< its reason is `complete` only if there is a value
};

namespace detail {
/// Returns why an answer has no value.
[[nodiscard]] failure no_value(const answer& reply);
/// Changes a complete answer whose value is not a `T`, although it satisfies the schema, and returns the failure.
[[nodiscard]] failure refuse_value(answer& reply, const schema_error& misfit);

template <class T>
[[nodiscard]] typed_answer<T> typed(answer reply) {
    typed_answer<T> typed{.answer = std::move(reply)};
    if (!typed.answer.value) {
        typed.value = no_value(typed.answer);
        return typed;
    }
    T value{};
    schema_error misfit;
    if (decode(*typed.answer.value, value, misfit)) {
        typed.value = std::move(value);
    } else {
        typed.value = refuse_value(typed.answer, misfit);
    }
    return typed;
}
}  // namespace detail

/// A run whose answer is a `T`, as `basic_agent::ask_for` returns it. It is pumped, cancelled, resumed and stored like any run. To continue
/// a stored one, pass the run that `restore` or `recover` returns to the constructor.
template <class T, std::derived_from<pumped_run> Run = run>
class typed_run : public Run {
public:
    typed_run() = default;  ///< empty
    explicit typed_run(Run untyped) : Run(std::move(untyped)) {}

    /// See `pumped_run::reply`. The value is a failure with the code `invalid_state` while the run has not ended.
    [[nodiscard]] typed_answer<T> reply() const { return detail::typed<T>(Run::reply()); }

    /// See `run::wait`.
    typed_answer<T> wait() &
        requires std::same_as<Run, run>
    {
        return detail::typed<T>(Run::wait());
    }
    typed_answer<T> wait() &&
        requires std::same_as<Run, run>
    {
        return detail::typed<T>(static_cast<Run&&>(*this).wait());
    }
    /// Does not compile: see `pumped_run::wait`.
    template <class U = void>
        requires(!std::same_as<Run, run>)
    void wait() const {
        Run::template wait<U>();
    }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
