#pragma once
#include <string>

namespace repl {

/// The keys that the editor knows. Others are decoded to `unknown` and have no effect.
enum class key_name : unsigned char {
    unknown,
    character,  ///< `key::code`
    enter,
    tab,
    backspace,
    escape,
    up,
    down,
    left,
    right,
    home,
    end,
    page_up,
    page_down,
    insert,
    remove,    ///< the key Delete
    function,  ///< F1 to F12, the number is in `key::code`
    paste,     ///< `key::text`
};

/// One press of a key, or one paste.
struct key {
    key_name name = key_name::unknown;
    char32_t code = 0;
    bool control = false;
    bool alt = false;
    bool shift = false;
    std::string text = {};

    friend bool operator==(const key&, const key&) = default;
};

/// The key of a letter with Ctrl. Terminals send it without the state of Shift.
[[nodiscard]] inline bool is_control(const key& pressed, char letter) noexcept {
    return pressed.name == key_name::character && pressed.control && !pressed.alt && pressed.code == static_cast<char32_t>(letter);
}

[[nodiscard]] inline bool is_alt(const key& pressed, char32_t code) noexcept {
    return pressed.name == key_name::character && pressed.alt && !pressed.control && pressed.code == code;
}

}  // namespace repl
