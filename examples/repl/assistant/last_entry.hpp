#pragma once
#include <pyaichat/capability/function.hpp>
#include <pyaichat/python/session.hpp>

#include "python/entry_record.hpp"

#include <string>

namespace repl {

/// The question before this one.
struct earlier_question {
    std::string question = {};  ///< empty = none
    std::string answer = {};
};

/// The last entry and the last question as the capability `get_last_entry` replies them.
[[nodiscard]] ai::json last_entry_report(const finished_entry& entry, const earlier_question& earlier);

/// The capability `get_last_entry`: what a question such as "what does this do?" is about. Its replies follow the session's rules for
/// privacy. `record` and `earlier` must outlive it.
[[nodiscard]] ai::function_capability last_entry_capability(ai::python::session session, const entry_record& record,
                                                            const earlier_question& earlier);

}  // namespace repl
