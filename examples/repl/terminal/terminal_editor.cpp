#include "terminal/interrupts.hpp"
#include "terminal/key_reader.hpp"
#include "terminal/line_editor.hpp"
#include "terminal/wide_text.hpp"

#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace repl {

namespace {

constexpr int history_size = 1000;
constexpr const wchar_t* indent = L"    ";
constexpr const char* paste_marks_on = "\033[?2004h";
constexpr const char* paste_marks_off = "\033[?2004l";

bool is_blank(std::wstring_view text) {
    return std::all_of(text.begin(), text.end(), [](wchar_t c) { return c == L' ' || c == L'\t'; });
}

/// Editing by libedit, without its signal handling and input: `interrupts` handles Ctrl-C, and `key_reader` detects pastes.
class terminal_editor final : public line_editor {
public:
    explicit terminal_editor(const std::vector<std::string>& history_files) : files_(history_files) {
        edit_ = el_init("pyaichat", stdin, stdout, stderr);
        if (edit_ == nullptr) {
            return;
        }
        el_wset(edit_, EL_CLIENTDATA, this);
        el_wset(edit_, EL_SIGNAL, 0);
        el_wset(edit_, EL_PROMPT, &terminal_editor::show_prompt);
        el_wset(edit_, EL_GETCFN, &terminal_editor::read_key);
        el_wset(edit_, EL_EDITOR, L"emacs");
        bind(L"pyaichat-tab", L"switch the mode, indent or complete", &terminal_editor::on_tab, L"^I");
        bind(L"pyaichat-mode", L"switch the mode", &terminal_editor::on_mode_key, L"\\ep");
        el_wset(edit_, EL_BIND, L"^R", L"em-inc-search-prev", static_cast<const wchar_t*>(nullptr));
        for (const std::string& file : files_) {
            HistoryW* history = history_winit();
            HistEventW event;
            history_w(history, &event, H_SETSIZE, history_size);
            history_w(history, &event, H_SETUNIQUE, 1);
            if (!file.empty()) {
                history_w(history, &event, H_LOAD, file.c_str());
            }
            histories_.push_back(history);
        }
    }
    terminal_editor(const terminal_editor&) = delete;
    terminal_editor& operator=(const terminal_editor&) = delete;
    ~terminal_editor() override {
        if (edit_ != nullptr) {
            el_end(edit_);
        }
        for (HistoryW* history : histories_) {
            history_wend(history);
        }
    }

    [[nodiscard]] bool usable() const noexcept { return edit_ != nullptr; }

    entered_line read(line_context& context) override {
        context_ = &context;
        interrupted_ = false;
        use_history();
        say(paste_marks_on);
        int length = 0;
        const wchar_t* line = el_wgets(edit_, &length);
        say(paste_marks_off);
        if (interrupted_) {
            say("^C\n");
            return {.what = entered_line::kind::interrupted};
        }
        if (line == nullptr || length <= 0) {
            say("\n");
            return {.what = entered_line::kind::closed};
        }
        std::wstring_view text(line, static_cast<std::size_t>(length));
        while (text.ends_with(L'\n') || text.ends_with(L'\r')) {
            text.remove_suffix(1);
        }
        if (!is_blank(text)) {
            HistEventW event;
            history_w(current_history(), &event, H_ENTER, std::wstring(text).c_str());
        }
        return {.what = entered_line::kind::line, .text = to_utf8(text), .pasted = keys_.pasted()};
    }

    void save() override {
        for (std::size_t at = 0; at < files_.size(); ++at) {
            if (!files_[at].empty()) {
                HistEventW event;
                history_w(histories_[at], &event, H_SAVE, files_[at].c_str());
            }
        }
    }

private:
    using edit_function = unsigned char (*)(EditLine*, wint_t);

    static terminal_editor& self(EditLine* edit) {
        void* data = nullptr;
        el_wget(edit, EL_CLIENTDATA, &data);
        return *static_cast<terminal_editor*>(data);
    }

    void bind(const wchar_t* name, const wchar_t* help, edit_function function, const wchar_t* key) {
        el_wset(edit_, EL_ADDFN, name, help, function);
        el_wset(edit_, EL_BIND, key, name, static_cast<const wchar_t*>(nullptr));
    }

