// A shop assistant that may read orders. A refund needs a person's approval.
//
//     05_approval                  asks, pauses for approval and writes the run to run.json
//     05_approval allow            in another process: reads run.json, allows the refund and continues the run
//     05_approval allow 20         allows another amount
//     05_approval deny "reason"
//
//     05_approval crash            exits in the middle of a refund; the journal is in runs.jsonl
//     05_approval recover          continues the run from runs.jsonl, without a second refund
#include <pyaichat/pyaichat.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace ai = pyaichat;

namespace {

// [model]
/// A stub of a language model, so that the example does not need a network. It reads the order, refunds it and reports the result.
struct clerk {
    ai::result<ai::model_response> complete(const ai::model_request& request, const ai::delta_sink&, const ai::cancel_token&) {
        ai::message content{.role = ai::role::model};
        const auto* last = request.messages.back().parts.back().as<ai::response_part>();
        if (last == nullptr) {
            content.parts.push_back(ai::call_part{.name = "order", .arguments = {{"id", 7}}});
        } else if (last->name == "order") {
            content.parts.push_back(ai::text_part{.text = "Order 7 arrived broken; I would like to refund it."});
            content.parts.push_back(ai::call_part{.name = "refund", .arguments = {{"order", 7}, {"euros", 35}}});
        } else {
            content.parts.push_back(ai::text_part{.text = "The refund: " + ai::dump_json(last->response)});
        }
        ai::model_response response;
        response.candidates.push_back({.content = std::move(content), .finish = ai::finish_reason::stop});
        return response;
    }
};
// [/model]

// [policy]
/// Allows small refunds, denies large refunds, and asks a person about the others.
ai::call_decision about_money(const ai::proposed_call& call) {
    if (call.effects == ai::effects::read) {
        return ai::call_decision::allow();
    }
    const double euros = call.arguments.value("euros", 0.0);
    if (euros > 500) {
        return ai::call_decision::deny("refunds above 500 euros are only made at the counter; tell the customer");
    }
    return euros <= 10 ? ai::call_decision::allow() : ai::call_decision::ask("it is more than 10 euros");
}
// [/policy]

// [hooks]
/// Denies refunds while the books are closed, whatever the policy decides. Hides account numbers from the model and the logs.
struct bookkeeping {
    bool closed = false;

    ai::call_decision before_call(const ai::proposed_call& call) const {
        return closed && call.name == "refund" ? ai::call_decision::deny("the books are closed today; try tomorrow") : ai::call_decision{};
    }
    void after_call(const ai::capability_call&, ai::capability_reply& reply) const {
        if (reply.ok() && reply.result.is_object() && reply.result.contains("account")) {
            reply.result["account"] = "***";
        }
    }
};
// [/hooks]

// [agent]
ai::agent make_agent(ai::agent_options options, bool power_fails = false) {
    return ai::agent{clerk{},
                     {ai::capability(
                          "order", "An order.", [](int id) { return ai::json{{"id", id}, {"state", "broken"}, {"account", "DE02 1203"}}; },
                          ai::arg{"id"})
                          .with(ai::effects::read),
                      ai::capability(
                          "refund", "Gives money back.",
                          [power_fails](int order, double euros) {
                              std::printf("refunding %g euros for order %d\n", euros, order);
                              if (power_fails) {
                                  std::fflush(stdout);
                                  std::_Exit(9);
                              }
                              return ai::json{{"order", order}, {"refunded", euros}};
                          },
                          ai::arg{"order"}, ai::arg{"euros"})},
                     std::move(options)};
}
// [/agent]

// [options]
ai::agent_options careful() {
    return {.approval = about_money, .hooks = {bookkeeping{}}};
}
// [/options]

std::string read_file(const char* name) {
    std::ifstream in(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

int fail(const ai::failure& error) {
    std::fprintf(stderr, "%s\n%s\n", error.message.c_str(), error.hint.c_str());
    return EXIT_FAILURE;
}

// [pause]
/// Runs until the end, or until a person has to decide. Then it writes the run to a file, and the process may exit.
int drive(ai::run run) {
    const ai::answer reply = run.wait();
    std::printf("%s\n", reply.text.c_str());
    if (reply.reason != ai::stop_reason::awaiting_approval) {
        return EXIT_SUCCESS;
    }
    for (const ai::pending_call& pending : run.pending()) {
        std::printf("call %llu: %s (%s)\n", static_cast<unsigned long long>(pending.call.number),
                    ai::describe_call(pending.call.name, pending.call.arguments).c_str(), pending.reason.c_str());
    }
    std::ofstream("run.json") << ai::dump_json(run.snapshot());
    return EXIT_SUCCESS;
}
// [/pause]

// [resume]
int resume(ai::agent& agent, const ai::call_decision& decision) {
    ai::result<ai::json> snapshot = ai::parse_json(read_file("run.json"));
    if (!snapshot) {
        return fail(snapshot.error());
    }
    ai::result<ai::run> run = agent.restore(*snapshot);
    if (!run) {
        return fail(run.error());
    }
    run->wait();  // returns where the run paused
    for (const ai::pending_call& pending : run->pending()) {
        if (ai::result<void> resumed = run->resume(pending.call.number, decision); !resumed) {
            return fail(resumed.error());
        }
    }
    return drive(*std::move(run));
}
// [/resume]

// [journal]
int ask_and_crash() {
    ai::result<ai::file_journal> journal = ai::file_journal::open("runs.jsonl");
    if (!journal) {
        return fail(journal.error());
    }
    ai::agent agent = make_agent({.approval = ai::allow_all, .hooks = {bookkeeping{}}, .journal = *std::move(journal)}, true);
    return drive(agent.ask("My vase is broken."));
}
// [/journal]

// [recover]
/// At program start: continues the runs that had not ended when the program was killed.
int recover_runs() {
    ai::result<ai::file_journal> journal = ai::file_journal::open("runs.jsonl");
    if (!journal) {
        return fail(journal.error());
    }
    const ai::result<std::vector<ai::journalled_run>> stored = journal->runs();
    if (!stored) {
        return fail(stored.error());
    }
    ai::agent agent = make_agent({.approval = ai::allow_all, .hooks = {bookkeeping{}}, .journal = *std::move(journal)});
    for (const ai::journalled_run& entry : *stored) {
        ai::result<ai::run> run = agent.recover(entry.records);
        if (!run) {
            return fail(run.error());
        }
        if (!run->done()) {
            drive(*std::move(run));
        }
    }
    return EXIT_SUCCESS;
}
// [/recover]

}  // namespace

int main(int argc, char** argv) {
    const std::string_view word = argc > 1 ? argv[1] : "";
    if (word == "crash") {
        return ask_and_crash();
    }
    if (word == "recover") {
        return recover_runs();
    }
    ai::agent agent = make_agent(careful());
    if (word == "allow") {
        return resume(agent,
                      argc < 3 ? ai::call_decision::allow() : ai::call_decision::allow_with({{"order", 7}, {"euros", std::atof(argv[2])}}));
    }
    if (word == "deny") {
        return resume(agent, ai::call_decision::deny(argc > 2 ? argv[2] : "not this time"));
    }
    return drive(agent.ask("My vase is broken."));
}
