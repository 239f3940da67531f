#include <pyaichat/core/text.hpp>

#include "offline/answers.hpp"
#include "offline/reply_reader.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// `added: a, b, c` in a row of its own, or nothing.
std::string say_change(const json& changes, const char* kind) {
    std::string names;
    for (const json& each : list_member(changes, kind)) {
        names += (names.empty() ? "" : ", ") + text_or_member(each, "name");
    }
    return names.empty() ? names : "\n" + std::string(kind) + ": " + one_row(names, 200);
}

std::string say_all_changes(const json& changes) {
    std::string out;
    for (const char* kind : {"added", "rebound", "changed", "removed"}) {
        out += say_change(changes, kind);
    }
    return out;
}

std::string say_thread(const json& thread) {
    const json& frames = list_member(thread, "frames");
    if (frames.empty()) {
        return {};
    }
    const json& innermost = frames.front();
    const std::string inside = text_member(innermost, "c_call");
    const std::int64_t line = integer_member(innermost, "line").value_or(0);
    return "\nA thread is in " + ticked(text_member(innermost, "function")) + ", " + text_member(innermost, "file") +
           (line > 0 ? " line " + std::to_string(line) : "") + (inside.empty() ? "" : ", in the built-in function " + ticked(inside)) +
           "." + say_locals(innermost);
}

std::string say_situation(const json& reply) {
    std::string out = "State: " + text_member(reply, "state") + ".";
    if (const json& exception = member(reply, "exception"); exception.is_object()) {
        out += "\n" + say_failure(reply);
    }
    out += say_all_changes(member(reply, "changes"));
    for (const json& thread : list_member(reply, "threads")) {
        out += say_thread(thread);
    }
    return out;
}

/// What the last entry was, printed and bound, as the program that holds the session tells it.
std::string say_entry(const json& entry) {
    const std::string input = text_member(entry, "input");
    if (is_blank(input)) {
        return "Nothing was run yet.";
    }
    std::string out = "The last entry was:\n```python\n" + input + (input.ends_with('\n') ? "```" : "\n```");
    const std::string output = text_member(entry, "output");
    out += is_blank(output) ? std::string() : "\nIt wrote: " + output + (bool_member(entry, "truncated") == true ? " (cut)" : "");
    if (const json& exception = member(entry, "exception"); exception.is_object()) {
        out += "\nIt raised " + text_member(exception, "exc_type") + ": " + one_row(text_member(exception, "message"), 300);
    }
    std::string names;
    for (const json& name : list_member(entry, "names")) {
        names += (names.empty() ? "" : ", ") + text_or_member(name, "name");
    }
    return out + (names.empty() ? "" : "\nIt bound " + one_row(names, 300) + ".");
}

/// The last of the entries that `situation` knows.
std::string say_last_of(const json& situation) {
    const json& entries = list_member(situation, "entries");
    if (entries.empty()) {
        return "Nothing was run yet.";
    }
    const json& last = entries.back();
    const std::string source = text_member(last, "source");
    const std::string output = text_member(member(situation, "output"), "stdout");
    return "The last entry (" + text_member(last, "file") + ", " + text_member(last, "ended") + ") was:\n```python\n" + source +
           (source.ends_with('\n') ? "```" : "\n```") + (is_blank(output) ? "" : "\nRecent output: " + one_row(output, 300));
}

/// The changes since the previous look. The first look has nothing to compare with: then the last entry tells what it bound.
std::string say_changed(const json& situation, lookups& look) {
    const json& changes = member(situation, "changes");
    if (bool_member(changes, "first") == true) {
        const std::string first =
            "This is the first look at the changes, so there is nothing to compare with. The next `what changed` "
            "compares with now.";
        const json* entry = look.has("get_last_entry") ? look.find("get_last_entry") : nullptr;
        return first + "\n" + (entry != nullptr ? say_entry(*entry) : say_last_of(situation));
    }
    const std::string found = say_all_changes(changes);
    return found.empty() ? "No variable has changed since the last look." : "Since the last look:" + found;
}

}  // namespace

std::string answer_changes(const question& asked, lookups& look) {
    if (asked.form == question_form::last_entry && look.has("get_last_entry")) {
        const json* entry = look.find("get_last_entry");
        return entry == nullptr ? std::string() : say_entry(*entry);
    }
    const json* found = look.find("situation");
    if (found == nullptr) {
        return {};
    }
    switch (asked.form) {
        case question_form::changes: return say_changed(*found, look);
        case question_form::last_entry: return say_last_of(*found);
        default: return say_situation(*found);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
