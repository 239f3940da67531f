#include "question.hpp"

#include <stdexcept>

#if !PYAICHAT_HAS_EXCEPTIONS
    #error "this file is compiled with exceptions"
#endif

std::string flags::with_exceptions() {
    agent someone{counting(), adding()};
    if (const ai::answer reply = ask(someone); reply.reason != ai::stop_reason::complete || reply.text != "42") {
        return "the question was answered by: " + reply.text;
    }

    agent careless{{fake::call("fail"), fake::say("it failed")},
                   {ai::capability("fail", "Fails.", []() -> int { throw std::runtime_error("thrown by a capability"); })}};
    const ai::answer reply = ask(careless);
    if (reply.reason != ai::stop_reason::complete || reply.messages.size() != 4) {
        return "a capability that throws ended the run: " + reply.text;
    }
    const auto* failed = reply.messages[2].parts[0].as<ai::response_part>();
    if (failed == nullptr || ai::dump_json(failed->response).find("thrown by a capability") == std::string::npos) {
        return "what the capability threw was not told";
    }

    agent broken{{[](const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&) -> ai::result<ai::model_response> {
        throw std::runtime_error("thrown by a provider");
    }}};
    if (const ai::answer none = ask(broken);
        none.reason != ai::stop_reason::provider_failed || none.error->message.find("thrown by a provider") == std::string::npos) {
        return "a provider that throws gave: " + none.text;
    }
    return read_write_and_check();
}
