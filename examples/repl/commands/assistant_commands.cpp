#include "commands/command_groups.hpp"

#include <charconv>

namespace repl {

namespace {

constexpr const char* nothing_asked = "nothing was asked yet\n";

void change_model(const command_target& target, const std::string& model) {
    if (const auto changed = model.empty() ? ai::result<void>() : target.answers.use_model(model); !changed) {
        target.out.err(printable(changed.error().message) + "\n");
    } else {
        target.out.out(target.answers.who_answers() + "\n");
    }
}

void change_memory(const command_target& target, const std::string& state) {
    if (state == "on" || state == "off") {
        target.answers.remember(state == "on");
    } else if (!state.empty()) {
        target.out.err("/memory takes on or off\n");
        return;
    }
    target.out.out(target.answers.memory().report());
}

void ask_again(const command_target& target, const std::string&) {
    if (target.answers.last_question().empty()) {
        target.out.err(nothing_asked);
        return;
    }
    const std::string question = target.answers.last_question();
    target.out.notice("· " + printable(question));
    target.prompt.ask(question);
}

void edit_question(const command_target& target, const std::string&) {
    if (target.answers.last_question().empty()) {
        target.out.err(nothing_asked);
        return;
    }
    target.prompt.set_mode(console_mode::assistant);
    target.prompt.prefill(target.answers.last_question());
}

void use_code(const command_target& target, const std::string& number) {
    const std::vector<code_block>& blocks = target.answers.code_blocks();
    if (blocks.empty()) {
        target.out.err("the last answer has no code\n");
        return;
    }
    std::size_t chosen = number.empty() ? 1 : 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), chosen);
    if (chosen == 0 || chosen > blocks.size() || read.ptr != number.data() + number.size()) {
        target.out.err("/use takes the number of a piece of code of the last answer, 1 to " + std::to_string(blocks.size()) + "\n");
        return;
    }
    target.prompt.set_mode(console_mode::python);
    target.prompt.prefill(blocks[chosen - 1].code);
}

void show_trace(const command_target& target, const std::string&) {
    target.out.out(target.answers.trace());
}

void show_cost(const command_target& target, const std::string&) {
    target.out.out(target.answers.cost());
}

void show_context(const command_target& target, const std::string&) {
    target.out.out(target.answers.context());
}

constexpr std::string_view on_or_off[] = {"on", "off"};

constexpr command commands_of_assistant[] = {
    {"/again", "", "ask the last question again", &ask_again},
    {"/edit", "", "edit the last question", &edit_question},
    {"/use", "[NUMBER]", "edit a piece of code of the last answer at py>; it does not run before you press Enter", &use_code},
    {"/model", "[NAME]", "show the model, or switch to another model", &change_model},
    {"/memory", "[on|off]", "send earlier questions and answers with each question (off at start)", &change_memory, on_or_off},
    {"/trace", "", "the events of the last question", &show_trace},
    {"/cost", "", "the tokens, the time and the cost of all questions", &show_cost},
    {"/context", "", "what the next question would send", &show_context},
};

}  // namespace

std::span<const command> assistant_commands() {
    return commands_of_assistant;
}

}  // namespace repl