    static wchar_t* show_prompt(EditLine* edit) {
        terminal_editor& me = self(edit);
        me.prompt_ = me.context_ != nullptr ? to_wide(me.context_->prompt()) : std::wstring();
        return me.prompt_.data();
    }

    static int read_key(EditLine* edit, wchar_t* key) {
        terminal_editor& me = self(edit);
        for (;;) {
            switch (me.keys_.next(*key)) {
                case key_reader::status::key:
                    if (me.keys_.pasted() && me.context_->single_line() && (*key == L'\n' || *key == L'\t')) {
                        *key = L' ';
                    }
                    return 1;
                case key_reader::status::closed: return 0;
                case key_reader::status::interrupted: break;
            }
            if (interrupts::take_continue()) {
                // The shell has changed the terminal settings meanwhile.
                el_wset(edit, EL_PREP_TERM, 0);
                el_wset(edit, EL_PREP_TERM, 1);
                el_wset(edit, EL_REFRESH);
            }
            if (interrupts::take_resize()) {
                el_resize(edit);
            }
            if (interrupts::take()) {
                me.interrupted_ = true;
                errno = EINTR;
                return -1;
            }
        }
    }

    static unsigned char on_mode_key(EditLine* edit, wint_t) {
        terminal_editor& me = self(edit);
        me.context_->toggle_mode();
        me.use_history();
        return CC_REDISPLAY;
    }

    static unsigned char on_tab(EditLine* edit, wint_t key) {
        terminal_editor& me = self(edit);
        if (me.keys_.pasted()) {
            return insert(edit, L"\t");
        }
        const LineInfoW* line = el_wline(edit);
        const std::wstring_view whole(line->buffer, static_cast<std::size_t>(line->lastchar - line->buffer));
        if (is_blank(whole) && me.context_->continuing()) {
            return insert(edit, indent);
        }
        return whole.empty() ? on_mode_key(edit, key)
                             : me.complete(std::wstring_view(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer)));
    }

    static unsigned char insert(EditLine* edit, const wchar_t* text) {
        return el_winsertstr(edit, text) == 0 ? static_cast<unsigned char>(CC_REFRESH) : static_cast<unsigned char>(CC_ERROR);
    }

    /// Inserts the common prefix of all candidates, or lists the candidates if the prefix is already there.
    unsigned char complete(std::wstring_view before) {
        const std::vector<std::string> candidates = context_->complete(to_utf8(before));
        if (candidates.empty()) {
            return CC_ERROR;
        }
        std::string common = candidates.front();
        for (const std::string& candidate : candidates) {
            const auto end = std::mismatch(common.begin(), common.end(), candidate.begin(), candidate.end()).first;
            common.erase(end, common.end());
        }
        const std::wstring wide = to_wide(common);
        std::size_t typed = std::min(wide.size(), before.size());
        while (typed > 0 && !before.ends_with(std::wstring_view(wide).substr(0, typed))) {
            --typed;
        }
        if (typed < wide.size()) {
            return insert(edit_, wide.substr(typed).c_str());
        }
        if (candidates.size() == 1) {
            return CC_NORM;
        }
        std::string listing = "\n";
        for (const std::string& candidate : candidates) {
            listing += candidate + "  ";
        }
        say(listing + "\n");
        return CC_REDISPLAY;
    }

    [[nodiscard]] HistoryW* current_history() const { return histories_[static_cast<std::size_t>(context_->history())]; }

    void use_history() { el_wset(edit_, EL_HIST, history_w, current_history()); }

    static void say(std::string_view text) {
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    }

    std::vector<std::string> files_;
    EditLine* edit_ = nullptr;
    std::vector<HistoryW*> histories_;
    line_context* context_ = nullptr;
    key_reader keys_{0};
    std::wstring prompt_;
    bool interrupted_ = false;
};

}  // namespace

std::unique_ptr<line_editor> make_terminal_editor(const std::vector<std::string>& history_files) {
    const char* terminal = std::getenv("TERM");
    if (::isatty(0) != 1 || ::isatty(1) != 1 || terminal == nullptr || std::string_view(terminal).empty() ||
        std::string_view(terminal) == "dumb") {
        return nullptr;
    }
    auto editor = std::make_unique<terminal_editor>(history_files);
    return editor->usable() ? std::move(editor) : nullptr;
}

}  // namespace repl
