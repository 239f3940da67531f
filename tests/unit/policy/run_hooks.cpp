#include <pyaichat/policy/run_hooks.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

#include <stdexcept>

using namespace bench;
using ai::json;

namespace {

struct watching {
    std::string* log;
    void on_question(std::string_view question) const { *log += "question:" + std::string(question) + " "; }
    void before_model(const ai::model_request& request) const { *log += "model:" + std::to_string(request.messages.size()) + " "; }
    void after_call(const ai::capability_call& call, ai::capability_reply&) const { *log += "after:" + call.name + " "; }
    std::string on_answer(const ai::closing_answer& answer) const {
        *log += "answer:" + std::string(answer.question) + ":" + std::string(to_string(answer.reason));
        return {};
    }
};

struct redacting {
    void after_call(const ai::capability_call&, ai::capability_reply& reply) const { reply.result = "***"; }
};

struct noting {
    std::string note;
    std::string on_answer(const ai::closing_answer&) const { return note; }
};

#if PYAICHAT_HAS_EXCEPTIONS
struct failing {
    void on_question(std::string_view) const { throw std::runtime_error("broken"); }
    void before_model(const ai::model_request&) const { throw std::runtime_error("broken"); }
    void after_call(const ai::capability_call&, ai::capability_reply&) const { throw std::runtime_error("broken"); }
    std::string on_answer(const ai::closing_answer&) const { throw std::runtime_error("broken"); }
    void on_event(const ai::event&) const { throw std::runtime_error("broken"); }
};

struct failing_gate {
    ai::call_decision before_call(const ai::proposed_call&) const { throw std::runtime_error("broken"); }
};
#endif

static_assert(ai::run_hooks<watching> && ai::run_hooks<redacting> && ai::run_hooks<ai::no_hooks>);
static_assert(!ai::run_hooks<int>);

}  // namespace

TEST_CASE("hooks are told of a run from its question to its answer") {
    agent_bench bench{fake::call("look"), fake::say("Done.")};
    bench.offer("look", [] {});
    std::string log;
    bench.agent.options().hooks.emplace_back(watching{&log});
    bench.answer("Why?");
    CHECK(log == "question:Why? model:1 after:look model:3 answer:Why?:complete");
}

TEST_CASE("a hook changes a reply before anybody sees it") {
    agent_bench bench{fake::call("secret"), fake::say("Done.")};
    bench.offer("secret", [] { return std::string("hunter2"); });
    bench.agent.options().hooks.emplace_back(redacting{});
    const ai::answer reply = bench.answer();
    CHECK(replies_in(reply.messages)[0].find("hunter2") == std::string::npos);
    CHECK(bench.events.all<ai::call_finished>()[0].reply.result == "***");
}

TEST_CASE("notes follow the answer's text, in the order of the hooks, and are no part of the history") {
    agent_bench bench{fake::say("42.")};
    bench.agent.options().hooks.emplace_back(noting{"First."});
    bench.agent.options().hooks.emplace_back(noting{""});
    bench.agent.options().hooks.emplace_back(noting{"Second."});
    const ai::answer reply = bench.answer();
    CHECK(reply.text == "42.\n\nFirst.\n\nSecond.");
    CHECK(reply.messages.back().text() == "42.");
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("a hook that throws has no effect, but a gate that throws denies") {
    agent_bench bench{fake::call("look"), fake::say("Done.")};
    bench.offer("look", [] { return 1; });
    bench.agent.options().hooks.emplace_back(failing{});
    const ai::answer reply = bench.answer();
    CHECK(reply.text == "Done.");
    CHECK(codes_in(reply.messages) == std::vector<std::string>{"ok"});

    agent_bench gated{fake::call("look"), fake::say("Done.")};
    gated.offer("look", [] { return 1; });
    gated.agent.options().hooks.emplace_back(failing_gate{});
    CHECK(codes_in(gated.answer().messages) == std::vector<std::string>{"denied"});
}
#endif
