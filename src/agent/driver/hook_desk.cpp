#include <pyaichat/agent/detail/hook_desk.hpp>

#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

void ignore(std::string_view) {}

/// Answers of several hooks, each in its place, and what to do when none is missing any more. Used on the pumping thread only: responders
/// on other threads hold it, and post what it is told.
template <class T>
struct answers {
    struct place {
        T answer = {};
        bool open = true;
    };
    std::vector<place> places = {};
    std::size_t missing = 1;  ///< the first is the desk itself, while it asks
    unique_function<void(std::vector<T>)> then = {};

    /// What the hook in this place has said is all that it says.
    void settle(std::size_t at) {
        places[at].open = false;
        one_less();
    }
    void one_less() {
        if (--missing != 0) {
            return;
        }
        std::vector<T> all;
        for (place& one : places) {
            all.push_back(std::move(one.answer));
        }
        then(std::move(all));
    }
};

/// A responder whose answer is put in its place by `put`, on the pumping thread. Without an answer the place stays as it is.
template <class Answer, class T, class Put>
hook_responder<Answer> responder_for(const std::shared_ptr<mailbox>& box, const std::shared_ptr<answers<T>>& of, std::size_t at, Put put) {
    return hook_responder<Answer>([box, of, at, put](std::optional<Answer> answer) {
        box->post(task([of, at, put, answer = std::move(answer)]() mutable {
            if (!of->places[at].open) {
                return;
            }
            if (answer) {
                put(of->places[at].answer, *std::move(answer));
            }
            of->settle(at);
        }));
    });
}

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

void hook_desk::before_call(std::span<const proposed_call> batch, unique_function<void(std::vector<opinion>)> then) {
    const auto said = std::make_shared<answers<opinion>>();
    said->then = std::move(then);
    for (any_run_hooks& hooks : hooks_) {
        for (const proposed_call& call : batch) {
            const std::size_t at = said->places.size();
            said->places.push_back(
                {{.call = call.number, .decision = call_decision::deny("a hook failed: it has not answered"), .grants = false}});
            ++said->missing;
            auto later = responder_for<call_decision>(box_, said, at,
                                                      [](opinion& of, call_decision decision) { of.decision = std::move(decision); });
            std::optional<call_decision> decision =
                guarded([&] { return hooks.before_call(call, later); },
                        [](std::string_view what) { return std::optional(call_decision::deny("a hook failed: " + std::string(what))); });
            if (decision) {
                later.release();
                said->places[at].answer.decision = *std::move(decision);
                said->settle(at);  // also when it has taken its responder and thrown then
            }
        }
    }
    said->one_less();
}

/// A reply on its way from hook to hook.
struct hook_desk::redaction {
    capability_call call = {};
    capability_reply reply = {};
    std::size_t next = 0;
    unique_function<void(capability_reply)> then = {};
};

void hook_desk::after_call(const capability_call& call, capability_reply reply, unique_function<void(capability_reply)> then) {
    if (hooks_.empty()) {
        then(std::move(reply));
        return;
    }
    const auto with = std::make_shared<redaction>(redaction{.call = call, .reply = std::move(reply), .then = std::move(then)});
    with->call.others = nullptr;  // it has replied
    go_on(with);
}

void hook_desk::go_on(const std::shared_ptr<redaction>& with) {
    while (with->next < hooks_.size()) {
        any_run_hooks& hooks = hooks_[with->next++];
        hook_responder<capability_reply> later([this, box = box_, with](std::optional<capability_reply> answer) {
            box->post(task([this, with, answer = std::move(answer)]() mutable {
                if (answer) {
                    with->reply = *std::move(answer);
                }
                go_on(with);
            }));
        });
        guarded([&] { hooks.after_call(with->call, with->reply, later); }, ignore);
        if (!later) {
            return;  // taken: whatever becomes of it goes on
        }
        later.release();
    }
    with->then(std::move(with->reply));
}

void hook_desk::on_answer(const closing_answer& made, unique_function<void(std::string)> then) {
    const auto notes = std::make_shared<answers<std::string>>();
    notes->then = [then = std::move(then)](std::vector<std::string> all) mutable {
        std::string joined;
        for (const std::string& note : all) {
            joined += note.empty() ? "" : "\n\n" + note;
        }
        then(std::move(joined));
    };
    for (any_run_hooks& hooks : hooks_) {
        const std::size_t at = notes->places.size();
        notes->places.emplace_back();
        ++notes->missing;
        auto later = responder_for<std::string>(box_, notes, at, [](std::string& of, std::string note) { of = std::move(note); });
        std::optional<std::string> note =
            guarded([&] { return hooks.on_answer(made, later); }, [](std::string_view) { return std::optional(std::string()); });
        if (note) {
            later.release();
            notes->places[at].answer = *std::move(note);
            notes->settle(at);
        }
    }
    notes->one_less();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
