#include "python/python_lexer.hpp"

#include "fuzz.hpp"
#include "python/cursor_context.hpp"
#include "python/entry_names.hpp"
#include "python/entry_state.hpp"
#include "python/python_highlight.hpp"
#include "python/question_guess.hpp"

#include <string>
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
    for (const std::size_t cursor : {size, size / 2}) {
        const repl::cursor_context context = repl::context_at(text, cursor);
        fuzz::must(context.begin <= cursor, "the completed word begins before the cursor");
        fuzz::must(repl::object_at(text, cursor).size() <= size + 2, "the described object is in the text");
    }
    for (const std::string& name : repl::names_defined_in(text)) {
        fuzz::must(!name.empty() && text.find(name) != std::string_view::npos, "a defined name is in the text");
    }
    static_cast<void>(repl::looks_like_a_question(text));
    return 0;
}
