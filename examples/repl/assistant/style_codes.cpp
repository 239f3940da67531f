#include "assistant/style_codes.hpp"

namespace repl {

std::string_view style_code(text_style style) noexcept {
    // The sixteen colours of the terminal's own palette: they are readable on light and on dark backgrounds.
    switch (style) {
        case text_style::plain: return "";
        case text_style::keyword: return "35";
        case text_style::builtin: return "36";
        case text_style::definition: return "1;34";
        case text_style::decorator: return "33";
        case text_style::string: return "32";
        case text_style::number: return "36";
        case text_style::comment: return "2";
        case text_style::error: return "31";
        case text_style::heading: return "1;4";
        case text_style::strong: return "1";
        case text_style::emphasis: return "3";
        case text_style::code: return "36";
        case text_style::dimmed: return "2";
        case text_style::highlight: return "7";
    }
    return "";
}

}  // namespace repl
