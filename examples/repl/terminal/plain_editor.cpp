#include "terminal/plain_editor.hpp"

#include "terminal/interrupts.hpp"
#include "terminal/piped_block.hpp"

#include <pyaichat/core/text.hpp>

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>

namespace repl {

namespace {

/// Reads lines without editing. At a terminal, a line with only TABs switches the mode, as in the other editor.
class plain_editor final : public entry_editor {
public:
    explicit plain_editor(bool prompts) : prompts_(prompts) {}

    entry read(entry_context& context) override { return prompts_ ? read_typed(context) : read_piped(context); }

    entry read_input(const std::string& prompt) override {
        say(prompt);
        return kept_ ? entry{.what = entry::kind::text, .text = *std::exchange(kept_, std::nullopt)} : read_line();
    }

    /// Nobody could change the text: it is shown above the prompt.
    void prefill(std::string text) override { say(text + "\n"); }

    void add_history(int, const std::string&) override {}

private:
    enum class filled : unsigned char { more, interrupted, closed };

    entry read_typed(entry_context& context) {
        std::string text;
        say(context.prompt());
        for (;;) {
            entry line = read_line();
            if (line.what == entry::kind::closed && !text.empty()) {
                return {.what = entry::kind::text, .text = std::move(text)};
            }
            if (line.what != entry::kind::text) {
                return line;
            }
            if (text.empty() && !line.text.empty() && line.text.find_first_not_of('\t') == std::string::npos) {
                if (const std::string offered = context.toggle_mode(); !offered.empty()) {
                    prefill(offered);
                }
                say(context.prompt());
                continue;
            }
            text += text.empty() ? line.text : "\n" + line.text;
            if (context.single_line() || context.judge(text).complete) {
                return {.what = entry::kind::text, .text = std::move(text)};
            }
            say(context.continuation_prompt());
        }
    }

    entry read_piped(const entry_context& context) {
        for (;;) {
            entry line = kept_ ? entry{.what = entry::kind::text, .text = *std::exchange(kept_, std::nullopt)} : read_line();
            if (line.what == entry::kind::closed && !block_.empty()) {
                return {.what = entry::kind::text, .text = block_.take() + "\n"};
            }
            if (line.what != entry::kind::text) {
                static_cast<void>(block_.take());
                return line;
            }
            if (context.single_line()) {
                return line;
            }
            if (block_.empty() && pyaichat::detail::is_blank(line.text)) {
                continue;
            }
            if (block_.empty() && is_command(line.text)) {
                return line;
            }
            switch (block_.add(line.text, context)) {
                case piped_block::effect::needs_more: break;
                case piped_block::effect::complete: return {.what = entry::kind::text, .text = block_.take()};
                case piped_block::effect::complete_before:
                    kept_ = std::move(line.text);
                    return {.what = entry::kind::text, .text = block_.take()};
            }
        }
    }

    static bool is_command(std::string_view line) { return pyaichat::detail::trimmed(line).starts_with('/'); }

    entry read_line() {
        for (;;) {
            if (bytes_.find('\n') != std::string::npos) {
                skip_byte_order_mark();
                const std::size_t end = bytes_.find('\n');
                std::string text = bytes_.substr(0, end);
                bytes_.erase(0, end + 1);
                return finish(std::move(text));
            }
            switch (fill()) {
                case filled::more: break;
                case filled::interrupted:
                    bytes_.clear();
                    say("\n");
                    return {.what = entry::kind::interrupted};
                case filled::closed:
                    skip_byte_order_mark();
                    if (bytes_.empty()) {
                        return {.what = entry::kind::closed};
                    }
                    return finish(std::exchange(bytes_, {}));
            }
        }
    }

    void skip_byte_order_mark() {
        if (std::exchange(at_start_, false) && !prompts_ && bytes_.starts_with("\xEF\xBB\xBF")) {
            bytes_.erase(0, 3);
        }
    }

    static entry finish(std::string text) {
        if (text.ends_with('\r')) {
            text.pop_back();
        }
        return {.what = entry::kind::text, .text = std::move(text)};
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

    void say(const std::string& text) const {
        if (prompts_) {
            std::fwrite(text.data(), 1, text.size(), stdout);
            std::fflush(stdout);
        }
    }

    bool prompts_;
    bool at_start_ = true;
    std::string bytes_;
    piped_block block_;                // of an unfinished entry
    std::optional<std::string> kept_;  // the line behind the last entry
};

}  // namespace

std::unique_ptr<entry_editor> make_plain_editor(bool prompts) {
    return std::make_unique<plain_editor>(prompts);
}

}  // namespace repl
