#include "shell/text/safe_output.hpp"

#include <charconv>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069: they can make a text look like another one.
bool changes_direction(std::string_view character) noexcept {
    return character == "\xD8\x9C" || character == "\xE2\x80\x8E" || character == "\xE2\x80\x8F" ||
           (character.size() == 3 && ((character.starts_with("\xE2\x80") && character[2] >= '\xAA' && character[2] <= '\xAE') ||
                                      (character.starts_with("\xE2\x81") && character[2] >= '\xA6' && character[2] <= '\xA9')));
}

/// Takes the number in front, and its separator. An empty one is 0.
int take_number(std::string_view& parameters) noexcept {
    int number = 0;
    std::from_chars(parameters.data(), parameters.data() + parameters.size(), number);
    const std::size_t end = parameters.find(';');
    parameters.remove_prefix(end == std::string_view::npos ? parameters.size() : end + 1);
    return number;
}

constexpr int concealed = 8;

/// Whether the parameters of `ESC [ ... m` are only colours and styles in which text can be read.
bool is_harmless_style(std::string_view parameters) noexcept {
    constexpr std::size_t longest = 32;
    if (parameters.size() > longest || parameters.find_first_not_of("0123456789;:") != std::string_view::npos) {
        return false;
    }
    while (!parameters.empty()) {
        const int style = take_number(parameters);
        if (style == concealed) {
            return false;
        }
        if (style == 38 || style == 48 || style == 58) {  // a colour follows: `5;index` or `2;red;green;blue`
            const int form = take_number(parameters);
            for (int rest = form == 5 ? 1 : form == 2 ? 3 : 0; rest > 0; --rest) {
                take_number(parameters);
            }
        }
    }
    return true;
}

}  // namespace

void safe_output::feed(std::string_view bytes, std::string& out) {
    out_ = &out;
    reader_.feed(bytes, *this);
    out_ = nullptr;
}

void safe_output::show_progress(std::string& out) {
    if (overwriting_) {
        out_ = &out;
        show_changes();
        out_ = nullptr;
    }
}

void safe_output::finish(std::string& out) {
    out_ = &out;
    reader_.finish(*this);
    end_line();
    if (styled_) {
        out += "\x1B[0m";
        styled_ = false;
    }
    out_ = nullptr;
}

void safe_output::text(std::string_view run) {
    if (changes_direction(run)) {
        return;
    }
    while (!run.empty()) {
        const std::string_view rest = line_.write(run);
        if (!overwriting_) {
            *out_ += run.substr(0, run.size() - rest.size());
        }
        run = rest;
        if (line_.is_full()) {
            end_line();
        }
    }
}

void safe_output::control(char code) {
    switch (code) {
        case '\n':
        case '\v':
        case '\f':
            end_line();
            *out_ += '\n';
            break;
        case '\t': text("\t"); break;
        case '\r':
            begin_overwriting();
            line_.carriage_return();
            break;
        case '\b':
            begin_overwriting();
            line_.backspace();
            break;
        default: break;
    }
}

void safe_output::sequence(std::string_view parameters, char final_byte) {
    if (final_byte == 'm') {
        if (!overwriting_ && is_harmless_style(parameters)) {
            ((*out_ += "\x1B[") += parameters) += 'm';
            styled_ = parameters.find_first_not_of("0;") != std::string_view::npos;
        }
    } else if (std::string_view("KGCD").find(final_byte) != std::string_view::npos) {
        begin_overwriting();
        line_.sequence(parameters, final_byte);
    }
}

void safe_output::begin_overwriting() {
    if (!overwriting_) {
        overwriting_ = true;
        shown_ = line_.text();
        shown_.erase(shown_.find_last_not_of(' ') + 1);  // as the line gives it from now on
    }
}

void safe_output::show_changes() {
    std::string now = line_.text();
    if (now.starts_with(shown_)) {
        *out_ += std::string_view(now).substr(shown_.size());
    } else if (!now.empty()) {
        (*out_ += '\n') += now;
    } else {
        return;
    }
    shown_ = std::move(now);
}

void safe_output::end_line() {
    if (overwriting_) {
        show_changes();
    }
    overwriting_ = false;
    shown_.clear();
    line_.clear();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
