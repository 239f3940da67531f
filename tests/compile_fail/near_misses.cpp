// Each block is a mistake of its own. Without any of them the file compiles; with one of them it is told in the first line.
#include <pyaichat/pyaichat.hpp>

namespace ai = pyaichat;

#if 0
#elif defined(misspelt_hook)
struct spelling {
    ai::call_decision beforecall(const ai::proposed_call&) { return ai::call_decision::deny("no"); }
    void on_event(const ai::event&) {}
};
std::vector<ai::any_run_hooks> hooks{spelling{}};
#elif defined(only_misspelt_hook)
struct spelling {
    void onEvent(const ai::event&) {}
};
std::vector<ai::any_run_hooks> hooks{spelling{}};
#elif defined(hook_copies_reply)
struct redact {
    void after_call(const ai::capability_call&, ai::capability_reply reply) { reply.result = nullptr; }
};
std::vector<ai::any_run_hooks> hooks{redact{}};
#elif defined(hook_returns_reply)
struct redact {
    ai::capability_reply after_call(const ai::capability_call&, const ai::capability_reply& reply) { return reply; }
};
std::vector<ai::any_run_hooks> hooks{redact{}};
#elif defined(hook_is_lambda)
std::vector<ai::any_run_hooks> hooks{[](const ai::proposed_call&) { return ai::call_decision::deny("no"); }};
#elif defined(misspelt_descriptions)
struct heal {
    double points = 0;
    static constexpr ai::about description[] = {{"points", "how much"}};
};
auto made = ai::capability("heal", "Heal.", [](const heal&) {});
#elif defined(responder_and_result)
auto made = ai::capability("f", "F.", [](ai::capability_responder) { return 1; });
#elif defined(responder_by_reference)
auto made = ai::capability("f", "F.", [](const ai::capability_responder&) {});
#elif defined(responder_last)
auto made = ai::capability("f", "F.", [](int, ai::capability_responder) {}, ai::arg{"n"});
#elif defined(parameter_by_reference)
auto made = ai::capability("f", "F.", [](std::string&) {}, ai::arg{"text"});
#elif defined(no_description)
auto made = ai::capability("f", [] { return 1; });
#elif defined(args_are_texts)
auto made = ai::capability("f", "F.", [](int n) { return n; }, "n", "how many");
#elif defined(provider_is_lambda)
ai::agent made{[](const ai::model_request&) { return ai::model_response(); }};
#elif defined(provider_is_pointer)
ai::agent made{std::make_shared<ai::no_provider>()};
#elif defined(provider_not_moved)
struct owner : ai::no_provider {
    std::unique_ptr<int> only = {};
};
owner mine;
ai::agent made{mine};
#elif defined(source_is_lambda)
ai::agent made{ai::no_provider{}, {ai::capability("f", "F.", [] { return 1; }), [] { return 2; }}};
#elif defined(options_are_text)
ai::agent made{ai::no_provider{}, {}, "You are a medic."};
#elif defined(other_executor)
ai::agent made{ai::no_provider{}, {}, {}, {}, ai::inline_executor{}};
#elif defined(executor_misfit)
struct pool {
    bool submit(ai::task) { return true; }
};
ai::basic_agent made{ai::no_provider{}, {}, {}, ai::steady_clock{}, pool{}};
#elif defined(std_clock)
ai::basic_agent made{ai::no_provider{}, {}, {}, std::chrono::steady_clock{}};
#elif defined(approval_is_decision)
ai::agent made{ai::no_provider{}, {}, {.approval = ai::call_decision::allow()}};
#elif defined(journal_is_result)
ai::agent made{ai::no_provider{}, {}, {.journal = ai::file_journal::open("runs.jsonl")}};
#elif defined(claim_misfit)
struct half : ai::no_journal {
    std::uint64_t claim(const std::string&, std::uint64_t) { return 1; }
};
ai::any_journal made{half{}};
#endif
