#include "offline/question.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <iterator>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

constexpr std::size_t most_listed = 40;
constexpr std::size_t longest_beginning = 300;
constexpr std::size_t longest_message = 1000;

std::string ticked(string_view text) {
    return "`" + std::string(text) + "`";
}

/// The member of an object, or null.
const json& member(const json& object, string_view key) {
    static const json null = nullptr;
    const json* found = find_member(object, key);
    return found != nullptr ? *found : null;
}

/// The member of an object if it is a list, or an empty list.
const json& list_member(const json& object, string_view key) {
    static const json empty = json::array();
    const json& found = member(object, key);
    return found.is_array() ? found : empty;
}

std::string text_member(const json& object, string_view key) {
    return std::string(string_member(object, key).value_or(string_view()));
}

/// A text, or the text in a member of an object.
std::string text_or_member(const json& value, string_view key) {
    const auto text = as_string(value);
    return text ? std::string(*text) : text_member(value, key);
}

bool is_good(const response_part& reply) {
    return bool_member(reply.response, "ok") == true;
}

/// The loop hands over a reply that was too long as head and tail of its text.
bool is_cut(const response_part& reply) {
    return !member(reply.response, "truncated").is_null();
}

/// The `result` of the first good and whole reply of a capability, or null. The capability may be declared with a prefix.
const json* result_of(const std::vector<response_part>& replies, string_view capability) {
    const auto found = std::find_if(replies.begin(), replies.end(), [&](const response_part& reply) {
        return reply.name.ends_with(capability) && is_good(reply) && !is_cut(reply);
    });
    return found == replies.end() ? nullptr : find_member(found->response, "result");
}

/// What a reply that was too long still tells: how it begins.
std::string say_cut(const response_part& reply) {
    const std::string text = text_member(member(reply.response, "result"), "text");
    return "The reply of " + ticked(reply.name) + " was too long and has been cut" +
           (text.empty() ? "." : "; it begins with " + one_row(text, longest_beginning) + ".");
}

/// "a list", "an int"; "an object" if the type is not known.
std::string with_article(const std::string& type) {
    const std::string noun = type.empty() ? "object" : type;
    const bool vowel = string_view("aeioAEIO").find(noun.front()) != string_view::npos;
    return (vowel ? "an " : "a ") + noun;
}

/// "item" for a container, "character" for a text: only types whose length says something to a reader.
string_view unit_of(string_view type) {
    constexpr string_view containers[] = {"list",  "tuple",       "dict",        "set",     "frozenset",
                                          "deque", "OrderedDict", "defaultdict", "Counter", "range"};
    if (type == "str") {
        return "character";
    }
    if (type == "bytes" || type == "bytearray") {
        return "byte";
    }
    return std::find(std::begin(containers), std::end(containers), type) != std::end(containers) ? "item" : "";
}

/// What the replies say about one object.
struct facts {
    std::string type = {};
    std::string signature = {};
    std::optional<std::int64_t> length = {};
    std::string printed = {};  ///< ": [1, 2, ...] (cut)"; empty if it is not known
};

facts read_facts(const std::vector<response_part>& replies) {
    facts out;
    std::string repr;
    std::string remark;
    if (const json* seen = result_of(replies, "inspect")) {
        out.type = text_or_member(member(*seen, "type"), "name");
        out.signature = text_member(*seen, "signature");
        out.length = integer_member(*seen, "size");
        repr = text_member(*seen, "summary");
    }
    if (const json* printed = result_of(replies, "get_repr")) {
        repr = text_member(*printed, "repr");
        if (bool_member(*printed, "truncated") == true) {
            const auto original = integer_member(*printed, "original_len");
            remark = original ? " (cut; " + counted(*original, "character") + " in all)" : " (cut)";
        }
    }
    if (!repr.empty()) {
        out.printed = ": " + repr + remark;
    }
    return out;
}

