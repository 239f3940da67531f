#include "terminal/piped_block.hpp"

#include <pyaichat/core/text.hpp>

#include <cctype>
#include <utility>

namespace repl {

namespace {

bool is_indented(std::string_view line) {
    return !line.empty() && (line.front() == ' ' || line.front() == '\t');
}

/// Whether an unindented line belongs to the block before it.
bool continues_block(std::string_view line) {
    if (line.empty() || is_indented(line) || line.front() == '#') {
        return true;
    }
    for (const std::string_view word : {"else", "elif", "except", "finally"}) {
        if (line.starts_with(word) && (line.size() == word.size() ||
                                       !(std::isalnum(static_cast<unsigned char>(line[word.size()])) != 0 || line[word.size()] == '_'))) {
            return true;
        }
    }
    return false;
}

}  // namespace

void piped_block::append(const std::string& line) {
    text_ += text_.empty() ? line : "\n" + line;
    if (!pyaichat::detail::is_blank(line) && line.front() != '#') {
        decorated_ = line.front() == '@';
    }
}

piped_block::effect piped_block::judge(const entry_context& context) {
    if (context.judge(text_).complete) {
        return effect::complete;
    }
    open_ = !context.judge(text_ + "\n").complete;
    return effect::needs_more;
}

piped_block::effect piped_block::add(const std::string& line, const entry_context& context) {
    if (text_.empty() || open_) {
        append(line);
        return judge(context);
    }
    if (pyaichat::detail::is_blank(line) || continues_block(line) || decorated_) {
        append(line);
        return effect::needs_more;
    }
    // The judge looks at the text before the line: it may be inside brackets or a string, to which the line belongs.
    if (context.judge(text_ + "\n").complete) {
        return effect::complete_before;
    }
    append(line);
    return judge(context);
}

std::string piped_block::take() {
    open_ = false;
    decorated_ = false;
    return std::exchange(text_, {});
}

}  // namespace repl
