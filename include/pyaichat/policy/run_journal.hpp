#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/detail/policy_wrapper.hpp>

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
    std::uint64_t owner = 0;   ///< the fencing token from `claim`; 0 = the journal has no `claim`
    json content = {};         ///< an object; written by the loop, read by `basic_agent::recover`
};

/// Stores the records of runs, so that a run can be recovered after a crash.
///
/// The driver calls `append` on the pumping thread, before the run acts on the record. The record must be durable when `append` returns:
/// the intent to run a call is written before the call, its reply after it. If `append` fails or throws, the journal gets no further
/// records of this run. The run continues, but every further call gets the reply `internal` and is not run.
///
/// A journal may also have `result<std::uint64_t> claim(const std::string& run_id, std::uint64_t last)`, which is called before the first
/// record of a run that was asked, restored or recovered. `last` is the number of the last record that the caller knows of. If the journal
/// has a later one, `claim` changes nothing and fails with `lease_lost`. Otherwise it returns a fencing token that is larger than all
/// before. From then on, `append` fails with `lease_lost` for records of this run with a smaller `owner`, and the run that wrote them
/// ends. Without `claim`, the host must continue a run in one place only.
template <class J>
concept run_journal = std::move_constructible<J> && requires(J& journal, const journal_record& record) {
    { journal.append(record) } -> std::same_as<result<void>>;
};

/// The null journal: stores nothing.
struct no_journal {
    [[nodiscard]] result<void> append(const journal_record&) const { return {}; }
};

namespace detail {
template <class J>
concept claims = requires(J& journal, const std::string& run_id, std::uint64_t last) {
    { journal.claim(run_id, last) } -> std::same_as<result<std::uint64_t>>;
};
}  // namespace detail

/// Holds a journal of any type. May be empty. Copies share the journal.
class any_journal {
public:
    any_journal() = default;  ///< empty

    template <class J>
        requires(!std::same_as<std::remove_cvref_t<J>, any_journal> && run_journal<std::remove_cvref_t<J>>)
    any_journal(J&& journal) : any_journal(std::make_shared<std::remove_cvref_t<J>>(std::forward<J>(journal))) {
        static_assert(detail::can_store<J>());
        static_assert(
            detail::claims<std::remove_cvref_t<J>> || !requires { &detail::unwrapped_t<std::remove_cvref_t<J>>::claim; },
            "the member `claim` of a journal is `result<std::uint64_t> claim(const std::string& run_id, std::uint64_t last)`");
    }

    template <class J>
        requires(!std::same_as<std::remove_cvref_t<J>, any_journal> && !run_journal<std::remove_cvref_t<J>>)
    any_journal(J&&) {
        static_assert(
            run_journal<std::remove_cvref_t<J>>,
            "a journal has `result<void> append(const journal_record&)`, as the value *file_journal::open(path) has; pass a journal that "
            "cannot be moved, or that a pointer owns, as pyaichat::borrow(journal)");
    }

    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(append_); }

    /// Appends to the journal. An empty object stores nothing and succeeds.
    [[nodiscard]] result<void> append(const journal_record& record) { return append_ ? append_(record) : result<void>(); }

    /// Claims a run. Returns 0 if the journal has no `claim`.
    [[nodiscard]] result<std::uint64_t> claim(const std::string& run_id, std::uint64_t last) {
        return claim_ ? claim_(run_id, last) : result<std::uint64_t>(std::uint64_t{0});
    }

private:
    template <class J>
    explicit any_journal(std::shared_ptr<J> shared) : append_([shared](const journal_record& record) { return shared->append(record); }) {
        if constexpr (detail::claims<J>) {
            claim_ = [shared](const std::string& run_id, std::uint64_t last) { return shared->claim(run_id, last); };
        }
    }

    std::function<result<void>(const journal_record&)> append_;
    std::function<result<std::uint64_t>(const std::string&, std::uint64_t)> claim_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
