#pragma once
#include <pyaichat/python/session.hpp>

#include <optional>
#include <string>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// Why there is no result.
enum class query_failure : unsigned char {
    none,
    refused,    ///< such as an expression that would run code
    no_answer,  ///< in time: Python is busy
};

/// Calls one of the session's capabilities on behalf of the prompt. Returns nothing if it fails or takes longer than `time`.
[[nodiscard]] std::optional<ai::json> query_session(ai::python::session& session, std::string capability, ai::json arguments,
                                                    ai::duration time, query_failure* failure = nullptr);

/// Lists up to `limit` variables whose names match `filter`, as `list_globals` describes them, from as many pages as it takes.
[[nodiscard]] std::optional<std::vector<ai::json>> query_variables(ai::python::session& session, const std::string& filter,
                                                                   std::size_t limit, ai::duration time);

}  // namespace repl
