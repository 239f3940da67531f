/// What hooks add to an answer, after the machine has finished and before anybody is told.
#include <pyaichat/agent/detail/run_driver.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

void run_driver::ask_for_notes() {
    if (hooks_.empty()) {
        return;
    }
    noting_until_ = after(now(), longest_wait_for_notes);
    const answer& made = std::get<action::finished>(wanted()).answer;
    hooks_.on_answer({.question = machine_.question(), .text = made.text, .reason = made.reason}, [this](const std::string& notes) {
        if (noting_until_) {
            add_notes(notes);
        }
    });
}

void run_driver::add_notes(const std::string& notes) {
    noting_until_.reset();
    if (!notes.empty()) {
        noted_ = std::get<action::finished>(wanted()).answer;
        noted_->text += notes;
    }
}

/// Nothing is told of an end before the notes are in: then there is an answer.
progress run_driver::await_notes(instant now) {
    const bool late = now >= *noting_until_;
    for (int taken = 0; noting_until_ && taken < (late ? most_late : 1); ++taken) {
        std::optional<mailbox::item> came = mailbox_->take();
        if (!came) {
            break;
        }
        if (std::holds_alternative<task>(*came)) {
            take(std::move(*came));
        }
        if (!late) {
            return progress::working;
        }
    }
    if (late) {
        noting_until_.reset();
    }
    return noting_until_ ? progress::waiting : progress::working;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
