#include "assistant/last_entry.hpp"

#include <pyaichat/core/text.hpp>

#include <utility>

namespace repl {

namespace {

constexpr std::size_t longest_input = 4000;
constexpr std::size_t longest_answer = 600;

ai::json or_null(const std::string& text) {
    return text.empty() ? ai::json() : ai::json(text);
}

/// The begin and the end of a text.
std::string shortened(const std::string& text, std::size_t bytes) {
    bounded_output out(bytes);
    out.add(text);
    return out.text();
}

}  // namespace

ai::json last_entry_report(const finished_entry& entry, const earlier_question& earlier) {
    ai::json report = ai::json::object();
    report["input"] = shortened(entry.input, longest_input);
    report["output"] = entry.output;
    report["truncated"] = entry.truncated || entry.input.size() > longest_input;
    report["exception"] = nullptr;
    if (entry.exception) {
        report["exception"] = ai::json::object({{"exc_type", entry.exception->exc_type}, {"message", entry.exception->message}});
    }
    report["names"] = entry.names;
    report["question"] = or_null(earlier.question);
    report["answer"] = or_null(shortened(earlier.answer, longest_answer));
    return report;
}

ai::function_capability last_entry_capability(ai::python::session session, const entry_record& record, const earlier_question& earlier) {
    return ai::capability("get_last_entry",
                          "The last code that the person has entered at the Python prompt, with its output, its exception and the names "
                          "that it defined, and the question before this one. Call it when a question says \"this\", \"it\" or \"that\", "
                          "or names nothing.",
                          [session = std::move(session), &record, &earlier] {
                              return session.released(ai::reply_with(last_entry_report(record.last().value_or(finished_entry()), earlier)));
                          })
        .with(ai::effects::read);
}

}  // namespace repl
