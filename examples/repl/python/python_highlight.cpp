#include "python/python_highlight.hpp"

#include "python/logical_line.hpp"
#include "python/python_words.hpp"

namespace repl {

namespace {

/// Finds the styles of the tokens of one logical line after the other.
class highlighter {
public:
    explicit highlighter(std::string_view source) : source_(source), lexed_(lex_python(source)) {}

    std::vector<styled_span> run() {
        const std::vector<logical_line> lines = logical_lines(source_, lexed_);
        auto next_line = lines.begin();
        for (std::size_t i = 0; i < lexed_.tokens.size(); ++i) {
            if (next_line != lines.end() && next_line->tokens.data() == &lexed_.tokens[i]) {
                line_ = &*next_line++;
            }
            add(lexed_.tokens[i], style_of(i));
        }
        return std::move(spans_);
    }

private:
    std::string_view text(std::size_t i) const {
        const python_token* token = i < lexed_.tokens.size() ? &lexed_.tokens[i] : nullptr;
        return token == nullptr || token->kind == token_kind::newline ? std::string_view()
                                                                      : source_.substr(token->begin, token->end - token->begin);
    }

    void add(const python_token& token, text_style style) {
        if (style == text_style::plain || token.begin == token.end) {
            return;
        }
        if (!spans_.empty() && spans_.back().end == token.begin && spans_.back().style == style) {
            spans_.back().end = token.end;
        } else {
            spans_.push_back({.begin = token.begin, .end = token.end, .style = style});
        }
    }

    text_style style_of(std::size_t i) {
        const bool decorated = in_decorator_;
        in_decorator_ = false;
        switch (lexed_.tokens[i].kind) {
            case token_kind::number: return text_style::number;
            case token_kind::string: return text_style::string;
            case token_kind::comment: return text_style::comment;
            case token_kind::error: return text_style::error;
            case token_kind::newline: return text_style::plain;
            case token_kind::op:
                in_decorator_ = (text(i) == "@" && is_first(i)) || (decorated && text(i) == ".");
                return in_decorator_ ? text_style::decorator : text_style::plain;
            case token_kind::name: break;
        }
        in_decorator_ = decorated;
        return decorated ? text_style::decorator : style_of_name(i);
    }

    bool is_first(std::size_t i) const { return line_ != nullptr && line_->tokens.data() == &lexed_.tokens[i]; }

    text_style style_of_name(std::size_t i) const {
        const std::string_view name = text(i);
        const std::string_view before = i > 0 ? text(i - 1) : std::string_view();
        if (before == ".") {
            return text_style::plain;
        }
        if (is_keyword(name) || is_soft_keyword(i, name)) {
            return text_style::keyword;
        }
        if (before == "def" || before == "class") {
            return text_style::definition;
        }
        const bool argument_name = lexed_.tokens[i].depth > 0 && text(i + 1) == "=";
        return is_builtin(name) && !argument_name ? text_style::builtin : text_style::plain;
    }

    bool is_soft_keyword(std::size_t i, std::string_view name) const {
        if (!is_first(i)) {
            return false;
        }
        if (name == "type") {  // `type Name = ...`
            const bool named = i + 1 < lexed_.tokens.size() && lexed_.tokens[i + 1].kind == token_kind::name && !is_keyword(text(i + 1));
            return named;
        }
        return (name == "match" || name == "case") && line_->is_block;
    }

    std::string_view source_;
    python_tokens lexed_;
    const logical_line* line_ = nullptr;
    bool in_decorator_ = false;
    std::vector<styled_span> spans_;
};

}  // namespace

std::vector<styled_span> highlight_python(std::string_view source) {
    return highlighter(source).run();
}

}  // namespace repl
