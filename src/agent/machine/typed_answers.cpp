#include "agent/machine/run_state.hpp"

#include <pyaichat/core/text.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

/// A value is shown while its text is at most this long, because each event has a copy of it.
constexpr std::size_t most_partial_bytes = std::size_t{256} << 10;

}  // namespace

bool run_machine::state::read_partial(const std::string& piece) {
    if (!typed || !typed->function().empty() || (partial && partial->size() + piece.size() > most_partial_bytes)) {
        return false;
    }
    if (!partial) {
        partial.emplace();
    }
    return partial->add(piece);
}

/// Takes a text as the answer if it satisfies the schema. Where a call of the function was asked for, such a text is as good.
void run_machine::state::on_typed_text(candidate&& chosen, instant now) {
    detail::answer_schema::reading read = typed->read_text(detail::repair_utf8(chosen.content.text()));
    if (!read.value) {
        const std::string& function = typed->function();
        answered_by_text = !function.empty();
        const bool misfit = function.empty() || !read.errors.empty();
        on_invalid({.why = misfit ? std::move(read.why) : "it is a text, and not a call of `" + function + "`"}, now);
        return;
    }
    show_whole(chosen.content, now);
    keep(std::move(chosen.content));
    finish_typed(std::move(*read.value), now);
}

/// Ends the run by a call that gives the answer. The call gets a reply, as each call in a history needs one.
void run_machine::state::finish_by_call(message content, json answer, instant now) {
    calls.clear();
    running = 0;
    keep(std::move(content));
    const std::shared_ptr<const message>& kept = messages.share(messages.size() - 1);
    for (const part& piece : kept->parts) {
        if (const auto* call = piece.as<call_part>()) {
            calls.push_back({.proposed = {kept, call}, .reply = reply_with("the answer was taken")});
        }
    }
    finish_typed(std::move(answer), now);
}

void run_machine::state::finish_typed(json answer, instant now) {
    emit(partial_value{.step = steps, .value = answer}, now);
    emit(step_finished{.step = steps}, now);
    std::string text = dump_json(answer);
    value = std::move(answer);
    finish(stop_reason::complete, std::move(text), now);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
