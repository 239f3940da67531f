#include "agent/storage/run_log.hpp"

#include "agent/storage/input_form.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

void run_log::begin(const run_setup& setup, instant now) {
    if (journal_) {
        json content = json::object();
        content["setup"] = written(setup);
        content["format"] = journal_format_of(content["setup"]);
        append(std::move(content), now);
    }
}

void run_log::begin(const json& snapshot, instant now) {
    if (journal_) {
        json content = json::object();
        content["format"] = journal_format_of(snapshot);
        content["snapshot"] = snapshot;
        append(std::move(content), now);
    }
}

void run_log::record(const machine_input& in, instant now) {
    if (!journal_ || broken_) {
        return;
    }
    if (std::holds_alternative<input::model_delta>(in)) {
        json piece = json::object();
        piece["at"] = now.time_since_epoch().count();
        piece["input"] = written(in);
        pieces_.push_back(std::move(piece));
        return;
    }
    json content = json::object();
    if (!pieces_.empty()) {
        content["deltas"] = std::exchange(pieces_, nullptr);
    }
    const auto* listed = std::get_if<input::declarations>(&in);
    if (listed != nullptr && listed->offered && !listed->offered->empty() && *listed->offered == declared_) {
        json& unchanged = content["input"]["declarations"];  // otherwise most of a journal would be declarations
        unchanged["unchanged"] = true;
        if (listed->takes_answer_schema) {
            unchanged["takes_answer_schema"] = true;
        }
    } else {
        content["input"] = written(in);
    }
    if (listed != nullptr && listed->offered) {
        declared_ = *listed->offered;
    }
    append(std::move(content), now);
}

void run_log::recovered(instant now) {
    if (journal_) {
        json content = json::object();
        content["recovered"] = true;
        append(std::move(content), now);
    }
}

void run_log::append(json content, instant now) {
    if (broken_) {
        return;
    }
    content["at"] = now.time_since_epoch().count();
    const journal_record record{.run_id = run_id_, .number = ++last_, .owner = owner_, .content = std::move(content)};
    const result<void> kept =
        guarded([&] { return journal_.append(record); },
                [](std::string_view what) {
                    return result<void>(failure{.code = errc::internal, .message = "the journal threw: " + std::string(what)});
                });
    if (!kept) {
        broken_ = kept.error();
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
