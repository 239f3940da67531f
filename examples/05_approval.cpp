// A shop assistant that may look at orders, and gives money back only when a person says so.
//
//     05_approval                  asks, and pauses where a person has to decide; the run is written to run.json
//     05_approval allow            another process, perhaps another day: reads run.json, allows the refund, and goes on
//     05_approval allow 20         allows it with another amount
//     05_approval deny "reason"
//
//     05_approval crash            dies in the middle of a refund; what happened so far is in runs.jsonl
//     05_approval recover          goes on with what runs.jsonl tells of: the refund is not made twice
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
/// Stands for a language model, so that the example needs no network: looks at the order, refunds it, says what came of it.
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
/// Small refunds are the clerk's business, large ones nobody's, the others a person's.
ai::call_decision about_money(const ai::proposed_call& call) {
    if (call.effects == ai::effects::read) {
        return ai::call_decision::allow();
    }
    const double euros = call.arguments.value("euros", 0.0);
    if (euros > 500) {
        return ai::call_decision::deny("refunds above 500 euros are made at the counter; tell the customer so");
    }
    return euros <= 10 ? ai::call_decision::allow() : ai::call_decision::ask("it is more than 10 euros");
}
// [/policy]

// [hooks]
/// Whatever the policies say: never on a day when the books are closed. And account numbers reach neither the model nor any log.
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

int fail(const ai::failure& why) {
    std::fprintf(stderr, "%s\n%s\n", why.message.c_str(), why.hint.c_str());
    return EXIT_FAILURE;
}

// [pause]
/// To its end, or to where a person has to decide: then the run is put into a file, and this process may end.
int drive(ai::run run) {
    const ai::answer reply = run.wait();
    std::printf("%s\n", reply.text.c_str());
    if (reply.reason != ai::stop_reason::awaiting_approval) {
        return EXIT_SUCCESS;
    }
    for (const ai::pending_call& one : run.pending()) {
        std::printf("call %llu: %s (%s)\n", static_cast<unsigned long long>(one.call.number),
                    ai::describe_call(one.call.name, one.call.arguments).c_str(), one.reason.c_str());
    }
    std::ofstream("run.json") << ai::dump_json(run.snapshot());
    return EXIT_SUCCESS;
}
// [/pause]

// [resume]
int go_on(ai::agent& agent, const ai::call_decision& decision) {
    ai::result<ai::json> snapshot = ai::parse_json(read_file("run.json"));
    if (!snapshot) {
        return fail(snapshot.error());
    }
    ai::result<ai::run> run = agent.restore(*snapshot);
    if (!run) {
        return fail(run.error());
    }
    run->wait();  // to where it paused
    for (const ai::pending_call& one : run->pending()) {
        if (ai::result<void> fine = run->resume(one.call.number, decision); !fine) {
            return fail(fine.error());
        }
    }
    return drive(*std::move(run));
}
// [/resume]

// [journal]
int ask_and_die() {
    ai::result<ai::file_journal> journal = ai::file_journal::open("runs.jsonl");
    if (!journal) {
        return fail(journal.error());
    }
    ai::agent agent = make_agent({.approval = ai::allow_all, .hooks = {bookkeeping{}}, .journal = *std::move(journal)}, true);
    return drive(agent.ask("My vase is broken."));
}
// [/journal]

// [recover]
/// What a program does when it starts: the runs that had not ended when it was last killed go on.
int go_on_after_a_crash() {
    ai::result<ai::file_journal> journal = ai::file_journal::open("runs.jsonl");
    if (!journal) {
        return fail(journal.error());
    }
    const ai::result<std::vector<ai::journalled_run>> kept = journal->runs();
    if (!kept) {
        return fail(kept.error());
    }
    ai::agent agent = make_agent({.approval = ai::allow_all, .hooks = {bookkeeping{}}, .journal = *std::move(journal)});
    for (const ai::journalled_run& one : *kept) {
        ai::result<ai::run> run = agent.recover(one.records);
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
        return ask_and_die();
    }
    if (word == "recover") {
        return go_on_after_a_crash();
    }
    ai::agent agent = make_agent(careful());
    if (word == "allow") {
        return go_on(agent,
                     argc < 3 ? ai::call_decision::allow() : ai::call_decision::allow_with({{"order", 7}, {"euros", std::atof(argv[2])}}));
    }
    if (word == "deny") {
        return go_on(agent, ai::call_decision::deny(argc > 2 ? argv[2] : "not this time"));
    }
    return drive(agent.ask("My vase is broken."));
}
