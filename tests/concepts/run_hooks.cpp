#include <pyaichat/policy/run_hooks.hpp>

#include <pyaichat/policy/borrow.hpp>

namespace ai = pyaichat;

namespace {

// [archetype]
struct archetype {
    archetype(archetype&&) = default;
    archetype& operator=(archetype&&) = delete;
    ai::call_decision before_call(const ai::proposed_call&);  // any one of the six is enough
};
static_assert(ai::run_hooks<archetype>);
// [/archetype]

// [all]
struct all_of_them {
    void on_question(std::string_view);
    void before_model(const ai::model_request&);
    ai::call_decision before_call(const ai::proposed_call&);
    void after_call(const ai::capability_call&, ai::capability_reply&);
    std::string on_answer(const ai::closing_answer&);
    void on_event(const ai::event&);
};
static_assert(ai::run_hooks<all_of_them>);
// [/all]

// [later]
struct all_that_answer_later {
    void before_call(const ai::proposed_call&, ai::hook_responder<ai::call_decision>);
    void after_call(const ai::capability_call&, ai::capability_reply, ai::hook_responder<ai::capability_reply>);
    void on_answer(const ai::closing_answer&, ai::hook_responder<std::string>);
};
static_assert(ai::run_hooks<all_that_answer_later>);
// [/later]
static_assert(std::is_constructible_v<ai::any_run_hooks, all_that_answer_later>);
static_assert(ai::run_hooks<ai::borrowed<all_that_answer_later>>);
static_assert(ai::run_hooks<ai::no_hooks>);
static_assert(ai::run_hooks<ai::any_run_hooks>);
static_assert(ai::run_hooks<ai::borrowed<archetype>> && ai::run_hooks<ai::borrowed<all_of_them>>);
static_assert(std::is_constructible_v<ai::any_run_hooks, archetype> && std::is_constructible_v<ai::any_run_hooks, all_of_them>);

struct has_none {};
static_assert(!ai::run_hooks<has_none>);

// Each of these would be passed over in silence, if a type of them alone were taken.
struct answers_yes_or_no {
    bool before_call(const ai::proposed_call&);
};
static_assert(!ai::run_hooks<answers_yes_or_no>);

struct wants_to_change_the_request {
    void before_model(ai::model_request&);
};
static_assert(!ai::run_hooks<wants_to_change_the_request>);

struct notes_nothing {
    void on_answer(const ai::closing_answer&);
};
static_assert(!ai::run_hooks<notes_nothing>);

struct misspelt {
    void on_events(const ai::event&);
};
static_assert(!ai::run_hooks<misspelt>);

struct cannot_be_moved {
    cannot_be_moved(cannot_be_moved&&) = delete;
    void on_event(const ai::event&);
};
static_assert(!ai::run_hooks<cannot_be_moved> && ai::run_hooks<ai::borrowed<cannot_be_moved>>);

}  // namespace
