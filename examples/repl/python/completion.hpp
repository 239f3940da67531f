#pragma once
#include <pyaichat/python/session.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace repl {

namespace ai = pyaichat;

struct completion {
    std::string text = {};    ///< replaces the completed range of the entry
    std::string detail = {};  ///< a few words for the menu: "function", "module", "int"; may be empty
};

/// The candidates for the text around the cursor.
struct completion_list {
    std::size_t begin = 0;  ///< the range of the entry that a candidate replaces, in bytes
    std::size_t end = 0;
    std::vector<completion> items = {};  ///< sorted as the menu shows them
    bool cut = false;                    ///< there are more candidates: the common prefix of `items` means nothing
};

/// How long completion waits for Python. A longer wait would feel like a blocked keyboard.
inline constexpr ai::duration completion_patience = std::chrono::milliseconds(200);

/// Completes Python source at the cursor: variables, built-in names, keywords, attributes, modules in import statements, keys of dicts,
/// keyword arguments, file names in strings. Runs no user code. Returns an empty list if Python is busy.
[[nodiscard]] completion_list complete_python(ai::python::session& session, std::string_view entry, std::size_t cursor,
                                              ai::duration patience = completion_patience);

/// Describes what the cursor stands in: the signature of the called function and the first line of its documentation. Empty if nothing is
/// known. Runs no user code.
[[nodiscard]] std::string describe_call_at(ai::python::session& session, std::string_view entry, std::size_t cursor,
                                           ai::duration patience = completion_patience);

}  // namespace repl
