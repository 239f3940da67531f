#include "agent/driver/hook_desk.hpp"

#include <cstddef>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

void ignore(std::string_view) {}

/// Answers that are being gathered. Responders on other threads hold this; it is used on the pumping thread only.
template <class T>
class gathering : public std::enable_shared_from_this<gathering<T>> {
public:
    using receiver = unique_function<void(std::vector<T>)>;

    gathering(std::shared_ptr<mailbox> box, receiver then) : box_(std::move(box)), then_(std::move(then)) {}

    /// Asks one hook. `ask` returns the answer, or nothing when it has taken the responder. `otherwise` is the answer of a hook that drops
    /// the responder; `put` merges an answer into it.
    template <class Answer, class Ask, class Put>
    void add(T otherwise, Ask ask, Put put) {
        const std::size_t place = answers_.size();
        answers_.push_back(std::move(otherwise));
        open_.push_back(true);
        ++missing_;
        hook_responder<Answer> later([self = this->shared_from_this(), place, put](std::optional<Answer> answer) {
            self->box_->post(
                task([self, place, put, answer = std::move(answer)]() mutable { self->settle(place, std::move(answer), put); }));
        });
        if (std::optional<Answer> answer = ask(later)) {
            later.release();
            settle(place, std::move(answer), put);  // also when the hook has taken the responder and thrown then
        }
    }

    /// Every hook has been asked.
    void asked() {
        if (--missing_ == 0) {
            then_(std::move(answers_));
        }
    }

private:
    template <class Answer, class Put>
    void settle(std::size_t place, std::optional<Answer> answer, Put put) {
        if (!open_[place]) {
            return;
        }
        open_[place] = false;
        if (answer) {
            put(answers_[place], *std::move(answer));
        }
        asked();
    }

    std::shared_ptr<mailbox> box_;
    std::vector<T> answers_;
    std::vector<bool> open_;
    std::size_t missing_ = 1;  ///< the desk itself, until every hook has been asked
    receiver then_;
};

}  // namespace

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

void hook_desk::before_call(std::span<const proposed_call> batch, unique_function<void(std::vector<input::opinions::opinion>)> then) {
    using opinion = input::opinions::opinion;
    const auto decisions = std::make_shared<gathering<opinion>>(box_, std::move(then));
    for (any_run_hooks& hooks : hooks_) {
        for (const proposed_call& call : batch) {
            decisions->add<call_decision>(
                {.call = call.number, .decision = call_decision::deny("a hook failed: it has not answered"), .grants = false},
                [&](hook_responder<call_decision>& later) {
                    return guarded(
                        [&] { return hooks.before_call(call, later); },
                        [](std::string_view what) { return std::optional(call_decision::deny("a hook failed: " + std::string(what))); });
                },
                [](opinion& to, call_decision decision) { to.decision = std::move(decision); });
        }
    }
    decisions->asked();
}

void hook_desk::on_answer(const closing_answer& closing, unique_function<void(std::string)> then) {
    const auto notes = std::make_shared<gathering<std::string>>(box_, [then = std::move(then)](std::vector<std::string> all) mutable {
        std::string joined;
        for (const std::string& note : all) {
            joined += note.empty() ? "" : "\n\n" + note;
        }
        then(std::move(joined));
    });
    for (any_run_hooks& hooks : hooks_) {
        notes->add<std::string>(
            {},
            [&](hook_responder<std::string>& later) {
                return guarded([&] { return hooks.on_answer(closing, later); },
                               [](std::string_view) { return std::optional(std::string()); });
            },
            [](std::string& to, std::string note) { to = std::move(note); });
    }
    notes->asked();
}

/// A reply on its way from hook to hook.
struct hook_desk::review {
    capability_call call = {};
    capability_reply reply = {};
    std::size_t next = 0;
    unique_function<void(capability_reply)> then = {};
};

void hook_desk::after_call(capability_call call, capability_reply reply, unique_function<void(capability_reply)> then) {
    pass_on(std::make_shared<review>(review{.call = std::move(call), .reply = std::move(reply), .then = std::move(then)}));
}

void hook_desk::pass_on(const std::shared_ptr<review>& passed) {
    while (passed->next < hooks_.size()) {
        any_run_hooks& hooks = hooks_[passed->next++];
        hook_responder<capability_reply> later([this, box = box_, passed](std::optional<capability_reply> answer) {
            box->post(task([this, passed, answer = std::move(answer)]() mutable {
                if (answer) {
                    passed->reply = *std::move(answer);
                }
                pass_on(passed);
            }));
        });
        guarded([&] { hooks.after_call(passed->call, passed->reply, later); }, ignore);
        if (!later) {
            return;  // taken: its answer goes on
        }
        later.release();
    }
    passed->then(std::move(passed->reply));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
