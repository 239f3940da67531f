#pragma once
#include "editor/completion_menu.hpp"
#include "editor/edit_buffer.hpp"
#include "editor/editor_frame.hpp"
#include "editor/entry_history.hpp"
#include "editor/history_search.hpp"
#include "editor/key.hpp"
#include "terminal/entry_editor.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// What the owner of an `editor_core` has to do after a key.
enum class editor_request : unsigned char {
    none,
    accept,        ///< the entry is complete
    interrupt,     ///< Ctrl-C
    close,         ///< Ctrl-D on an empty entry
    open_editor,   ///< edit the text in the person's own editor
    clear_screen,  ///< Ctrl-L
    suspend,       ///< Ctrl-Z
    quit,          ///< Ctrl-backslash
};

/// The editor without a terminal: takes keys, and says what the screen shows.
class editor_core {
public:
    /// Begins an entry. The context and the history, one per mode, must live until the entry ends.
    void begin(entry_context& context, std::vector<entry_history>& histories, std::string text = {});

    /// Handles a key. `burst`: other input arrived together with it, so that it was perhaps not typed.
    editor_request press(const key& pressed, bool burst = false);

    [[nodiscard]] const std::string& text() const noexcept { return buffer_.text(); }
    [[nodiscard]] std::size_t cursor() const noexcept { return buffer_.cursor(); }
    /// Replaces the text, as one edit.
    void replace_text(std::string_view text) { buffer_.set(text); }

    /// What the screen shows. Without `color`, nothing is shown that needs a colour to be understood.
    [[nodiscard]] editor_frame frame(std::size_t width, std::size_t height, bool color);
    /// What stays on the screen when the entry has ended.
    [[nodiscard]] editor_frame final_frame(std::size_t width, std::size_t height, bool color);

private:
    editor_request press_in_menu(const key& pressed, bool burst);
    editor_request press_plain(const key& pressed, bool burst);
    editor_request control_key(const key& pressed, bool burst);
    editor_request enter(bool burst, bool forced);
    editor_request end_of_input();
    editor_request paste(std::string text);
    void new_line(bool indented);
    void tab(bool burst);
    void show_history(const key& pressed);
    bool accept_suggestion(const key& pressed);
    void show(std::optional<std::string> entry);
    void toggle_mode();
    void describe();
    [[nodiscard]] entry_history& history() { return (*histories_)[static_cast<std::size_t>(context_->history())]; }
    [[nodiscard]] std::string_view suggestion();
    void refresh_spans();
    [[nodiscard]] frame_content content();

    entry_context* context_ = nullptr;
    std::vector<entry_history>* histories_ = nullptr;
    edit_buffer buffer_;
    completion_menu menu_;
    history_search search_;
    std::string note_;              // the signature, shown until the next key
    bool control_x_ = false;        // the last key was Ctrl-X
    std::size_t fresh_indent_ = 0;  // the indentation that the last key, Enter, has inserted
    std::vector<styled_span> spans_;
    std::uint64_t spans_version_ = ~std::uint64_t{0};
    std::string prompt_;
    std::string continuation_prompt_;
};

}  // namespace repl
