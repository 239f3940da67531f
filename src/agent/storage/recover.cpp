#include <pyaichat/agent/recover.hpp>

#include "agent/storage/input_form.hpp"

#include <algorithm>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

failure unreadable(std::size_t index, const std::string& what) {
    return {.code = errc::bad_response,
            .message = "record " + std::to_string(index + 1) + " of the journal cannot be read: " + what,
            .hint = "Give the records of one run, all of them, in the order in which they were appended."};
}

/// What a run was when its program died. Pieces of a model's answer that came after the last record may have been on a screen: they are
/// withdrawn before that call is made again.
json left_behind(const run_machine& machine, instant last) {
    json taken = machine.snapshot(last);
    if (string_member(taken, "phase") == "calling_model") {
        taken["text_shown"] = true;
    }
    return taken;
}

/// An input in a journal. Declarations that are those of before are not repeated.
struct recorded_input {
    machine_input in = input::woken{};
    bool unchanged = false;
};
struct recorded_delta {
    std::int64_t at = 0;
    recorded_input input = {};
};
struct record_content {
    std::int64_t at = 0;
    std::optional<json> recovered = {};
    std::optional<run_setup> setup = {};
    std::optional<std::vector<recorded_delta>> deltas = {};
    std::optional<recorded_input> input = {};
};

}  // namespace

template <>
struct detail::stored_members<recorded_input> {
    static void members(recorded_input& recorded, auto& member) {
        const json* declarations = find_member(member.object, "declarations");
        recorded.unchanged = declarations != nullptr && bool_member(*declarations, "unchanged").value_or(false);
        if (!recorded.unchanged) {
            stored_form::members(recorded.in, member);
        }
    }
};

namespace {

/// A machine that is being rebuilt, and when the last thing happened to it.
struct rebuilt {
    std::optional<run_machine> machine = {};
    instant last = {};
    capability_list declared = {};

    void take_events() {
        while (machine->take_event() != nullptr) {
        }
    }

    /// Does again what this record tells of; the text says why it cannot.
    [[nodiscard]] std::optional<std::string> apply(const json& document) {
        if (integer_member(document, "format").value_or(0) > detail::journal_format) {
            return "it was written by a later version";
        }
        record_content record;
        if (std::optional<std::string> fault = detail::fault_in(document, record)) {
            return fault;
        }
        if (!record.deltas) {
            record.deltas.emplace();
        }
        const auto too_far = [](const auto& timed) { return timed.at < -farthest || timed.at > farthest; };
        if (too_far(record) || std::any_of(record.deltas->begin(), record.deltas->end(), too_far)) {
            return "`/at` is out of range";
        }
        if (record.setup.has_value() == machine.has_value()) {
            return machine ? "`/setup` comes twice" : "`/setup` is required";
        }
        if (record.setup) {
            last = instant(duration(record.at));
            machine.emplace(std::move(*record.setup), last);
        } else if (record.recovered) {
            last = instant(duration(record.at));
            take_events();
            result<run_machine> restored = run_machine::restore(left_behind(*machine, before_), last);
            if (!restored) {
                return restored.error().message;
            }
            *machine = std::move(*restored);
        } else if (record.input) {
            for (recorded_delta& piece : *record.deltas) {
                feed(std::move(piece.input), piece.at);
            }
            feed(std::move(*record.input), record.at);
        } else {
            return "`/input` is required";
        }
        before_ = last;
        return std::nullopt;
    }

private:
    static constexpr std::int64_t farthest = 4'000'000'000'000'000'000;  // so that no difference of two times overflows

    void feed(recorded_input recorded, std::int64_t at) {
        last = instant(duration(at));
        if (recorded.unchanged) {
            recorded.in = input::declarations{.offered = declared};
        } else if (const auto* listed = std::get_if<input::declarations>(&recorded.in); listed != nullptr && listed->offered) {
            declared = *listed->offered;
        }
        machine->feed(std::move(recorded.in), last);
    }

    instant before_ = {};
};

struct replayed {
    recovered_run run;
    instant last;
};

result<replayed> rebuild(std::span<const journal_record> records) {
    rebuilt made;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const journal_record& record = records[i];
        if (record.number != i + 1 || record.run_id != records.front().run_id) {
            return unreadable(i, "it is number " + std::to_string(record.number) + " of `" + record.run_id + "`");
        }
        if (const std::optional<std::string> fault = made.apply(record.content)) {
            return unreadable(i, *fault);
        }
    }
    if (!made.machine) {
        return unreadable(0, "there is none");
    }
    return replayed{.run = {.machine = std::move(*made.machine), .run_id = records.front().run_id, .records = records.size()},
                    .last = made.last};
}

}  // namespace

result<recovered_run> replay(std::span<const journal_record> records) {
    result<replayed> made = rebuild(records);
    if (!made) {
        return std::move(made.error());
    }
    return std::move(made->run);
}

result<recovered_run> recover(std::span<const journal_record> records, instant now) {
    result<replayed> made = rebuild(records);
    if (!made) {
        return std::move(made.error());
    }
    while (made->run.machine.take_event() != nullptr) {
    }
    result<run_machine> restored = run_machine::restore(left_behind(made->run.machine, made->last), now);
    if (!restored) {
        return std::move(restored.error());
    }
    made->run.machine = std::move(*restored);
    return std::move(made->run);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
