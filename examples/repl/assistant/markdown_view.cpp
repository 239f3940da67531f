#include "assistant/markdown_view.hpp"

#include "assistant/markdown_table.hpp"
#include "editor/style_table.hpp"
#include "python/python_highlight.hpp"
#include "python/python_lexer.hpp"
#include "terminal/screen.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <utility>

namespace repl {

namespace {

constexpr std::size_t most_table_bytes = std::size_t{64} << 10;
/// Longer code is shown plain: it is highlighted from its begin for each line.
constexpr std::size_t most_highlighted = std::size_t{4} << 10;
constexpr std::size_t rule_width = 40;

std::size_t sequence_length(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    return byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
}

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
}

bool is_python(std::string_view language) {
    const std::string name = pyaichat::detail::ascii_lower(language);
    return name.empty() || name == "python" || name == "python3" || name == "py";
}

std::size_t indent_of(std::string_view line) {
    return std::min(line.find_first_not_of(" \t"), line.size());
}

std::size_t same_characters(std::string_view text) {
    return std::min(text.find_first_not_of(text.front()), text.size());
}

/// The length of "12. " with its blank, 0 if the text is not a numbered item, `npos` if it may become one.
std::size_t number_mark(std::string_view text, bool ended) {
    std::size_t digits = 0;
    while (digits < text.size() && pyaichat::detail::is_digit(text[digits])) {
        ++digits;
    }
    if (digits == 0 || digits > 9) {
        return 0;
    }
    const std::size_t mark = digits < text.size() && (text[digits] == '.' || text[digits] == ')') ? digits + 1 : digits;
    if (mark == text.size()) {
        return ended ? 0 : std::string_view::npos;
    }
    return mark > digits && text[mark] == ' ' ? mark + 1 : 0;
}

std::string code_of(text_style style) {
    return std::string(style_parameters(style));
}

}  // namespace

std::string markdown_view::feed(std::string_view piece) {
    for (const char c : piece) {
        if (!bytes_.empty() && !is_continuation(c)) {
            bytes_.clear();
            read_character("\xEF\xBF\xBD");
        }
        bytes_ += c;
        if (bytes_.size() == sequence_length(bytes_.front())) {
            read_character(pyaichat::detail::repair_utf8(std::exchange(bytes_, {})));
        }
    }
    return take_output();
}

std::string markdown_view::take_output() {
    std::string raw = std::exchange(raw_, {});
    std::string styled = std::exchange(out_, {});
    return settings_.styled ? styled : raw;
}

std::string markdown_view::finish() {
    if (!std::exchange(bytes_, {}).empty()) {
        read_character("\xEF\xBF\xBD");
    }
    switch (place_) {
        case place::line_begin:
            if (!held_.empty()) {
                read_begin(true);
            }
            break;
        case place::in_line: break;
        case place::in_code:
            if (!held_.empty()) {
                read_code_line();
            }
            break;
    }
    if (place_ == place::in_line) {
        drain(true);
    }
    flush_table();
    put("", "");
    place_ = place::line_begin;
    held_.clear();
    quoted_ = false;
    return take_output();
}

void markdown_view::read_character(const std::string& character) {
    const std::string shown = printable(character);
    raw_ += shown;
    const bool ends_line = shown == "\n";
    if (!ends_line) {
        held_ += shown;
    }
    switch (place_) {
        case place::line_begin: read_begin(ends_line); break;
        case place::in_line: drain(ends_line); break;
        case place::in_code:
            if (ends_line) {
                read_code_line();
                if (place_ == place::in_code) {
                    put("", "\n");
                }
                held_.clear();
            }
            return;
    }
    if (ends_line) {
        end_line();
    }
}

void markdown_view::read_begin(bool ended) {
    while (place_ == place::line_begin && decide_line(ended)) {
    }
}

bool markdown_view::decide_line(bool ended) {
    const std::size_t indent = indent_of(held_);
    const std::string_view rest = std::string_view(held_).substr(indent);
    if (rest.empty()) {
        if (ended) {
            flush_table();
        }
        return false;
    }
    const char first = rest.front();
    const std::size_t run = same_characters(rest);
    const bool run_goes_on = run == rest.size() && !ended;
    if (first == '|' && !quoted_ && !settings_.only_code) {
        if (ended) {
            table_.push_back(held_);
            table_bytes_ += held_.size();
            held_.clear();
            if (table_bytes_ > most_table_bytes) {
                flush_table();
            }
        }
        return false;
    }
    if ((first == '`' || first == '~') && (run >= 3 || run_goes_on)) {
        if (ended && (first == '~' || rest.find('`', run) == std::string_view::npos)) {
            flush_table();
            begin_code(held_);
            return false;
        }
        if (!ended) {
            return false;
        }
    }
    if (settings_.only_code) {
        begin_text(0, "", "");
        return true;
    }
    if (first == '#' && run <= 6 && (run == rest.size() || rest[run] == ' ')) {
        // The text begins behind the blanks.
        const std::size_t text = std::min(rest.find_first_not_of(' ', run), rest.size());
        if (text < rest.size() || ended) {
            begin_text(indent + text, "", code_of(text_style::heading));
            return true;
        }
        return false;
    }
    if (first == '>') {
        if (rest.size() == 1 && !ended) {
            return false;
        }
        flush_table();
        put(code_of(text_style::dimmed), "│ ");
        held_.erase(0, indent + (rest.size() > 1 && rest[1] == ' ' ? 2 : 1));
        quoted_ = true;
        return true;
    }
    if (first == '-' || first == '*' || first == '_' || first == '+') {
        if (run_goes_on) {
            return false;
        }
        if (run == rest.size() && run >= 3 && first != '+') {
            std::string rule;
            for (std::size_t i = 0; i < rule_width; ++i) {
                rule += "─";
            }
            begin_text(held_.size(), rule, "");
            return true;
        }
        if (run == 1 && first != '_' && rest.size() > 1 && rest[1] == ' ') {
            begin_text(indent + 2, held_.substr(0, indent) + (indent == 0 ? "• " : "◦ "), "");
            return true;
        }
    }
    if (const std::size_t mark = number_mark(rest, ended); mark == std::string_view::npos) {
        return false;
    } else if (mark > 0) {
        begin_text(indent + mark, held_.substr(0, indent + mark), "");
        return true;
    }
    begin_text(0, "", "");
    return true;
}

