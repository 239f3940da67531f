#pragma once
#include <pyaichat/runtime/file_journal.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// What the text of a journal says.
struct journal_lines {
    std::vector<journalled_run> runs = {};
    std::size_t whole = 0;  ///< bytes up to the end of the last whole record; what is behind was written by half
};

/// A record as one line, its end included. Fails with `too_large` when it nests too deep to be read again.
[[nodiscard]] result<std::string> written_line(const journal_record& record);

/// Fails with `bad_response`, which names the line. A last record that was written by half is no failure.
[[nodiscard]] result<journal_lines> read_lines(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
