#pragma once

namespace repl {

/// Opens closed standard descriptors (0 to 2) as read-only `/dev/null`. Call it first: otherwise a file that is opened later gets such a
/// number, and output for the terminal goes to that file. Read-only, because a failing write is reported and a discarded one is not.
void open_standard_descriptors();

}  // namespace repl
