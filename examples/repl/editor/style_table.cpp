#include "editor/style_table.hpp"

namespace repl {

// The sixteen colours that the person has chosen for the terminal: they are readable on its background, dark or light.
std::string_view style_parameters(text_style style) noexcept {
    switch (style) {
        case text_style::plain: return "";
        case text_style::keyword: return "35";
        case text_style::builtin: return "36";
        case text_style::definition: return "34";
        case text_style::decorator: return "33";
        case text_style::string: return "32";
        case text_style::number: return "36";
        case text_style::comment: return "90";
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
