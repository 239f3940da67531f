// A program whose agent dies at a record of its journal: `killed_run FOLDER RECORD HOW`. It asks its question, or goes on with the run that
// the journal in the folder tells of, and ends with status 0 when there is an answer. Counting the records that it appends itself, it dies
// with status 9 at number RECORD (0 = never): `before` it is written, `half` way through, or right `after`.
//
// What it does to the world stands in FOLDER/world: a line "model" for each request, and "NAME NUMBER" for each call that has run.
#include "runtime/journal_lines.hpp"

#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/runtime/file_journal.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace ai = pyaichat;

namespace {

void note(const std::string& folder, const std::string& line) {
    std::ofstream(folder + "/world", std::ios::app) << line << '\n';  // with the system when it returns: a killed process loses nothing
}

/// Asks for two calls, then for two more, then answers: as the history says, so that it does not matter which process is asked.
struct model {
    std::string folder;

    ai::result<ai::model_response> complete(const ai::model_request& request, const ai::delta_sink&, const ai::cancel_token&) {
        note(folder, "model");
        std::size_t replies = 0;
        for (const ai::message& one : request.messages) {
            for (const ai::part& piece : one.parts) {
                replies += piece.as<ai::response_part>() != nullptr ? 1 : 0;
            }
        }
        ai::message content{.role = ai::role::model};
        if (replies < 4) {
            content.parts.push_back(ai::call_part{.name = replies == 0 ? "look" : "pay"});
            content.parts.push_back(ai::call_part{.name = replies == 0 ? "heal" : "set"});
        } else {
            content.parts.push_back(ai::text_part{.text = "Done."});
        }
        ai::model_response response;
        response.candidates.push_back({.content = std::move(content), .finish = ai::finish_reason::stop});
        return response;
    }
};

/// `look` may be run again, `set` too; `heal` and `pay` must not. Each replies with the process in which it ran.
struct world {
    std::string folder;
    ai::result<ai::capability_list> declared = ai::declare({
        {.name = "look", .description = "Looks.", .effects = ai::effects::read},
        {.name = "set", .description = "Sets.", .effects = ai::effects::idempotent},
        {.name = "heal", .description = "Heals.", .effects = ai::effects::once},
        {.name = "pay", .description = "Pays.", .effects = ai::effects::once},
    });

    [[nodiscard]] ai::result<ai::capability_list> specs() const { return declared; }
    void invoke(const ai::capability_call& call, ai::capability_responder responder) {
        note(folder, call.name + " " + std::to_string(call.number));
        responder(ai::reply_with(::getpid()));
    }
};

struct mortal_journal {
    ai::file_journal inner;
    std::string path;
    int dies_at;
    std::string_view how;

    ai::result<void> append(const ai::journal_record& record) {
        const bool last = --dies_at == 0;
        if (last && how == "before") {
            ::_exit(9);
        }
        if (last && how == "half") {
            const std::string line = *ai::detail::encode_line(record);
            std::ofstream(path, std::ios::app) << line.substr(0, line.size() / 2);
            ::_exit(9);
        }
        const ai::result<void> kept = inner.append(record);
        if (last && how == "after") {
            ::_exit(9);
        }
        return kept;
    }
};

int fail(const ai::failure& why) {
    std::fprintf(stderr, "killed_run: %s\n", why.message.c_str());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        return 2;
    }
    const std::string folder = argv[1];
    const std::string path = folder + "/journal.jsonl";
    ai::result<ai::file_journal> journal = ai::file_journal::open(path);
    if (!journal) {
        return fail(journal.error());
    }
    const ai::result<std::vector<ai::journalled_run>> runs = journal->runs();
    if (!runs) {
        return fail(runs.error());
    }
    ai::agent agent{model{folder}, {world{folder}}};
    agent.options().journal = mortal_journal{*std::move(journal), path, std::atoi(argv[2]), argv[3]};
    ai::run run;
    if (runs->empty()) {
        run = agent.ask("What is to be done?");
    } else {
        ai::result<ai::run> recovered = agent.recover(runs->front().records);
        if (!recovered) {
            return fail(recovered.error());
        }
        run = *std::move(recovered);
    }
    return run.wait().reason == ai::stop_reason::complete ? 0 : 1;
}
