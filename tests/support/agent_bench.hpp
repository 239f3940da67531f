#pragma once
/// An agent on a clock and an executor of the test's, and the few lines that nearly every test of the loop needs.
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/message/history.hpp>
#include <pyaichat/testing/manual_clock.hpp>
#include <pyaichat/testing/manual_executor.hpp>
#include <pyaichat/testing/recorder.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bench {

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

struct agent_bench {
    using agent_type = ai::basic_agent<ai::borrowed<fake::scripted_provider>, ai::any_capabilities, ai::borrowed<fake::manual_clock>,
                                       ai::borrowed<fake::manual_executor>>;

    explicit agent_bench(std::initializer_list<fake::scripted_reply> script, ai::limits bounds = {})
        : model(script),
          agent(ai::borrow(model), ai::any_capabilities{}, ai::agent_options{.instructions = "Be brief.", .limits = bounds, .seed = 1},
                ai::borrow(clock), ai::borrow(background)) {}

    template <class... Args>
    void offer(std::string name, Args&&... args) {
        REQUIRE(agent.capabilities().add(ai::capability(std::move(name), "A test.", std::forward<Args>(args)...)));
    }

    ai::pumped_run ask(std::string question = "question") {
        return agent.ask(std::move(question), ai::on{[this](const ai::event& one) { events(one); }});
    }

    /// Pumps and runs the background until nothing moves any more, or a person has to decide.
    ai::progress settle(ai::pumped_run& run) {
        for (;;) {
            const ai::progress reached = run.pump();
            if (reached == ai::progress::done || reached == ai::progress::awaiting_approval ||
                (reached == ai::progress::waiting && !background.run_one())) {
                return reached;
            }
        }
    }

    /// The whole way, for scripts in which nobody has to wait.
    ai::answer answer(std::string question = "question") {
        ai::pumped_run run = ask(std::move(question));
        REQUIRE(settle(run) == ai::progress::done);
        return run.reply();
    }

    fake::manual_clock clock = {};
    fake::manual_executor background = {};
    fake::recorder events = {};
    fake::scripted_provider model;
    agent_type agent;
};

/// A journal in memory. Gives back what a store that keeps text would.
struct kept_records {
    std::vector<ai::journal_record>* records;
    ai::result<void> append(const ai::journal_record& record) {
        records->push_back(record);
        records->back().content = *ai::parse_json(ai::dump_json(record.content));
        return {};
    }
};

/// The envelopes of all replies in a conversation, in order, as text.
inline std::vector<std::string> replies_in(const ai::conversation& messages) {
    std::vector<std::string> found;
    for (const ai::message& one : messages) {
        for (const ai::part& piece : one.parts) {
            if (const auto* response = piece.as<ai::response_part>()) {
                found.push_back(ai::dump_json(response->response));
            }
        }
    }
    return found;
}

/// The error codes of all replies; "ok" for results.
inline std::vector<std::string> codes_in(const ai::conversation& messages) {
    std::vector<std::string> found;
    for (const ai::message& one : messages) {
        for (const ai::part& piece : one.parts) {
            if (const auto* response = piece.as<ai::response_part>()) {
                const ai::json* error = ai::find_member(response->response, "error");
                found.emplace_back(error == nullptr ? "ok" : *ai::string_member(*error, "code"));
            }
        }
    }
    return found;
}

/// Whether every provider would take these messages as a history.
inline bool is_legal_history(const ai::conversation& messages) {
    const std::vector<std::string> faults = ai::check_history(messages);
    for (const std::string& one : faults) {
        UNSCOPED_INFO(one);
    }
    return faults.empty() && (messages.empty() || messages.back().role == ai::role::model);
}

}  // namespace bench
