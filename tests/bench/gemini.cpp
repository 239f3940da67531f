/// One question of three requests to Gemini over loopback HTTP, beside the least that anybody could do: CPU of the client.
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/runtime/inline_executor.hpp>

#include "bare_httplib.hpp"
#include "cpu_time.hpp"
#include "http_peer.hpp"
#include "question.hpp"

#include <benchmark/benchmark.h>

#include <memory>
#include <mutex>

namespace {

using namespace bench;

/// The model's turns as the service sends them.
std::vector<std::string> response_bodies() {
    std::vector<std::string> bodies;
    for (const ai::message& turn : model_turns()) {
        ai::json part = ai::json::object();
        if (const auto* call = turn.parts[0].as<ai::call_part>()) {
            part["functionCall"] = {{"id", call->id}, {"name", call->name}, {"args", call->arguments}};
            part["thoughtSignature"] = std::string(400, 'A');
        } else {
            part["text"] = turn.text();
        }
        ai::json content = {{"role", "model"}};
        content["parts"] = ai::json::array({std::move(part)});
        ai::json candidate = {{"finishReason", "STOP"}, {"index", 0}};
        candidate["content"] = std::move(content);
        ai::json body = {{"usageMetadata",
                          {{"promptTokenCount", 412},
                           {"candidatesTokenCount", 37},
                           {"totalTokenCount", 449},
                           {"promptTokensDetails", {{{"modality", "TEXT"}, {"tokenCount", 412}}}}}},
                         {"modelVersion", "gemini"},
                         {"responseId", "cmVzcG9uc2UtaWQtMTIz"}};
        body["candidates"] = ai::json::array({std::move(candidate)});
        bodies.push_back(ai::dump_json(body, 2));  // the service indents
    }
    return bodies;
}

ai::any_capabilities player_capabilities() {
    return {ai::capability(
                "get_health", "Health of a person, and what ails them.", [](const std::string&) { return health_result(); },
                ai::arg{"who", "whose health"}),
            ai::capability(
                "list_enemies", "Enemies near the player, nearest first.",
                [](double, std::optional<bool>, std::optional<int>) { return enemies_result(); }, ai::arg{"radius", "in metres"},
                ai::arg{"awake_only", "leave out those that sleep"}, ai::arg{"limit", "the most that are listed"})};
}

template <class Provider>
auto agent_of(Provider provider) {
    return ai::basic_agent{std::move(provider), player_capabilities(), ai::agent_options{.instructions = "Be brief."}, ai::steady_clock{},
                           ai::inline_executor{}};
}

ai::gemini_options options_for(int port) {
    return {.api_key = "not-a-key", .base_url = "http://127.0.0.1:" + std::to_string(port), .stream = false};  // as the bare clients
}

/// Answers from memory, and keeps what was asked.
struct canned_transport {
    std::vector<std::string> bodies = response_bodies();
    std::shared_ptr<std::vector<ai::http_request>> kept = nullptr;
    std::size_t next = 0;

    ai::result<ai::http_response> send(const ai::http_request& request, const ai::cancel_token&) {
        if (kept) {
            kept->push_back(request);
        }
        return ai::http_response{.status = 200, .headers = {{"content-type", "application/json"}}, .body = bodies[next++ % bodies.size()]};
    }
    ai::result<ai::http_response> stream(const ai::http_request& request, const ai::http_body_sink& sink, const ai::cancel_token& cancel) {
        ai::result<ai::http_response> whole = send(request, cancel);
        sink(whole->body);
        whole->body.clear();
        return whole;
    }
};

/// The three requests that the question makes, as the transport is given them.
std::vector<ai::http_request> requests() {
    canned_transport transport;
    const auto kept = transport.kept = std::make_shared<std::vector<ai::http_request>>();
    auto agent = agent_of(ai::gemini(options_for(1), std::move(transport)));
    static_cast<void>(agent.ask(question).wait());
    return *kept;
}

bool complete(const ai::answer& reply) {
    return reply.reason == ai::stop_reason::complete && reply.steps == 3;
}

template <class Work>
void measure(benchmark::State& state, Work&& work) {
    for (int warm_up = 0; warm_up < 50; ++warm_up) {
        work();
    }
    for (auto _ : state) {
        const std::int64_t before = process_cpu();
        if (!work()) {
            state.SkipWithError("an exchange failed");
            break;
        }
        state.SetIterationTime(static_cast<double>(process_cpu() - before) * 1e-9);
    }
}

/// All of it but the transport.
void gemini_without_network(benchmark::State& state) {
    auto agent = agent_of(ai::gemini(options_for(1), canned_transport{}));
    measure(state, [&] { return complete(agent.ask(question).wait()); });
}
BENCHMARK(gemini_without_network)->UseManualTime()->Unit(benchmark::kMicrosecond);

void gemini_over_loopback(benchmark::State& state) {
    const http_peer peer(response_bodies());
    auto agent = agent_of(ai::gemini(options_for(peer.port())));
    measure(state, [&] { return complete(agent.ask(question).wait()); });
}
BENCHMARK(gemini_over_loopback)->UseManualTime()->Unit(benchmark::kMicrosecond);

/// The same requests: each made of one JSON value, its response read as one.
void bare_httplib_over_loopback(benchmark::State& state) {
    const http_peer peer(response_bodies());
    bare_httplib client(peer.port());
    std::vector<ai::json> bodies;
    const std::vector<ai::http_request> asked = requests();
    for (const ai::http_request& one : asked) {
        bodies.push_back(*ai::parse_json(one.body));
    }
    measure(state, [&] {
        for (std::size_t i = 0; i < asked.size(); ++i) {
            if (!nlohmann::json::parse(client.post(asked[i], bodies[i].dump())).is_object()) {
                return false;
            }
        }
        return true;
    });
}
BENCHMARK(bare_httplib_over_loopback)->UseManualTime()->Unit(benchmark::kMicrosecond);

/// The same bytes, and nothing done with them.
void bare_socket_over_loopback(benchmark::State& state) {
    const http_peer peer(response_bodies());
    bare_socket socket(peer.port());
    std::vector<std::string> messages;
    for (const ai::http_request& one : requests()) {
        std::string message = one.method + " " + one.url.substr(one.url.find('/', 8)) + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
        for (const ai::http_header& header : one.headers) {
            message += header.name + ": " + header.value + "\r\n";
        }
        messages.push_back(message + "Content-Length: " + std::to_string(one.body.size()) + "\r\n\r\n" + one.body);
    }
    measure(state, [&] {
        for (const std::string& message : messages) {
            if (socket.exchange(message).empty()) {
                return false;
            }
        }
        return true;
    });
}
BENCHMARK(bare_socket_over_loopback)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
