#include <pyaichat/policy/run_journal.hpp>

#include <pyaichat/policy/borrow.hpp>
#include <pyaichat/runtime/file_journal.hpp>

namespace ai = pyaichat;

namespace {

// [archetype]
struct archetype {
    archetype(archetype&&) = default;
    archetype& operator=(archetype&&) = delete;
    ai::result<void> append(const ai::journal_record&);
};
static_assert(ai::run_journal<archetype>);
// [/archetype]
static_assert(ai::run_journal<ai::no_journal>);
static_assert(ai::run_journal<ai::any_journal>);
static_assert(ai::run_journal<ai::file_journal>);
static_assert(ai::run_journal<ai::borrowed<archetype>>);
static_assert(std::is_constructible_v<ai::any_journal, archetype>);

// Whether a record was kept must not be lost.
struct cannot_fail {
    void append(const ai::journal_record&);
};
static_assert(!ai::run_journal<cannot_fail>);

struct says_yes_or_no {
    bool append(const ai::journal_record&);
};
static_assert(!ai::run_journal<says_yes_or_no>);

struct wants_to_change_the_record {
    ai::result<void> append(ai::journal_record&);
};
static_assert(!ai::run_journal<wants_to_change_the_record>);

struct cannot_be_moved {
    cannot_be_moved(cannot_be_moved&&) = delete;
    ai::result<void> append(const ai::journal_record&);
};
static_assert(!ai::run_journal<cannot_be_moved> && ai::run_journal<ai::borrowed<cannot_be_moved>>);

}  // namespace
