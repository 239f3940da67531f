#include "assistant/question_memory.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/message/history.hpp>
#include <pyaichat/message/stored_conversation.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace repl {

namespace {

constexpr std::size_t bytes_per_token = 4;  // of English text and code; an estimate is enough for a budget
constexpr std::size_t answer_in_short = 600;
constexpr std::size_t question_in_a_line = 160;
constexpr std::size_t answer_in_a_line = 160;

std::string cut(std::string_view text, std::size_t bytes) {
    return text.size() <= bytes ? std::string(text) : std::string(ai::detail::utf8_prefix(text, bytes)) + " [...]";
}

std::string line_about(const std::string& question, const std::string& answer) {
    return "- " + ai::detail::one_line(question, question_in_a_line) + " -> " + ai::detail::one_line(answer, answer_in_a_line);
}

std::size_t bytes_of(const ai::conversation& messages) {
    return ai::dump_json(ai::stored(messages)).size();
}

}  // namespace

void question_memory::set(bool on) {
    on_ = on;
    turns_.clear();
}

ai::conversation question_memory::history() const {
    ai::conversation out;
    std::string lines;
    for (const turn& each : turns_) {
        lines += each.level == detail_level::one_line ? line_about(each.question, each.answer) + "\n" : "";
    }
    if (!lines.empty()) {
        out.push_back(ai::user_message("Earlier questions and the begin of their answers:\n" + lines));
        out.push_back(ai::model_message("I keep that in mind."));
    }
    for (const turn& each : turns_) {
        if (each.level == detail_level::shortened) {
            out.push_back(ai::user_message(each.question));
            out.push_back(ai::model_message(each.answer));
        }
        for (std::size_t i = 0; i < each.messages.size(); ++i) {
            out.push_back(each.messages.share(i));
        }
    }
    return out;
}

void question_memory::add(const std::string& question, const ai::answer& reply, const ai::conversation& sent) {
    if (!on_ || reply.error) {  // the text is then the loop's own sentence about the failure, not an answer
        return;
    }
    turn added{.question = question, .answer = reply.text};
    for (std::size_t i = reply.messages.shared_prefix(sent); i < reply.messages.size(); ++i) {
        added.messages.push_back(reply.messages.share(i));
    }
    if (added.messages.empty()) {
        return;
    }
    turns_.push_back(std::move(added));
    shorten_oldest();
}

/// The newest turn stays whole, whatever its size: the next question is most likely about it.
void question_memory::shorten_oldest() {
    for (const detail_level target : {detail_level::shortened, detail_level::one_line}) {
        for (std::size_t i = 0; i + 1 < turns_.size() && tokens() > budget_; ++i) {
            turn& each = turns_[i];
            if (each.level < target) {
                each.level = target;
                each.messages = {};
                each.answer = cut(each.answer, answer_in_short);
            }
        }
    }
    while (turns_.size() > 1 && tokens() > budget_) {
        turns_.erase(turns_.begin());
    }
}

std::size_t question_memory::tokens_of(const turn& each) {
    switch (each.level) {
        case detail_level::whole: return bytes_of(each.messages) / bytes_per_token;
        case detail_level::shortened: return (each.question.size() + each.answer.size()) / bytes_per_token;
        case detail_level::one_line: return line_about(each.question, each.answer).size() / bytes_per_token;
    }
    return 0;
}

std::size_t question_memory::tokens() const {
    return std::accumulate(turns_.begin(), turns_.end(), std::size_t{0},
                           [](std::size_t sum, const turn& each) { return sum + tokens_of(each); });
}

std::string question_memory::report() const {
    if (!on_) {
        return "memory is off: each question is independent\n";
    }
    const auto shortened = std::count_if(turns_.begin(), turns_.end(), [](const turn& each) { return each.level != detail_level::whole; });
    return "memory is on: a question includes the earlier ones\n" + ai::detail::counted(static_cast<std::int64_t>(turns_.size()), "turn") +
           ", about " + ai::detail::counted(static_cast<std::int64_t>(tokens()), "token") + " of " + std::to_string(budget_) +
           (shortened > 0 ? "; the oldest " + std::to_string(shortened) + " shortened" : "") + "\n";
}

ai::json question_memory::stored() const {
    ai::json turns = ai::json::array();
    for (const turn& each : turns_) {
        ai::json out = ai::json::object();
        out["question"] = each.question;
        out["answer"] = each.answer;
        out["level"] = static_cast<int>(each.level);
        out["messages"] = ai::stored(each.messages);
        turns.push_back(std::move(out));
    }
    ai::json document = ai::json::object();
    document["on"] = on_;
    document["turns"] = std::move(turns);
    return document;
}

ai::result<void> question_memory::restore(const ai::json& document) {
    const ai::failure damaged{.code = ai::errc::bad_response, .message = "the conversation is damaged"};
    const ai::json* turns = ai::find_member(document, "turns");
    const auto on = ai::bool_member(document, "on");
    if (turns == nullptr || !turns->is_array() || !on) {
        return damaged;
    }
    std::vector<turn> restored;
    for (const ai::json& each : *turns) {
        const auto question = ai::string_member(each, "question");
        const auto answer = ai::string_member(each, "answer");
        const auto level = ai::integer_member(each, "level");
        const ai::json* messages = ai::find_member(each, "messages");
        if (!question || !answer || !level || *level < 0 || *level > 2 || messages == nullptr) {
            return damaged;
        }
        auto conversation = ai::read_conversation(*messages);
        if (!conversation) {
            return conversation.error();
        }
        const auto kept = static_cast<detail_level>(*level);
        restored.push_back({.question = std::string(*question),
                            .answer = std::string(*answer),
                            .messages = kept == detail_level::whole ? ai::repair_history(*conversation) : ai::conversation(),
                            .level = kept});
    }
    on_ = *on;
    turns_ = std::move(restored);
    return {};
}

}  // namespace repl
