#include "editor/bracket_match.hpp"
#include "editor/editor_core.hpp"

namespace repl {

namespace {

constexpr std::size_t most_highlighted = 65536;  // a longer text is shown plain: each key has to be quick
constexpr std::size_t most_suggested = 4096;

}  // namespace

std::string_view editor_core::suggestion() {
    const bool wanted = buffer_.at_end() && !history().browsing() && !search_.active() && !menu_.is_open() && note_.empty() &&
                        buffer_.text().size() < most_suggested;
    return wanted ? history().suggestion(buffer_.text()) : std::string_view();
}

void editor_core::refresh_spans() {
    if (spans_version_ == buffer_.version()) {
        return;
    }
    spans_version_ = buffer_.version();
    spans_ = buffer_.text().size() <= most_highlighted ? context_->highlight(buffer_.text()) : std::vector<styled_span>();
}

frame_content editor_core::content() {
    prompt_ = context_->prompt();
    continuation_prompt_ = context_->continuation_prompt();
    return {.text = buffer_.text(), .cursor = buffer_.cursor(), .prompt = prompt_, .continuation_prompt = continuation_prompt_};
}

editor_frame editor_core::frame(std::size_t width, std::size_t height, bool color) {
    frame_content shown = content();
    std::string rest;
    if (color) {
        refresh_spans();
        shown.spans = spans_;
        shown.highlights = matching_brackets(shown.text, shown.cursor, spans_);
        rest = suggestion();
        if (const std::size_t end = rest.find('\n'); end != std::string::npos) {
            rest.replace(end, std::string::npos, " ...");
        }
        shown.suggestion = rest;
    }
    if (menu_.is_open()) {
        shown.extras = menu_.rows();
    } else if (search_.active()) {
        shown.extras = {search_.row()};
    } else if (!note_.empty()) {
        shown.extras = {{.text = note_, .spans = {{.begin = 0, .end = note_.size(), .style = text_style::dimmed}}}};
    }
    return lay_out(shown, width, height);
}

editor_frame editor_core::final_frame(std::size_t width, std::size_t height, bool color) {
    frame_content shown = content();
    if (color) {
        refresh_spans();
        shown.spans = spans_;
    }
    return lay_out(shown, width, height);
}

}  // namespace repl
