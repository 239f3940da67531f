#include <pyaichat/agent/recover.hpp>

#include "agent/storage/input_form.hpp"

#include <algorithm>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

failure unreadable(std::size_t index, const std::string& what) {
    return {.code = errc::bad_response,
            .message = "record " + std::to_string(index + 1) + " of the journal cannot be read: " + what,
            .hint = "Pass all records of one run, in the order in which they were appended."};
}

/// An input in a journal. If `unchanged`, the declarations are the same as in the last record that has them.
struct recorded_input {
    machine_input in = input::woken{};
    bool unchanged = false;
    bool takes_answer_schema = false;  ///< of unchanged declarations
    /// Up to format 2, the record of a nested call contained the decisions about it and implied its start.
    std::optional<std::vector<input::opinions::opinion>> said = {};
};
struct nested_call_of_format_2 {
    std::optional<std::vector<input::opinions::opinion>> said = {};
};
struct recorded_delta {
    std::int64_t at = 0;
    recorded_input input = {};
};
struct record_content {
    std::int64_t at = 0;
    std::optional<json> recovered = {};
    std::optional<run_setup> setup = {};
    std::optional<json> snapshot = {};
    std::optional<std::vector<recorded_delta>> deltas = {};
    std::optional<recorded_input> input = {};
};

}  // namespace

template <>
struct detail::stored_members<recorded_input> {
    static void members(recorded_input& recorded, auto& member) {
        const json* declarations = find_member(member.object, "declarations");
        recorded.unchanged = declarations != nullptr && bool_member(*declarations, "unchanged").value_or(false);
        recorded.takes_answer_schema = recorded.unchanged && bool_member(*declarations, "takes_answer_schema").value_or(false);
        if (member.has("nested_reply")) {  // up to format 2
            input::call_reply reply;
            member("nested_reply", reply);
            recorded.in = std::move(reply);
        } else if (!recorded.unchanged) {
            stored_form::members(recorded.in, member);
        }
        if (member.has("nested_call")) {
            nested_call_of_format_2 nested;
            member("nested_call", nested);
            recorded.said = std::move(nested.said);
        }
    }
};

namespace {

/// Rebuilds a machine, record by record.
class rebuilding {
public:
    /// Applies a record. A failure has only a message.
    [[nodiscard]] result<void> apply(const json& document) {
        record_content record;
        if (integer_member(document, "format").value_or(0) > detail::journal_format) {
            return failure{.message = "it was written by a later version"};
        }
        if (const std::optional<std::string> fault = detail::fault_in(document, record)) {
            return failure{.message = *fault};
        }
        if (time_of(record) != instant(duration(record.at))) {
            return failure{.message = "`/at` is out of range"};
        }
        if (record.snapshot) {
            return begin_from(*record.snapshot, time_of(record));
        }
        if (record.setup.has_value() == machine_.has_value()) {
            return failure{.message = machine_ ? "`/setup` appears twice" : "`/setup` is required"};
        }
        if (record.setup) {
            last_ = time_of(record);
            machine_.emplace(std::move(*record.setup), last_);
        } else if (record.recovered) {
            return restore(time_of(record));
        } else if (!record.input) {
            return failure{.message = "`/input` is required"};
        } else {
            for (recorded_delta& piece : record.deltas ? *record.deltas : record.deltas.emplace()) {
                feed(std::move(piece.input), time_of(piece));
            }
            feed(std::move(*record.input), time_of(record));
        }
        return {};
    }

    /// Continues at another time from the state after the last record.
    [[nodiscard]] result<void> restore(instant now) {
        while (machine_->take_event() != nullptr) {
        }
        json left = machine_->snapshot(std::exchange(last_, now));
        // Deltas after the last record are lost, but may have been displayed: `text_shown` withdraws them before the attempt is repeated.
        left["text_shown"] = bool_member(left, "text_shown") == true || string_member(left, "phase") == "calling_model";
        left["recoveries"] = integer_member(left, "recoveries").value_or(0) + 1;
        left["recovered"] = true;
        result<run_machine> restored = run_machine::restore(left, now);
        if (!restored) {
            return std::move(restored.error());
        }
        *machine_ = std::move(*restored);
        return {};
    }

