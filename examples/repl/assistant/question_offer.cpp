#include "assistant/question_offer.hpp"

#include "python/question_guess.hpp"

#include <pyaichat/core/text.hpp>

namespace repl {

namespace {

constexpr std::size_t longest_question = 2000;

}  // namespace

void question_offer::consider(const std::string& entry, const ai::python::outcome& outcome, screen& screen) {
    const bool is_syntax_error =
        outcome.exception && (outcome.exception->exc_type == "SyntaxError" || outcome.exception->exc_type == "IndentationError");
    if (!screen.is_terminal() || !is_syntax_error || !looks_like_a_question(entry)) {
        return;
    }
    question_ = ai::detail::one_row(ai::detail::trimmed(entry), longest_question);
    screen.notice("ask this? TAB");
}

}  // namespace repl
