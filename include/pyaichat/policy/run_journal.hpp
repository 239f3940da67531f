#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/task.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// One thing that happened to a run, in the order in which it happened. The records of a run, from number 1 without gaps, rebuild it.
struct journal_record {
    std::string run_id = {};
    std::uint64_t number = 0;  ///< in the run, from 1
    json content = {};         ///< an object; written by the loop, read by `recover`
};

/// Keeps the records of runs, so that a run goes on after the program has died.
///
/// Called on the pumping thread, before the run acts on what the record says. The record is durable when `append` returns: an intent to
/// call a capability is written before the call, its reply after it. Failing, or throwing: nothing of this run is written any more, since
/// it cannot be rebuilt across a gap; the run goes on, but every further call is answered `internal` instead of being made.
template <class J>
concept run_journal = std::move_constructible<J> && requires(J& journal, const journal_record& record) {
    { journal.append(record) } -> std::same_as<result<void>>;
};

/// The null model: keeps nothing, so nothing is rebuilt.
struct no_journal {
    [[nodiscard]] result<void> append(const journal_record&) const { return {}; }
};

namespace detail {
/// Means to be a journal and is none.
template <class J>
concept almost_journal = !run_journal<J> && requires { &J::append; };
}  // namespace detail

/// A journal of any type; empty = none. Copies share it.
class any_journal {
public:
    any_journal() = default;

    template <class J>
        requires(!std::same_as<std::remove_cvref_t<J>, any_journal> && run_journal<std::remove_cvref_t<J>>)
    any_journal(J&& journal)
        : append_(std::make_shared<appender>(
              [own = std::forward<J>(journal)](const journal_record& record) mutable { return own.append(record); })) {}

    template <class J>
        requires(!std::same_as<std::remove_cvref_t<J>, any_journal> && detail::almost_journal<std::remove_cvref_t<J>>)
    any_journal(J&&) {
        static_assert(run_journal<std::remove_cvref_t<J>>,
                      "a journal has `result<void> append(const journal_record&)`; one that cannot be moved is given as pyaichat::borrow");
    }

    [[nodiscard]] explicit operator bool() const noexcept { return append_ != nullptr; }

    [[nodiscard]] result<void> append(const journal_record& record) { return append_ ? (*append_)(record) : result<void>(); }

private:
    using appender = unique_function<result<void>(const journal_record&)>;

    std::shared_ptr<appender> append_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
