#include "editor/editor_core.hpp"
#include "editor/key_decoder.hpp"
#include "python/entry_state.hpp"
#include "python/python_highlight.hpp"

#include <pyaichat/core/text.hpp>

#include "fuzz.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace {

class fuzz_context final : public repl::entry_context {
public:
    [[nodiscard]] std::string prompt() const override { return "> "; }
    [[nodiscard]] std::string continuation_prompt() const override { return "| "; }
    [[nodiscard]] bool single_line() const override { return mode_ == 1; }
    std::string toggle_mode() override {
        mode_ = 1 - mode_;
        return {};
    }
    [[nodiscard]] int history() const override { return mode_; }
    [[nodiscard]] repl::entry_state judge(std::string_view entry) const override { return repl::judge_entry(entry); }
    [[nodiscard]] std::vector<repl::styled_span> highlight(std::string_view entry) const override { return repl::highlight_python(entry); }
    [[nodiscard]] repl::completion_list complete(std::string_view, std::size_t cursor) override {
        return {.begin = cursor, .end = cursor, .items = {{.text = "one"}, {.text = "other", .detail = "int"}}};
    }
    [[nodiscard]] std::string describe(std::string_view, std::size_t) override { return {}; }

private:
    int mode_ = 0;
};

/// The texts of all entries that the keys make.
std::string transcript(std::string_view bytes, std::size_t piece) {
    fuzz_context context;
    std::vector<repl::entry_history> histories(2);
    repl::editor_core core;
    core.begin(context, histories);
    repl::key_decoder decoder;
    std::string out;
    while (!bytes.empty()) {
        const std::string_view part = bytes.substr(0, piece);
        decoder.feed(part);
        bytes.remove_prefix(part.size());
        while (const auto pressed = decoder.next()) {
            const repl::editor_request request = core.press(*pressed);
            fuzz::must(pyaichat::detail::is_utf8(core.text()), "the text is UTF-8");
            fuzz::must(core.cursor() <= core.text().size(), "the cursor is in the text");
            const repl::editor_frame frame = core.frame(7, 5, true);
            fuzz::must(frame.rows.size() <= 5 && frame.cursor_row < frame.rows.size() && frame.cursor_column < 7, "the frame fits");
            for (const auto& row : frame.rows) {
                fuzz::must(row.size() <= 7, "a row fits");
            }
            if (request == repl::editor_request::accept) {
                out += core.text() + "\f";
                histories[static_cast<std::size_t>(context.history())].add(core.text());
                core.begin(context, histories);
            }
        }
    }
    return out + core.text();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::compare_splits(data, size, transcript);
}
