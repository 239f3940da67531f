#include "agent/driver/hook_desk.hpp"

#include <cstddef>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

void ignore(std::string_view) {}

/// Collects the answers of hooks. Responders on other threads own it too, but only the pumping thread uses it.
template <class Answer>
struct round {
    std::vector<std::optional<Answer>> answers;
    std::vector<bool> open;
    std::size_t missing;
    hook_desk::receiver<std::vector<std::optional<Answer>>> then;

    /// Stores the answer to a question. Only the first answer is used.
    void settle(std::size_t place, std::optional<Answer> answer) {
        if (open[place]) {
            open[place] = false;
            answers[place] = std::move(answer);
            finish_one();
        }
    }
    void finish_one() {
        if (--missing == 0) {
            then(std::move(answers));
        }
    }
};

}  // namespace

/// Asks all questions. `asked` returns an answer, or nothing if the hook took the responder. If the hook drops it, the answer is empty.
template <class Answer, class Ask>
void hook_desk::ask(std::size_t questions, Ask asked, receiver<std::vector<std::optional<Answer>>> then) {
    const auto all = std::make_shared<round<Answer>>();
    all->answers.resize(questions);
    all->open.assign(questions, true);
    all->missing = questions + 1;  // one more, until this function has asked every question
    all->then = std::move(then);
    for (std::size_t place = 0; place < questions; ++place) {
        hook_responder<Answer> later([box = box_, all, place](std::optional<Answer> answer) {
            box->post(task([all, place, answer = std::move(answer)]() mutable { all->settle(place, std::move(answer)); }));
        });
        if (std::optional<Answer> answer = asked(place, later)) {
            later.release();
            all->settle(place, std::move(answer));  // also if the hook took the responder and then threw
        }
    }
    all->finish_one();
}

void hook_desk::before_model(const model_request& request) {
    for (any_run_hooks& hooks : hooks_) {
        guarded([&] { hooks.before_model(request); }, ignore);
    }
}

void hook_desk::on_event(const event& happened) {
    for (any_run_hooks& hooks : hooks_) {
        guarded(
            [&] {
                if (const auto* started = happened.as<run_started>()) {
                    hooks.on_question(started->question);
                }
                hooks.on_event(happened);
            },
            ignore);
    }
}

void hook_desk::before_call(std::span<const proposed_call> batch, receiver<std::vector<input::opinions::opinion>> then) {
    std::vector<input::opinions::opinion> opinions;
    const std::size_t questions = hooks_.size() * batch.size();
    for (std::size_t place = 0; place < questions; ++place) {
        opinions.push_back({.call = batch[place % batch.size()].number, .grants = false});
    }
    ask<call_decision>(
        questions,
        [&](std::size_t place, hook_responder<call_decision>& later) {
            return guarded([&] { return hooks_[place / batch.size()].before_call(batch[place % batch.size()], later); },
                           [](std::string_view what) { return std::optional(call_decision::deny("a hook failed: " + std::string(what))); });
        },
        [opinions = std::move(opinions), then = std::move(then)](std::vector<std::optional<call_decision>> decisions) mutable {
            for (std::size_t place = 0; place < opinions.size(); ++place) {
                opinions[place].decision =
                    std::move(decisions[place]).value_or(call_decision::deny("a hook failed: it dropped its responder"));
            }
            then(std::move(opinions));
        });
}

void hook_desk::on_answer(const closing_answer& closing, receiver<std::string> then) {
    ask<std::string>(
        hooks_.size(),
        [&](std::size_t place, hook_responder<std::string>& later) {
            return guarded([&] { return hooks_[place].on_answer(closing, later); },
                           [](std::string_view) { return std::optional(std::string()); });
        },
        [then = std::move(then)](std::vector<std::optional<std::string>> notes) mutable {
            std::string joined;
            for (const std::optional<std::string>& note : notes) {
                joined += note && !note->empty() ? "\n\n" + *note : "";
            }
            then(std::move(joined));
        });
}

void hook_desk::after_call(capability_call call, capability_reply reply, receiver<capability_reply> then, std::size_t first) {
    if (first == hooks_.size()) {
        then(std::move(reply));
        return;
    }
    const auto passed = std::make_shared<std::pair<capability_call, capability_reply>>(std::move(call), std::move(reply));
    ask<capability_reply>(
        1,
        [&](std::size_t, hook_responder<capability_reply>& later) {
            guarded([&] { hooks_[first].after_call(passed->first, passed->second, later); }, ignore);
            return later ? std::optional(std::move(passed->second)) : std::nullopt;
        },
        [this, passed, first, then = std::move(then)](std::vector<std::optional<capability_reply>> changed) mutable {
            after_call(std::move(passed->first), std::move(changed[0]).value_or(std::move(passed->second)), std::move(then), first + 1);
        });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