    [[nodiscard]] std::optional<run_machine>& machine() noexcept { return machine_; }

    /// Returns whether a record replaces all records before it.
    [[nodiscard]] static bool begins_anew(const journal_record& record) { return find_member(record.content, "snapshot") != nullptr; }

private:
    [[nodiscard]] result<void> begin_from(const json& snapshot, instant now) {
        last_ = now;
        declared_ = {};
        result<run_machine> restored = run_machine::restore(snapshot, now);
        if (!restored) {
            return std::move(restored.error());
        }
        machine_.reset();
        machine_.emplace(std::move(*restored));
        return {};
    }

    [[nodiscard]] static instant time_of(const auto& recorded) noexcept {
        constexpr std::int64_t far = 4'000'000'000'000'000'000;  // the difference of two times must not overflow
        return instant(duration(std::clamp(recorded.at, -far, far)));
    }

    void feed(recorded_input recorded, instant now) {
        last_ = now;
        if (recorded.unchanged) {
            recorded.in = input::declarations{.offered = declared_, .takes_answer_schema = recorded.takes_answer_schema};
        } else if (const auto* listed = std::get_if<input::declarations>(&recorded.in); listed != nullptr && listed->offered) {
            declared_ = *listed->offered;
        }
        machine_->feed(std::move(recorded.in), now);
        if (recorded.said) {
            if (const auto* asked = next_order<action::ask_approval>()) {  // else the nested call was refused
                machine_->feed(input::opinions{.nested = asked->nested, .all = *std::move(recorded.said)}, now);
                if (const auto* ordered = next_order<action::invoke_capability>()) {
                    machine_->feed(input::invoking{.call = ordered->call}, now);
                }
            }
        }
    }

    /// Returns the next action of this type and marks it as begun. Skips the actions before it.
    template <class Action>
    [[nodiscard]] const Action* next_order() {
        for (; machine_->has_orders(); machine_->began()) {
            if (const auto* order = std::get_if<Action>(&machine_->next(instant::min()))) {
                machine_->began();
                return order;
            }
        }
        return nullptr;
    }

    std::optional<run_machine> machine_ = {};
    instant last_ = {};  ///< the time of the last record
    capability_list declared_ = {};
};

result<recovered_run> rebuild(std::span<const journal_record> records, std::optional<instant> now) {
    rebuilding run;
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const journal_record& record = records[i];
        number = rebuilding::begins_anew(record) ? std::max(record.number, number + 1) : number + 1;
        if (record.number != number || record.run_id != records.front().run_id) {
            return unreadable(i, "it is number " + std::to_string(record.number) + " of `" + record.run_id + "`");
        }
        if (const result<void> applied = run.apply(record.content); !applied) {
            return unreadable(i, applied.error().message);
        }
    }
    if (records.empty()) {
        return unreadable(0, "it is missing");
    }
    if (now) {
        if (const result<void> restored = run.restore(*now); !restored) {
            return restored.error();
        }
    }
    return recovered_run{.machine = *std::move(run.machine()), .run_id = records.front().run_id, .records = number};
}

}  // namespace

result<recovered_run> replay(std::span<const journal_record> records) {
    return rebuild(records, std::nullopt);
}

result<recovered_run> recover(std::span<const journal_record> records, instant now) {
    return rebuild(records, now);
}

result<std::size_t> compact(file_journal& journal) {
    const result<std::vector<journalled_run>> runs = journal.runs();
    if (!runs) {
        return runs.error();
    }
    std::vector<std::string> ended;
    for (const journalled_run& run : *runs) {
        if (const result<recovered_run> rebuilt = replay(run.records); rebuilt && rebuilt->machine.finished()) {
            ended.push_back(run.run_id);
        }
    }
    if (ended.empty()) {
        return ended.size();
    }
    const result<void> removed = journal.remove(ended);
    return removed ? result<std::size_t>(ended.size()) : result<std::size_t>(removed.error());
}

}  // namespace pyaichat::inline PYAICHAT_ABI
