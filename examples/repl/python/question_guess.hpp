#pragma once
#include <string_view>

namespace repl {

/// Whether an entry that Python refuses as a syntax error reads like a question or a request in English. Careful: faulty Python is not a
/// question. Looks only at the text.
[[nodiscard]] bool looks_like_a_question(std::string_view entry);

}  // namespace repl
