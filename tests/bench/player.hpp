#pragma once
/// The agent of the question: its capabilities, and a transport that answers from memory.
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/policy/http_transport.hpp>
#include <pyaichat/runtime/inline_executor.hpp>

#include "question.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

inline ai::any_capabilities player_capabilities() {
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

/// Answers from memory, and keeps what was asked.
struct canned_transport {
    std::vector<std::string> bodies = {};
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

}  // namespace bench
