/// One question of three requests to OpenAI and to Anthropic with a transport that answers from memory, beside `gemini_without_network`.
#include <pyaichat/anthropic/anthropic.hpp>
#include <pyaichat/openai/openai.hpp>

#include "service_question.hpp"

namespace {

using namespace bench;

/// The model's turns as Chat Completions sends them.
std::vector<std::string> completions() {
    std::vector<std::string> bodies;
    for (const ai::message& turn : model_turns()) {
        ai::json message = {{"role", "assistant"}, {"content", nullptr}, {"refusal", nullptr}};
        const auto* call = turn.parts[0].as<ai::call_part>();
        if (call != nullptr) {
            ai::json function = {{"name", call->name}, {"arguments", ai::dump_json(call->arguments)}};
            ai::json sent = {{"id", call->id}, {"type", "function"}};
            sent["function"] = std::move(function);
            message["tool_calls"] = ai::json::array({std::move(sent)});
        } else {
            message["content"] = turn.text();
        }
        ai::json choice = {{"index", 0}, {"logprobs", nullptr}, {"finish_reason", call != nullptr ? "tool_calls" : "stop"}};
        choice["message"] = std::move(message);
        ai::json body = {{"id", "chatcmpl-1"},
                         {"object", "chat.completion"},
                         {"created", 1'763'700'000},
                         {"model", "gpt"},
                         {"usage",
                          {{"prompt_tokens", 412},
                           {"completion_tokens", 37},
                           {"total_tokens", 449},
                           {"prompt_tokens_details", {{"cached_tokens", 0}}}}}};
        body["choices"] = ai::json::array({std::move(choice)});
        bodies.push_back(ai::dump_json(body));
    }
    return bodies;
}

/// The same as the Messages API sends them.
std::vector<std::string> messages() {
    std::vector<std::string> bodies;
    for (const ai::message& turn : model_turns()) {
        ai::json content = ai::json::array();
        const auto* call = turn.parts[0].as<ai::call_part>();
        if (call != nullptr) {
            content.push_back({{"type", "thinking"}, {"thinking", ""}, {"signature", std::string(400, 'A')}});
            content.push_back({{"type", "tool_use"}, {"id", call->id}, {"name", call->name}, {"input", call->arguments}});
        } else {
            content.push_back({{"type", "text"}, {"text", turn.text()}, {"citations", nullptr}});
        }
        ai::json body = {{"id", "msg_1"},
                         {"type", "message"},
                         {"role", "assistant"},
                         {"model", "claude"},
                         {"stop_reason", call != nullptr ? "tool_use" : "end_turn"},
                         {"usage", {{"input_tokens", 412}, {"output_tokens", 37}, {"cache_read_input_tokens", 0}}}};
        body["content"] = std::move(content);
        bodies.push_back(ai::dump_json(body));
    }
    return bodies;
}

void openai_without_network(benchmark::State& state) {
    auto agent = agent_of(ai::openai({.api_key = "not-a-key", .stream = false}, canned_transport{completions()}));
    measure(state, [&] { return complete(agent.ask(question).wait()); });
}
BENCHMARK(openai_without_network)->UseManualTime()->Unit(benchmark::kMicrosecond);

void anthropic_without_network(benchmark::State& state) {
    auto agent = agent_of(ai::anthropic({.api_key = "not-a-key", .stream = false}, canned_transport{messages()}));
    measure(state, [&] { return complete(agent.ask(question).wait()); });
}
BENCHMARK(anthropic_without_network)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