std::string say_value(const std::string& subject, const facts& seen) {
    if (seen.type == "NoneType") {
        return ticked(subject) + " is None";
    }
    std::string out = ticked(subject) + " is " + with_article(seen.type);
    const string_view unit = unit_of(seen.type);
    if (seen.length && !unit.empty()) {
        out += " of " + counted(*seen.length, unit);
    }
    if (!seen.signature.empty()) {
        out += " with the signature " + ticked(seen.signature);
    }
    return out + seen.printed;
}

std::string say_contents(const std::string& subject, const facts& seen) {
    if (!seen.length) {
        return ticked(subject) + " is " + with_article(seen.type) + " and has no known length" + seen.printed;
    }
    const string_view unit = unit_of(seen.type);
    const std::string kind = seen.type.empty() ? "" : " (" + with_article(seen.type) + ")";
    return ticked(subject) + kind + " has " + counted(*seen.length, unit.empty() ? "item" : unit) + seen.printed;
}

std::string say_type(const std::string& subject, const json& type) {
    const std::string module = text_member(type, "module");
    const std::string from = module.empty() || module == "builtins" ? "" : " from the module " + ticked(module);
    return "The type of " + ticked(subject) + " is " + ticked(text_member(type, "name")) + from + ".";
}

std::string say_variables(const json& listing) {
    const json& globals = list_member(listing, "globals");
    if (globals.empty()) {
        return "There are no variables yet.";
    }
    const std::int64_t total = integer_member(listing, "total").value_or(static_cast<std::int64_t>(globals.size()));
    const std::size_t listed = std::min(globals.size(), most_listed);
    std::string out = (total == 1 ? "There is " : "There are ") + counted(total, "variable") + ":";
    for (std::size_t index = 0; index < listed; ++index) {
        const std::string summary = text_member(globals[index], "summary");
        const std::string type = text_member(globals[index], "type_name");
        out += "\n  " + text_member(globals[index], "name") + (type.empty() ? "" : " (" + type + ")") +
               (summary.empty() ? "" : ": " + one_row(summary, 100));
    }
    const std::int64_t more = total - static_cast<std::int64_t>(listed);
    return more > 0 ? out + "\n  and " + std::to_string(more) + " more" : out;
}

std::string say_members(const std::string& subject, const json& listing) {
    std::string names;
    std::size_t count = 0;
    for (const json& entry : list_member(listing, "members")) {
        const std::string name = text_or_member(entry, "name");
        if (!name.empty() && !name.starts_with("_") && ++count <= most_listed) {
            names += (names.empty() ? "" : ", ") + name;
        }
    }
    if (count == 0) {
        return ticked(subject) + " has no public attributes.";
    }
    const bool more = count > most_listed || bool_member(listing, "truncated") == true;
    return ticked(subject) + " has " + (more ? "among others " : "") + names + ".";
}

std::string say_documentation(const std::string& subject, const json& reply) {
    const std::string doc = text_member(reply, "doc");
    if (is_blank(doc)) {
        return ticked(subject) + " has no documentation.";
    }
    return "The documentation of " + ticked(subject) + ":\n" + doc + (bool_member(reply, "truncated") == true ? "\n(cut)" : "");
}

std::string say_locals(const json& frame) {
    const json& locals = member(frame, "locals");
    if (!locals.is_object()) {
        return {};
    }
    std::string out;
    for (const auto& [name, value] : locals.items()) {
        out += (out.empty() ? "" : ", ") + name + " = " + one_row(text_or_member(value, "repr"), 60);
    }
    return out.empty() ? out : " There, " + one_row(out, 400) + ".";
}

