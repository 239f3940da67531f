#pragma once

namespace repl {

/// Makes descriptors 0, 1 and 2 open, to be called before anything else is opened: a file opened later would otherwise get such a number,
/// and what is meant for the terminal would land in it. A closed one becomes `/dev/null`, for reading only: reading ends at once, and
/// writing fails instead of being lost without a word.
void open_standard_descriptors();

}  // namespace repl
