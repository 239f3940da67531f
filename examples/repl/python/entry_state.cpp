#include "python/entry_state.hpp"

#include <pyaichat/core/text.hpp>

namespace repl {

entry_state judge_entry(std::string_view text) {
    const std::size_t line_begin = text.rfind('\n') + 1;
    const std::string_view line = text.substr(line_begin);
    if (pyaichat::detail::trimmed(line).ends_with(':')) {
        return {.complete = false, .indent = "    "};
    }
    return {.complete = line_begin == 0 || pyaichat::detail::is_blank(line), .indent = ""};
}

}  // namespace repl
