#include "editor/prompt_session.hpp"

#include "editor/external_editor.hpp"
#include "editor/grapheme.hpp"
#include "terminal/interrupts.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

namespace repl {

namespace {

constexpr std::size_t longest_open_output = 1024;

void write_to_terminal(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(1, text.data(), text.size());
        if (written > 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            pollfd ready{.fd = 1, .events = POLLOUT, .revents = 0};
            ::poll(&ready, 1, 1000);
        } else if (errno != EINTR) {
            return;
        }
    }
}

void query_size(std::size_t& width, std::size_t& height) {
    winsize size = {};
    if (::ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && size.ws_row > 0) {
        width = size.ws_col;
        height = size.ws_row;
    }
}

}  // namespace

prompt_session::prompt_session(entry_context& context, std::vector<entry_history>& histories, key_source& keys, screen& screen, bool color)
    : context_(context),
      histories_(histories),
      keys_(keys),
      screen_(screen),
      color_(color),
      output_descriptor_(screen.hold()),
      painter_((query_size(width_, height_), width_), color) {}

prompt_session::~prompt_session() {
    raw_.leave();
    screen_.release();
}

entry prompt_session::run(std::string text) {
    core_.begin(context_, histories_, std::move(text));
    keys_.read_typed_ahead();
    write_to_terminal("\r");  // over an unfinished line, which is a part of the prompt
    show_frame();
    for (;;) {
        switch (keys_.wait(output_descriptor_)) {
            case key_source::event::output: show_output(); continue;
            case key_source::event::closed: return finish(entry::kind::closed, "");
            case key_source::event::signal:
                if (take_signals()) {
                    return finish(entry::kind::interrupted, "^C");
                }
                continue;
            case key_source::event::key: break;
        }
        switch (press()) {
            case editor_request::accept: return finish(entry::kind::text, "");
            case editor_request::close: return finish(entry::kind::closed, "");
            case editor_request::interrupt:
                // As the terminal would do it: Python may be busy in the background.
                std::raise(SIGINT);
                static_cast<void>(interrupts::take());
                return finish(entry::kind::interrupted, "^C");
            case editor_request::open_editor: open_editor(); break;
            case editor_request::clear_screen:
                write_to_terminal("\033[H\033[2J");
                painter_.forget();
                open_output_.clear();
                break;
            case editor_request::suspend: suspend(); break;
            case editor_request::quit:
                write_to_terminal(painter_.finish());
                raw_.leave();
                std::raise(SIGQUIT);
                raw_.enter();
                break;
            case editor_request::none: break;
        }
        if (!keys_.has_input()) {
            show_frame();
        }
    }
}

editor_request prompt_session::press() {
    const key& pressed = keys_.pressed();
    // A TAB at the begin of an unmarked paste must not switch the mode: wait for what follows.
    const bool waits = pressed.name == key_name::tab && core_.text().empty();
    const bool burst = keys_.in_burst(waits);
    return core_.press(pressed, burst);
}

void prompt_session::show_frame() {
    write_to_terminal(painter_.paint(core_.frame(width_, height_, color_)));
}

entry prompt_session::finish(entry::kind what, std::string_view mark) {
    const editor_frame last = core_.final_frame(width_, height_, color_);
    std::string bytes = painter_.paint(last);
    if (!mark.empty()) {
        bytes += mark;
    }
    write_to_terminal(bytes + painter_.finish());
    raw_.leave();
    return {.what = what, .text = what == entry::kind::text ? core_.text() : std::string()};
}

/// Other threads have printed: their text goes above the prompt. An unfinished line stays open for the text that follows.
void prompt_session::show_output() {
    std::string text = screen_.take_held();
    if (text.empty()) {
        return;
    }
    std::string bytes = painter_.erase();
    if (!open_output_.empty()) {
        const auto width = static_cast<std::size_t>(text_width(open_output_));
        bytes += "\033[" + std::to_string(std::max(width + width_ - 1, width_) / width_) + "A";
        text.insert(0, open_output_);
    }
    const std::size_t line = text.rfind('\n') + 1;  // npos + 1 is 0
    open_output_ = text.substr(line);
    bytes += text;
    if (!open_output_.empty()) {
        bytes += "\r\n";
    }
    if (open_output_.size() > longest_open_output || printable(open_output_) != open_output_ ||
        open_output_.find('\t') != std::string::npos) {
        open_output_.clear();  // nobody knows how many rows it takes
    }
    write_to_terminal(bytes);
    show_frame();
}

bool prompt_session::take_signals() {
    const bool interrupted = interrupts::take();
    if (interrupts::take_continue()) {
        // The shell has changed the terminal settings meanwhile, and has perhaps printed something.
        raw_.leave();
        raw_.enter();
        painter_.forget();
        write_to_terminal("\r\033[J");
        open_output_.clear();
    }
    if (interrupts::take_resize()) {
        query_size(width_, height_);
        write_to_terminal(painter_.resize(width_));
        open_output_.clear();
    }
    if (!interrupted) {
        show_frame();
    }
    return interrupted;
}

void prompt_session::suspend() {
    write_to_terminal(painter_.finish());
    raw_.leave();
    std::raise(SIGTSTP);
    raw_.enter();
    static_cast<void>(interrupts::take_continue());
}

void prompt_session::open_editor() {
    write_to_terminal(painter_.erase());
    raw_.leave();
    termios before = {};
    const bool known = ::tcgetattr(0, &before) == 0;
    auto edited = edit_externally(core_.text());
    if (known) {
        ::tcsetattr(0, TCSADRAIN, &before);  // an editor that was killed leaves its own settings
    }
    static_cast<void>(interrupts::take());
    raw_.enter();
    static_cast<void>(interrupts::take_continue());
    if (edited) {
        core_.replace_text(*edited);
    } else {
        write_to_terminal(edited.error().message + "\r\n");
    }
}

}  // namespace repl
