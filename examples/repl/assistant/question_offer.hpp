#pragma once
#include <pyaichat/python/session.hpp>

#include "terminal/screen.hpp"

#include <string>
#include <utility>

namespace repl {

namespace ai = pyaichat;

/// English that was typed at `py>`: after its SyntaxError the prompt offers to ask it, and TAB on the next empty line takes the offer.
class question_offer {
public:
    /// Makes an offer in a terminal, if the entry failed as no Python and looks like a question.
    void consider(const std::string& entry, const ai::python::outcome& outcome, screen& screen);

    /// The text of the question, once. Empty if there is no offer.
    [[nodiscard]] std::string take() { return std::exchange(question_, {}); }
    /// Withdraws the offer: something else was entered.
    void forget() { question_.clear(); }

private:
    std::string question_;
};

}  // namespace repl
