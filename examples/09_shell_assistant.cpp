// An assistant in a terminal. It reads files of one folder, and runs commands there that a rule or the person allows.
//
//     GEMINI_API_KEY=... 09_shell_assistant [FOLDER]
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/pyaichat.hpp>
#include <pyaichat/shell/shell.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace ai = pyaichat;
namespace fs = std::filesystem;

namespace {

// [read_file]
/// Reads a file within a folder. Symbolic links are resolved first, so they do not lead out of it.
auto read_file(const fs::path& root) {
    return ai::capability(
               "read_file", "Returns the content of a text file.",
               [root](const std::string& name) -> ai::result<std::string> {
                   std::error_code error;
                   const fs::path path = fs::canonical(root / name, error);
                   const bool inside = std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
                   if (error || !inside || !fs::is_regular_file(path, error)) {
                       return ai::failure{.code = ai::errc::not_found, .message = "no file " + name, .hint = "Name a file in the folder."};
                   }
                   std::ifstream in(path, std::ios::binary);
                   return std::string(std::istreambuf_iterator<char>(in), {});
               },
               ai::arg{"name", "relative to the folder"})
        .with(ai::effects::read);
}
// [/read_file]

// [ask]
/// Asks the person about a command that no rule allows. "always" adds the rule that would have allowed it.
ai::call_decision ask_person(const ai::pending_call& pending, ai::shell_rules& rules) {
    const ai::shell_judgement judged = rules.judge(ai::string_member(pending.call.arguments, "command").value_or(""));
    std::cout << pending.reason << "\nyes, no" << (judged.rules.empty() ? "" : ", always") << "? " << std::flush;
    std::string word;
    std::getline(std::cin, word);
    if (word == "always" && !judged.rules.empty()) {
        rules.allow.insert(rules.allow.end(), judged.rules.begin(), judged.rules.end());
        return ai::call_decision::allow();
    }
    return word == "yes" ? ai::call_decision::allow() : ai::call_decision::deny("the person has refused this command");
}
// [/ask]

}  // namespace

// [main]
int main(int argc, char** argv) {
    const fs::path root = fs::canonical(argc > 1 ? argv[1] : ".");
    ai::shell_rules rules{.allow = {"ls", "wc", "git status", "git log", "git diff"}, .deny = {"rm", "git push"}};
    ai::gemini_options service{.api_key = ai::env("GEMINI_API_KEY")};
    if (const std::string url = ai::env("GEMINI_BASE_URL"); !url.empty()) {
        service.base_url = url;
    }
    ai::agent assistant{ai::gemini{service},
                        {ai::shell{{.folder = root.string(), .approval = ai::borrow(rules)}}, read_file(root)},
                        {.instructions = "You help a person in a terminal. Look with read_file and exec before you answer.",
                         .limits = {.max_steps = 20, .total_timeout = std::chrono::minutes(5)}}};
    ai::conversation history;
    std::string question;
    while (std::cout << "> " << std::flush && std::getline(std::cin, question)) {
        ai::run run = assistant.ask(
            {.question = question, .history = history},
            ai::on{[](const ai::call_started& call) { std::cout << "- " << ai::visible_command(call.arguments) << std::endl; },
                   [](const ai::call_output& output) { std::cout << output.text << std::flush; }});
        while (run.wait().reason == ai::stop_reason::awaiting_approval) {
            for (const ai::pending_call& pending : run.pending()) {
                static_cast<void>(run.resume(pending.call.number, ask_person(pending, rules)));
            }
        }
        std::cout << run.reply().text << std::endl;
        history = run.reply().messages;
    }
}
// [/main]
