#include "assistant/session_file.hpp"
#include "commands/command_groups.hpp"
#include "commands/saved_variables.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <sstream>
#include <utility>

namespace repl {

namespace {

std::vector<std::string> words_of(const std::string& argument) {
    std::istringstream stream(argument);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) {
        words.push_back(std::move(word));
    }
    return words;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

std::string counted(std::size_t count, const char* noun) {
    return ai::detail::counted(static_cast<std::int64_t>(count), noun);
}

std::string count_entries(std::size_t count) {
    return count == 1 ? "1 entry" : std::to_string(count) + " entries";
}

/// Removes the key from what is not a pickle. Pickles with the key were left out before.
session_file without_key(const session_file& session, const assistant& answers) {
    session_file out = session;
    for (std::string& entry : out.entries) {
        entry = answers.without_key(entry);
    }
    out.conversation = ai::parse_json(answers.without_key(ai::dump_json(session.conversation))).value_or(ai::json());
    return out;
}

void save_session(const command_target& target, const std::string& argument) {
    std::vector<std::string> names = words_of(argument);
    if (names.empty() || names.front().starts_with('-')) {
        target.out.err("/save takes a file, and the variables to keep: /save work.json x df, or --all\n");
        return;
    }
    const std::string path = names.front();
    names.erase(names.begin());
    session_file session{.entries = target.python.record().entries(), .conversation = target.answers.memory().stored()};
    std::vector<left_out_variable> left_out;
    if (!names.empty()) {
        if (const auto sentence = target.python.busy()) {
            target.out.err(*sentence + "\n");
            return;
        }
        if (std::ranges::find(names, "--all") != names.end()) {
            names = names_to_save(target.python.session());
        }
        std::ranges::sort(names);
        names.erase(std::unique(names.begin(), names.end()), names.end());
        session.variables = pickle_variables(target.python, names, target.answers.key(), left_out);
    }
    if (const auto written = write_session_file(path, without_key(session, target.answers)); !written) {
        target.out.err(printable(written.error().message) + "\n");
        return;
    }
    std::string text = "saved " + count_entries(session.entries.size()) + ", " + counted(target.answers.memory().turns(), "turn") +
                       " and " + counted(session.variables.size(), "variable") + " to " + path + "\n";
    for (const left_out_variable& each : left_out) {
        text += "  not kept: " + each.name + ": " + each.why + "\n";
    }
    target.out.out(printable(text));
}

void load_variables(const command_target& target, const std::vector<saved_variable>& variables) {
    if (variables.empty()) {
        return;
    }
    std::vector<std::string> names;
    for (const saved_variable& each : variables) {
        names.push_back(each.name);
    }
    if (!target.prompt.at_terminal()) {
        target.out.err("the variables " + printable(joined(names)) +
                       " were not loaded: that runs code of the file, and only a person at a "
                       "terminal can allow it\n");
        return;
    }
    if (!target.prompt.confirm("Loading " + joined(names) + " runs code that the file contains. Do you trust it?")) {
        target.out.out("the variables were not loaded\n");
        return;
    }
    std::vector<left_out_variable> failed;
    const std::size_t loaded = unpickle_variables(target.python, variables, failed);
    std::string text = "loaded " + counted(loaded, "variable") + "\n";
    for (const left_out_variable& each : failed) {
        text += "  not loaded: " + each.name + ": " + each.why + "\n";
    }
    target.out.out(printable(text));
}

void load_session(const command_target& target, const std::string& path) {
    if (path.empty()) {
        target.out.err("/load takes the file of a /save\n");
        return;
    }
    const auto session = read_session_file(path);
    if (!session) {
        target.out.err(printable(session.error().message) + "\n");
        return;
    }
    if (const auto restored = target.answers.memory().restore(session->conversation); !restored) {
        target.out.err(printable(path + ": " + restored.error().message) + "\n");
        return;
    }
    for (const std::string& entry : session->entries) {
        target.python.record().add_earlier(entry);
        target.prompt.add_history(console_mode::python, entry);
    }
    target.out.out("loaded " + count_entries(session->entries.size()) + " into the history and " +
                   counted(target.answers.memory().turns(), "turn") + "\n");
    load_variables(target, session->variables);
}

constexpr command commands_of_files[] = {
    {"/save", "FILE [NAME...|--all]", "write the history, the conversation and these variables to a file", &save_session},
    {"/load", "FILE", "read the file of a /save; asks before it loads variables", &load_session},
};

}  // namespace

std::span<const command> file_commands() {
    return commands_of_files;
}

}  // namespace repl
