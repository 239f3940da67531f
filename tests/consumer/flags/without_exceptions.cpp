#include "question.hpp"

#if PYAICHAT_HAS_EXCEPTIONS
    #error "this file is compiled without exceptions"
#endif

std::string flags::without_exceptions() {
    agent someone{counting(), adding()};
    const ai::answer reply = ask(someone);
    if (reply.reason != ai::stop_reason::complete || reply.text != "42" || reply.steps != 3) {
        return "the question was answered by: " + reply.text;
    }
    const ai::answer more = someone.ask(ai::run_request{.question = "and now?", .history = reply.messages}).wait();
    if (more.reason != ai::stop_reason::provider_failed) {
        return "a script that is over did not fail";
    }
    agent unusable{counting(), {ai::capability("no name", "Refused.", [] {})}};
    if (ask(unusable).reason != ai::stop_reason::misconfigured) {
        return "a declaration that cannot be used was not refused";
    }
    return read_write_and_check();
}
