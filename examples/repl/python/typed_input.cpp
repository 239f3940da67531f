#include "python/typed_input.hpp"

#include <utility>

namespace repl {

pyaichat::python::input_line typed_input::read(const std::string& prompt) {
    if (!terminal_) {
        screen_.out(prompt);
    }
    entry line = editor_.read_input(prompt);
    using kind = pyaichat::python::input_line::kind;
    switch (line.what) {
        case entry::kind::interrupted: return {.what = kind::interrupted};
        case entry::kind::closed: return {.what = kind::end};
        case entry::kind::text: break;
    }
    return {.what = kind::line, .text = std::move(line.text)};
}

}  // namespace repl