std::string say_failure(const json& reply) {
    const json& exception = member(reply, "exception");
    if (!exception.is_object()) {
        return "Nothing has failed in this session so far.";
    }
    std::string message = text_member(exception, "message");
    if (message.size() > longest_message) {
        message = std::string(utf8_prefix(message, longest_message - 3)) + "...";
    }
    std::string out = "The last error was " + text_member(exception, "exc_type") + (message.empty() ? "" : ": " + message);
    const json& frames = list_member(exception, "frames");
    if (frames.empty()) {
        return out + ".";
    }
    const json& innermost = frames.back();
    const std::string function = text_member(innermost, "function");
    const std::string source = text_member(innermost, "source_line");
    out += ", raised in " + text_member(innermost, "file");
    if (const auto line = integer_member(innermost, "line")) {
        out += " line " + std::to_string(*line);
    }
    if (!function.empty() && function != "<module>") {
        out += " in " + ticked(function);
    }
    out += is_blank(source) ? "." : ", by " + ticked(one_line(source, 160)) + ".";
    return out + say_locals(innermost);
}

/// `3 variables were added: a, b, c`, or nothing.
std::string say_changes(const json& changes, const char* kind) {
    std::string names;
    for (const json& each : list_member(changes, kind)) {
        names += (names.empty() ? "" : ", ") + text_or_member(each, "name");
    }
    return names.empty() ? names : "\n" + std::string(kind) + ": " + one_row(names, 200);
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
    for (const char* kind : {"added", "rebound", "changed", "removed"}) {
        out += say_changes(member(reply, "changes"), kind);
    }
    for (const json& thread : list_member(reply, "threads")) {
        out += say_thread(thread);
    }
    return out;
}

std::string say_computed(const std::string& subject, const json& reply) {
    const std::string value = text_member(reply, "value_repr");
    const std::string out = text_member(reply, "stdout");
    const std::string text = ticked(subject) + " is " + (value.empty() ? "None" : value);
    return is_blank(out) ? text : text + "\nIt wrote: " + out;
}

/// What a failed call comes to, as it was told: its message, and the type of the exception when the message does not say it.
std::string say_failed_call(const question& asked, const json& envelope) {
    const json& error = member(envelope, "error");
    const json& details = member(error, "details");
    const std::string type = text_member(details, "exc_type");
    std::string message = text_member(error, "message");
    if (message.empty()) {
        message = text_member(details, "message");
    }
    if (!type.empty() && message.find(type) == std::string::npos) {
        message = type + ": " + message;
    }
    if (message.empty()) {
        message = text_member(error, "code");
    }
    const std::string verb = asked.form == question_form::computation ? "compute " : "look at ";
    return "I could not " + (asked.subject.empty() ? std::string("find out") : verb + ticked(asked.subject)) + ": " + message;
}

/// The answer from a good and whole reply. Nothing if there is none.
std::optional<std::string> say_good(const question& asked, const std::vector<response_part>& replies) {
    if (asked.form == question_form::value || asked.form == question_form::contents) {
        const facts seen = read_facts(replies);
        if (seen.type.empty() && seen.printed.empty()) {
            return std::nullopt;
        }
        return asked.form == question_form::value ? say_value(asked.subject, seen) : say_contents(asked.subject, seen);
    }
    const json* found = result_of(replies, capability_for(asked.form));
    if (found == nullptr) {
        return std::nullopt;
    }
    switch (asked.form) {
        case question_form::variables: return say_variables(*found);
        case question_form::type: return say_type(asked.subject, *found);
        case question_form::members: return say_members(asked.subject, *found);
        case question_form::documentation: return say_documentation(asked.subject, *found);
        case question_form::failure: return say_failure(*found);
        case question_form::situation: return say_situation(*found);
        case question_form::computation: return say_computed(asked.subject, *found);
        default: return std::nullopt;
    }
}

}  // namespace

std::string answer_from(const question& asked, const std::vector<response_part>& replies) {
    if (auto text = say_good(asked, replies)) {
        return *std::move(text);
    }
    for (const response_part& reply : replies) {
        if (!is_good(reply)) {
            return say_failed_call(asked, reply.response);
        }
        if (is_cut(reply)) {
            return say_cut(reply);
        }
    }
    return "The replies to my calls do not say.";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
