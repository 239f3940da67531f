/// One question of three requests to Gemini over loopback HTTP, beside the least that anybody could do: CPU of the client.
#include <pyaichat/gemini/gemini.hpp>

#include "bare_httplib.hpp"
#include "gemini_turns.hpp"
#include "http_peer.hpp"
#include "service_question.hpp"

#include <memory>

namespace {

using namespace bench;

ai::gemini_options options_for(int port) {
    return {.api_key = "not-a-key", .base_url = "http://127.0.0.1:" + std::to_string(port), .stream = false};  // as the bare clients
}

/// All of it but the transport.
void gemini_without_network(benchmark::State& state) {
    auto agent = agent_of(ai::gemini(options_for(1), canned_transport{gemini_bodies()}));
    measure(state, [&] { return complete(agent.ask(question).wait()); });
}
BENCHMARK(gemini_without_network)->UseManualTime()->Unit(benchmark::kMicrosecond);

void gemini_over_loopback(benchmark::State& state) {
    const http_peer peer(gemini_bodies());
    auto agent = agent_of(ai::gemini(options_for(peer.port())));
    measure(state, [&] { return complete(agent.ask(question).wait()); });
}
BENCHMARK(gemini_over_loopback)->UseManualTime()->Unit(benchmark::kMicrosecond);

/// The same requests: each made of one JSON value, its response read as one.
void bare_httplib_over_loopback(benchmark::State& state) {
    const http_peer peer(gemini_bodies());
    bare_httplib client(peer.port());
    std::vector<ai::json> bodies;
    const std::vector<ai::http_request> asked = gemini_requests(false);
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
    const http_peer peer(gemini_bodies());
    bare_socket socket(peer.port());
    std::vector<std::string> messages;
    for (const ai::http_request& one : gemini_requests(false)) {
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
