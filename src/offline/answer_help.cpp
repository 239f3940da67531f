#include "offline/answers.hpp"
#include "offline/closest_forms.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

std::string answer_help(const question& asked) {
    switch (asked.form) {
        case question_form::greeting:
            return "Hello. Ask about the Python session, for example: which variables are there? `what can you do?` lists all forms.";
        case question_form::thanks: return "You are welcome.";
        case question_form::farewell: return "Goodbye. Ctrl-D on an empty line ends most programs that ask questions at a prompt.";
        case question_form::identity:
            return "I am the offline provider: fixed rules over real function calls, not a language model. `what can you do?` lists what I "
                   "understand.";
        default: return all_forms();
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
