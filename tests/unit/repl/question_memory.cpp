#include "assistant/question_memory.hpp"

#include <pyaichat/message/history.hpp>

#include "catch.hpp"

namespace {

namespace ai = pyaichat;

/// The answer of a run whose conversation continues `history`.
ai::answer reply_after(const ai::conversation& history, const std::string& question, const std::string& text) {
    ai::answer reply{.text = text, .reason = ai::stop_reason::complete, .messages = history};
    reply.messages.push_back(ai::user_message(question));
    reply.messages.push_back(ai::model_message(text));
    return reply;
}

void ask(repl::question_memory& memory, const std::string& question, const std::string& text) {
    const ai::conversation sent = memory.history();
    memory.add(question, reply_after(sent, question, text), sent);
}

std::string all_text(const ai::conversation& messages) {
    std::string text;
    for (const ai::message& message : messages) {
        text += message.text() + "\n";
    }
    return text;
}

}  // namespace

TEST_CASE("a memory that is off keeps nothing, and switching it forgets") {
    repl::question_memory memory;
    ask(memory, "q", "a");
    CHECK(memory.history().empty());
    CHECK(memory.report().starts_with("memory is off"));
    memory.set(true);
    ask(memory, "q", "a");
    CHECK(memory.history().size() == 2);
    CHECK(memory.report().find("1 turn, about ") != std::string::npos);
    memory.set(true);
    CHECK(memory.history().empty());
}

TEST_CASE("turns follow each other, each once") {
    repl::question_memory memory;
    memory.set(true);
    ask(memory, "first question", "first answer");
    ask(memory, "second question", "second answer");
    CHECK(all_text(memory.history()) == "first question\nfirst answer\nsecond question\nsecond answer\n");
    CHECK(memory.turns() == 2);
}

TEST_CASE("over the budget the oldest turns are shortened, and the newest stays whole") {
    repl::question_memory memory(1500);
    memory.set(true);
    for (int i = 0; i < 30; ++i) {
        ask(memory, "question " + std::to_string(i),
            "answer " + std::to_string(i) + " " + std::string(3000, 'x') + " end" + std::to_string(i));
        CHECK(ai::check_history(memory.history()).empty());
    }
    CHECK(memory.tokens() <= 1500);
    const std::string text = all_text(memory.history());
    CHECK(text.find("end29") != std::string::npos);
    CHECK(text.find("end28") == std::string::npos);
    CHECK(text.find("question 28") != std::string::npos);
    CHECK(text.find("- question 20 -> answer 20") != std::string::npos);
    CHECK(memory.report().find("shortened") != std::string::npos);
}

TEST_CASE("a single turn over the budget stays") {
    repl::question_memory memory(10);
    memory.set(true);
    ask(memory, "q", std::string(1000, 'x'));
    CHECK(memory.turns() == 1);
}

TEST_CASE("a stored memory is restored with its turns") {
    repl::question_memory memory(1500);
    memory.set(true);
    for (int i = 0; i < 5; ++i) {
        ask(memory, "question " + std::to_string(i), std::string(3000, 'x'));
    }
    repl::question_memory other(1500);
    REQUIRE(other.restore(memory.stored()).has_value());
    CHECK(other.is_on());
    CHECK(all_text(other.history()) == all_text(memory.history()));
    const std::string before = all_text(other.history());
    CHECK_FALSE(other.restore(ai::json::object({{"on", true}, {"turns", {1}}})).has_value());
    CHECK_FALSE(other.restore(ai::json(3)).has_value());
    CHECK(all_text(other.history()) == before);
}
