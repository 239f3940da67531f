#include "terminal/interrupts.hpp"
#include "terminal/line_editor.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace repl {

namespace {

/// Reads lines without editing. At a terminal, a line with only TABs switches the mode, as in the other editor.
class plain_editor final : public line_editor {
public:
    explicit plain_editor(bool prompts) : prompts_(prompts) {}

    entered_line read(line_context& context) override {
        show_prompt(context);
        for (;;) {
            if (bytes_.find('\n') != std::string::npos) {
                skip_byte_order_mark();
                const std::size_t end = bytes_.find('\n');
                std::string text = bytes_.substr(0, end);
                bytes_.erase(0, end + 1);
                if (prompts_ && !context.continuing() && !text.empty() && text.find_first_not_of('\t') == std::string::npos) {
                    context.toggle_mode();
                    show_prompt(context);
                    continue;
                }
                return finish(std::move(text));
            }
            switch (fill()) {
                case filled::more: break;
                case filled::interrupted:
                    bytes_.clear();
                    say("\n");
                    return {.what = entered_line::kind::interrupted};
                case filled::closed:
                    skip_byte_order_mark();
                    if (bytes_.empty()) {
                        return {.what = entered_line::kind::closed};
                    }
                    return finish(std::exchange(bytes_, {}));
            }
        }
    }

private:
    enum class filled { more, interrupted, closed };

    void skip_byte_order_mark() {
        if (std::exchange(at_start_, false) && !prompts_ && bytes_.starts_with("\xEF\xBB\xBF")) {
            bytes_.erase(0, 3);
        }
    }

    entered_line finish(std::string text) const {
        if (text.ends_with('\r')) {
            text.pop_back();
        }
        return {.what = entered_line::kind::line, .text = std::move(text), .pasted = !prompts_};
    }

    filled fill() {
        for (;;) {
            std::array<pollfd, 2> ready = {pollfd{.fd = 0, .events = POLLIN, .revents = 0},
                                           pollfd{.fd = interrupts::wake_descriptor(), .events = POLLIN, .revents = 0}};
            const int count = ::poll(ready.data(), ready.size(), -1);
            if (count < 0 || ready[1].revents != 0) {
                if (interrupts::take()) {
                    return filled::interrupted;
                }
                continue;
            }
            std::array<char, 4096> chunk;
            const ssize_t got = ::read(0, chunk.data(), chunk.size());
            if (got > 0) {
                bytes_.append(chunk.data(), static_cast<std::size_t>(got));
                return filled::more;
            }
            if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
                return filled::closed;
            }
        }
    }

    void show_prompt(const line_context& context) const {
        if (prompts_) {
            say(context.prompt());
        }
    }

    void say(const std::string& text) const {
        if (prompts_) {
            std::fwrite(text.data(), 1, text.size(), stdout);
            std::fflush(stdout);
        }
    }

    bool prompts_;
    bool at_start_ = true;
    std::string bytes_;
};

}  // namespace

std::unique_ptr<line_editor> make_plain_editor(bool prompts) {
    return std::make_unique<plain_editor>(prompts);
}

}  // namespace repl
