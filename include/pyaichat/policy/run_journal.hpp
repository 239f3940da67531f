#pragma once
#include <pyaichat/core/json.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// One step of a run's progress. A run can be recovered from its records, numbered from 1 without gaps.
struct journal_record {
    std::string run_id = {};
    std::uint64_t number = 0;  ///< counts the records of the run, from 1
    json content = {};         ///< an object; written by the loop, read by `basic_agent::recover`
};

/// Stores the records of runs, so that a run can be recovered after a crash.
///
/// The driver calls `append` on the pumping thread, before the run acts on the record. The record must be durable when `append` returns:
/// the intent to run a call is written before the call, its reply after it. If `append` fails or throws, the journal gets no further
/// records of this run. The run continues, but every further call gets the reply `internal` and is not run.
template <class J>
concept run_journal = std::move_constructible<J> && requires(J& journal, const journal_record& record) {
    { journal.append(record) } -> std::same_as<result<void>>;
};

/// The null journal: stores nothing.
struct no_journal {
    [[nodiscard]] result<void> append(const journal_record&) const { return {}; }
};

namespace detail {
/// Has a member `append` with a wrong signature.
template <class J>
concept almost_journal = !run_journal<J> && requires { &J::append; };
}  // namespace detail

/// Holds a journal of any type. May be empty. Copies share the journal.
class any_journal {
public:
    any_journal() = default;  ///< empty

    template <class J>
        requires(!std::same_as<std::remove_cvref_t<J>, any_journal> && run_journal<std::remove_cvref_t<J>>)
    any_journal(J&& journal)
        : append_([shared = std::make_shared<std::remove_cvref_t<J>>(std::forward<J>(journal))](const journal_record& record) {
              return shared->append(record);
          }) {}

    template <class J>
        requires(!std::same_as<std::remove_cvref_t<J>, any_journal> && detail::almost_journal<std::remove_cvref_t<J>>)
    any_journal(J&&) {
        static_assert(
            run_journal<std::remove_cvref_t<J>>,
            "a journal has `result<void> append(const journal_record&)`; pass a journal that cannot be moved as pyaichat::borrow");
    }

    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(append_); }

    /// Appends to the journal. An empty object stores nothing and succeeds.
    [[nodiscard]] result<void> append(const journal_record& record) { return append_ ? append_(record) : result<void>(); }

private:
    std::function<result<void>(const journal_record&)> append_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
