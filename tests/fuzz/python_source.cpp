#include "python/python_lexer.hpp"

#include "fuzz.hpp"
#include "python/entry_state.hpp"
#include "python/python_highlight.hpp"

#include <string_view>

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    std::size_t end = 0;
    for (const repl::python_token& each : repl::lex_python(text).tokens) {
        fuzz::must(each.begin >= end && each.end > each.begin && each.end <= size, "tokens are in order and not empty");
        end = each.end;
    }
    end = 0;
    for (const repl::styled_span& each : repl::highlight_python(text)) {
        fuzz::must(each.begin >= end && each.end > each.begin && each.end <= size, "styles are in order and not empty");
        end = each.end;
    }
    const repl::entry_state state = repl::judge_entry(text);
    fuzz::must(state.indent.find_first_not_of(" \t\f") == std::string::npos, "an indent is made of blanks");
    return 0;
}
