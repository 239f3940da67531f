#pragma once
#include <pyaichat/runtime/file_journal.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The parsed text of a journal.
struct journal_lines {
    std::vector<journalled_run> runs = {};
    std::size_t whole = 0;  ///< bytes up to the end of the last complete record
};

/// Encodes a record as one line with its line end. Fails with `too_large` if it nests too deep to be read again.
[[nodiscard]] result<std::string> encode_line(const journal_record& record);

/// Parses the records. An incomplete last record is skipped. Fails with `bad_response`; the message names the line.
[[nodiscard]] result<journal_lines> read_lines(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
