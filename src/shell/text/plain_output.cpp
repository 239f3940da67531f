#include "shell/text/plain_output.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

void plain_output::feed(std::string_view bytes, std::string& out) {
    out_ = &out;
    reader_.feed(bytes, *this);
    out_ = nullptr;
}

void plain_output::finish(std::string& out) {
    out_ = &out;
    reader_.finish(*this);
    end_line();
    out_ = nullptr;
}

void plain_output::text(std::string_view run) {
    while (!run.empty()) {
        run = line_.write(run);
        if (line_.is_full()) {
            end_line();
        }
    }
}

void plain_output::control(char code) {
    switch (code) {
        case '\n':
        case '\v':
        case '\f':
            end_line();
            *out_ += '\n';
            break;
        case '\t': text("\t"); break;
        case '\r': line_.carriage_return(); break;
        case '\b': line_.backspace(); break;
        default: break;
    }
}

void plain_output::sequence(std::string_view parameters, char final_byte) {
    line_.sequence(parameters, final_byte);
}

void plain_output::end_line() {
    *out_ += line_.text();
    line_.clear();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
