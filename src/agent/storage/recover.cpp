#include <pyaichat/agent/recover.hpp>

#include "agent/storage/input_json.hpp"
#include "agent/storage/journal_format.hpp"

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

/// A machine that is being rebuilt, and when the last thing happened to it.
struct rebuilt {
    std::optional<run_machine> machine = {};
    instant last = {};
    capability_list declared = {};

    void take_events() {
        while (machine->take_event() != nullptr) {
        }
    }

    /// Does again what this record tells of.
    [[nodiscard]] result<void> apply(const detail::json_fields& from) {
        if (from.has("deltas") && machine) {
            from.each("deltas", [&](const detail::json_fields& piece) {
                last = time_of(piece);
                feed(piece.object("input"));
            });
        }
        last = time_of(from);
        if (from.has("setup")) {
            if (machine || from.integer("format", 1) > detail::journal_format) {
                from.report("setup", machine ? "comes twice" : "was written by a later version");
                return {};
            }
            machine.emplace(detail::read_setup(from.object("setup")), last);
        } else if (!machine) {
            from.report("setup", "is missing");
        } else if (from.has("recovered")) {
            take_events();
            result<run_machine> restored = run_machine::restore(left_behind(*machine, before_), last);
            if (!restored) {
                return restored.error();
            }
            *machine = std::move(*restored);
        } else {
            feed(from.object("input"));
        }
        before_ = last;
        return {};
    }

private:
    [[nodiscard]] static instant time_of(const detail::json_fields& from) {
        constexpr std::int64_t far = 4'000'000'000'000'000'000;  // so that no difference of two overflows
        return instant(duration(from.integer("at", -far, far)));
    }

    void feed(const detail::json_fields& from) {
        machine_input in = input::woken{};
        if (from.has("declarations") && from.object("declarations").flag_or_false("unchanged")) {
            in = input::declarations{.offered = declared};
        } else {
            in = detail::read_input(from);
        }
        if (const auto* listed = std::get_if<input::declarations>(&in); listed != nullptr && listed->offered) {
            declared = *listed->offered;
        }
        if (!from.fault().found()) {
            machine->feed(std::move(in), last);
            if (auto said = detail::read_nested_opinions(from)) {
                start_nested(*std::move(said));
            }
        }
    }

    /// Up to format 2 the record of a nested call was also the record of the decision about it and of its start.
    void start_nested(std::vector<input::opinions::opinion> said) {
        const action::ask_approval* asked = nullptr;
        for (; machine->is_urgent() && asked == nullptr; machine->began()) {
            asked = std::get_if<action::ask_approval>(&machine->next(instant::min()));
        }
        if (asked == nullptr) {
            return;  // it was refused
        }
        machine->feed(input::opinions{.nested = asked->nested, .all = std::move(said)}, last);
        const action::invoke_capability* ordered = nullptr;
        for (; machine->is_urgent() && ordered == nullptr; machine->began()) {
            ordered = std::get_if<action::invoke_capability>(&machine->next(instant::min()));
        }
        if (ordered != nullptr) {
            machine->feed(input::invoking{.call = ordered->call}, last);
        }
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
        detail::document_fault fault;
        const result<void> fine = made.apply({record.content, {}, fault});
        if (fault.found() || !fine) {
            return unreadable(i, fault.found() ? fault.text() : fine.error().message);
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