void markdown_view::begin_text(std::size_t skipped, const std::string& prefix, const std::string& codes) {
    flush_table();
    held_.erase(0, skipped);
    put(prefix.empty() ? codes : code_of(text_style::dimmed), prefix);
    line_codes_ = codes;
    before_ = '\0';
    place_ = place::in_line;
    drain(false);
}

void markdown_view::begin_code(std::string_view opening) {
    code_indent_ = indent_of(opening);
    opening.remove_prefix(code_indent_);
    fence_ = opening.substr(0, same_characters(opening));
    const std::string_view information = pyaichat::detail::trimmed(opening.substr(fence_.size()));
    blocks_.push_back({.language = std::string(information.substr(0, information.find_first_of(" \t{")))});
    const code_block& block = blocks_.back();
    put(code_of(text_style::dimmed), "[" + std::to_string(blocks_.size()) + "]" + (block.language.empty() ? "" : " " + block.language));
    held_.clear();
    code_begun_ = false;
    place_ = place::in_code;
}

void markdown_view::read_code_line() {
    std::string_view line = held_;
    const std::string_view mark = pyaichat::detail::trimmed(line);
    if (mark.size() >= fence_.size() && mark.starts_with(fence_) && same_characters(mark) == mark.size()) {
        place_ = place::line_begin;
        return;
    }
    line.remove_prefix(std::min(indent_of(line), code_indent_));
    code_block& block = blocks_.back();
    const bool is_first = !std::exchange(code_begun_, true);
    block.code += (is_first ? "" : "\n") + std::string(line);
    const std::size_t begin = block.code.size() - line.size();
    // Lines that no string or bracket joins are highlighted one by one, so that long code takes linear time.
    statement_begin_ = is_first ? 0 : statement_begin_;
    const std::string_view statement = std::string_view(block.code).substr(statement_begin_);
    const bool highlighted = settings_.styled && is_python(block.language) && statement.size() <= most_highlighted;
    std::size_t shown = begin - statement_begin_;
    for (const styled_span& span : highlighted ? highlight_python(statement) : std::vector<styled_span>()) {
        if (span.end > shown) {
            const std::size_t from = std::max(span.begin, shown);
            put("", statement.substr(shown, from - shown));
            put(code_of(span.style), statement.substr(from, span.end - from));
            shown = span.end;
        }
    }
    put("", statement.substr(shown));
    if (const python_tokens tokens = highlighted ? lex_python(statement) : python_tokens();
        highlighted && tokens.open.empty() && !tokens.in_string && !tokens.ends_with_backslash) {
        statement_begin_ = block.code.size() + 1;
    }
}

void markdown_view::drain(bool ended) {
    if (settings_.only_code) {
        put("", std::exchange(held_, {}));
        return;
    }
    std::vector<marked_text> pieces;
    const std::size_t done = split_inline(held_, before_, ended, line_codes_, pieces);
    for (const marked_text& piece : pieces) {
        put(piece.codes, piece.text);
    }
    before_ = done > 0 ? held_[done - 1] : before_;
    held_.erase(0, done);
}

void markdown_view::end_line() {
    const bool shows_line = table_.empty();
    held_.clear();
    if (shows_line) {
        put("", "\n");
    }
    quoted_ = false;
    if (place_ == place::in_line) {
        place_ = place::line_begin;
    }
}

void markdown_view::flush_table() {
    if (table_.empty()) {
        return;
    }
    const std::vector<std::string> rows = std::exchange(table_, {});
    table_bytes_ = 0;
    std::vector<marked_text> pieces = layout_table(rows, settings_.columns);
    if (pieces.empty()) {
        for (const std::string& row : rows) {
            split_inline(row, '\0', true, "", pieces);
            pieces.push_back({"", "\n"});
        }
    }
    for (const marked_text& piece : pieces) {
        put(piece.codes, piece.text);
    }
}

void markdown_view::put(const std::string& codes, std::string_view text) {
    if (codes != codes_ && (!text.empty() || codes.empty())) {
        out_ += codes_.empty() ? "" : "\033[0m";
        out_ += codes.empty() ? "" : "\033[" + codes + "m";
        codes_ = codes;
    }
    out_ += text;
}

}  // namespace repl
