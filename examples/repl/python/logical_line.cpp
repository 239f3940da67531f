#include "python/logical_line.hpp"

#include "python/python_words.hpp"

#include <algorithm>

namespace repl {

namespace {

/// The position behind the head of a block, that is behind its colon, among the tokens of a line. 0 if there is no such colon.
std::size_t behind_colon(std::string_view text, std::span<const python_token> tokens) {
    std::size_t lambdas = 0;
    const std::uint32_t depth = tokens.front().depth;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const python_token& each = tokens[i];
        const std::string_view word = text.substr(each.begin, each.end - each.begin);
        if (each.depth != depth) {
            continue;
        }
        if (each.kind == token_kind::name && word == "lambda") {
            ++lambdas;
        } else if (each.kind == token_kind::op && word == ":") {
            if (lambdas == 0) {
                return i + 1;
            }
            --lambdas;
        }
    }
    return 0;
}

/// `match` and `case` are keywords only before a subject and a colon.
bool is_soft_block(std::string_view text, std::span<const python_token> tokens) {
    if (tokens.size() < 3) {
        return false;
    }
    const python_token& next = tokens[1];
    const std::string_view word = text.substr(next.begin, next.end - next.begin);
    if (next.kind == token_kind::op && std::string_view("([{-*~").find(word.front()) == std::string_view::npos) {
        return false;
    }
    return !word.ends_with('=') && behind_colon(text, tokens) > 2;
}

logical_line described(std::string_view text, std::span<const python_token> tokens) {
    const auto word = [&](std::size_t i) {
        return i < tokens.size() ? text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin) : std::string_view();
    };
    logical_line line{.tokens = tokens, .indent = indent_at(text, tokens.front().begin), .head = word(0)};
    if (line.head == "async" && (word(1) == "def" || word(1) == "for" || word(1) == "with")) {
        line.head = word(1);
    }
    const bool soft = line.head == "match" || line.head == "case";
    line.is_block = tokens.front().kind == token_kind::name && (soft ? is_soft_block(text, tokens) : is_block_keyword(line.head));
    if (soft && !line.is_block) {
        line.head = {};
    }
    if (line.is_block) {
        const std::size_t behind = behind_colon(text, tokens);
        line.has_colon = behind > 0;
        line.opens_block = line.has_colon && behind == tokens.size();
    }
    return line;
}

}  // namespace

std::vector<logical_line> logical_lines(std::string_view text, const python_tokens& lexed) {
    std::vector<logical_line> lines;
    const std::span<const python_token> tokens = lexed.tokens;
    for (std::size_t begin = 0; begin < tokens.size();) {
        const auto newline = std::find_if(tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.end(),
                                          [](const python_token& each) { return each.kind == token_kind::newline; });
        const auto end = static_cast<std::size_t>(newline - tokens.begin());
        std::size_t last = end;
        while (last > begin && tokens[last - 1].kind == token_kind::comment) {
            --last;
        }
        if (last > begin) {
            lines.push_back(described(text, tokens.subspan(begin, last - begin)));
        }
        begin = end + 1;
    }
    return lines;
}

std::string_view indent_at(std::string_view text, std::size_t at) noexcept {
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const std::size_t end = std::min(text.find_first_not_of(" \t\f", begin), text.size());
    return text.substr(begin, end - begin);
}

}  // namespace repl
