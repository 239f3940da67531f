#include "offline/offline_answer.hpp"

#include <pyaichat/core/text.hpp>

#include <array>
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

std::string text_member(const json& object, string_view key) {
    return std::string(string_member(object, key).value_or(string_view()));
}

/// The loop hands over a reply that was too long as head and tail of its text.
bool is_cut(const plain_reply& reply) {
    const json* cut = find_member(reply.envelope, "truncated");
    return cut != nullptr && !cut->is_null();
}

/// The `result` of the first good and whole reply of a capability, or null.
const json* result_of(const std::vector<plain_reply>& replies, string_view capability) {
    for (const plain_reply& one : replies) {
        if (one.capability == capability && bool_member(one.envelope, "ok").value_or(false) && !is_cut(one)) {
            return find_member(one.envelope, "result");
        }
    }
    return nullptr;
}

std::string bounded(std::string_view text, std::size_t bytes) {
    return text.size() <= bytes ? std::string(text) : std::string(utf8_prefix(text, bytes - 3)) + "...";
}

/// What a reply that was too long still tells: how it begins.
std::string say_cut(const plain_reply& reply) {
    const json* result = find_member(reply.envelope, "result");
    const std::string text = result != nullptr ? text_member(*result, "text") : std::string();
    return "The reply of " + ticked(reply.capability) + " was too long and has been cut" +
           (text.empty() ? "." : "; it begins with " + one_row(text, longest_beginning) + ".");
}

std::string with_article(const std::string& noun) {
    const bool vowel = !noun.empty() && string_view("aeioAEIO").find(noun.front()) != string_view::npos;
    return (vowel ? "an " : "a ") + noun;
}

/// "items" for a container, "characters" for a text: only types whose length says something to a reader.
string_view unit_of(string_view type) {
    if (type == "str") {
        return "character";
    }
    if (type == "bytes" || type == "bytearray") {
        return "byte";
    }
    for (const string_view one : {"list", "tuple", "dict", "set", "frozenset", "deque", "OrderedDict", "defaultdict", "Counter", "range"}) {
        if (type == one) {
            return "item";
        }
    }
    return {};
}

/// What the replies say about one object.
struct facts {
    std::string type = {};
    std::string repr = {};
    std::string signature = {};
    std::optional<std::int64_t> length = {};
    bool cut = false;
    std::optional<std::int64_t> original_length = {};
};

facts read_facts(const std::vector<plain_reply>& replies) {
    facts out;
    if (const json* seen = result_of(replies, "inspect")) {
        const json* type = find_member(*seen, "type");
        out.type =
            type != nullptr && type->is_object() ? text_member(*type, "name") : text_member(*seen, type != nullptr ? "type" : "type_name");
        out.signature = text_member(*seen, "signature");
        for (const string_view key : {"size", "length", "len"}) {
            if (!out.length) {
                out.length = integer_member(*seen, key);
            }
        }
        out.repr = text_member(*seen, "summary");
    }
    if (const json* type = result_of(replies, "get_type")) {
        out.type = text_member(*type, "name");
    }
    if (const json* printed = result_of(replies, "get_repr")) {
        out.repr = text_member(*printed, "repr");
        out.cut = bool_member(*printed, "truncated").value_or(false);
        out.original_length = integer_member(*printed, "original_len");
    }
    return out;
}

std::string cut_remark(const facts& seen) {
    if (!seen.cut) {
        return {};
    }
    return seen.original_length ? " (cut; " + counted(*seen.original_length, "character") + " in all)" : " (cut)";
}

std::string say_value(const std::string& subject, const facts& seen) {
    if (seen.type == "NoneType") {
        return ticked(subject) + " is None";
    }
    std::string out = ticked(subject) + " is " + (seen.type.empty() ? "an object" : with_article(seen.type));
    const string_view unit = unit_of(seen.type);
    if (seen.length && !unit.empty()) {
        out += " of " + counted(*seen.length, unit);
    }
    if (!seen.signature.empty()) {
        out += " with the signature " + ticked(seen.signature);
    }
    return seen.repr.empty() ? out : out + ": " + seen.repr + cut_remark(seen);
}

std::string say_contents(const std::string& subject, const facts& seen) {
    if (!seen.length) {
        const std::string type = seen.type.empty() ? "an object" : with_article(seen.type);
        return ticked(subject) + " is " + type + " and has no known length" +
               (seen.repr.empty() ? "" : ": " + seen.repr + cut_remark(seen));
    }
    const string_view unit = unit_of(seen.type);
    const std::string kind = seen.type.empty() ? "" : " (" + with_article(seen.type) + ")";
    return ticked(subject) + kind + " has " + counted(*seen.length, unit.empty() ? string_view("item") : unit) +
           (seen.repr.empty() ? "" : ": " + seen.repr + cut_remark(seen));
}

std::string say_type(const std::string& subject, const json& type) {
    const std::string name = text_member(type, "name");
    const std::string module = text_member(type, "module");
    const std::string from = module.empty() || module == "builtins" ? "" : " from the module " + ticked(module);
    return "The type of " + ticked(subject) + " is " + ticked(name) + from + ".";
}

std::string say_variables(const json& listing) {
    const json* globals = find_member(listing, "globals");
    if (globals == nullptr || !globals->is_array() || globals->empty()) {
        return "There are no variables yet.";
    }
    const std::int64_t total = integer_member(listing, "total").value_or(static_cast<std::int64_t>(globals->size()));
    std::string out = (total == 1 ? "There is 1 variable:" : "There are " + std::to_string(total) + " variables:");
    std::size_t listed = 0;
    for (const json& one : *globals) {
        if (listed == most_listed) {
            break;
        }
        const std::string summary = text_member(one, "summary");
        const std::string type = text_member(one, "type_name");
        out += "\n  " + text_member(one, "name") + (type.empty() ? "" : " (" + type + ")") +
               (summary.empty() ? "" : ": " + one_row(summary, 100));
        ++listed;
    }
    if (static_cast<std::int64_t>(listed) < total) {
        out += "\n  and " + std::to_string(total - static_cast<std::int64_t>(listed)) + " more";
    }
    return out;
}

std::string member_name(const json& one) {
    if (const auto plain = as_string(one)) {
        return std::string(*plain);
    }
    return text_member(one, "name");
}

std::string say_members(const std::string& subject, const json& listing) {
    const json* members = find_member(listing, "members");
    std::string names;
    std::size_t shown = 0;
    std::size_t plain = 0;
    if (members != nullptr && members->is_array()) {
        for (const json& one : *members) {
            const std::string name = member_name(one);
            if (name.empty() || name.starts_with("_")) {
                continue;
            }
            ++plain;
            if (shown < most_listed) {
                names += (shown == 0 ? "" : ", ") + name;
                ++shown;
            }
        }
    }
    if (shown == 0) {
        return ticked(subject) + " has no public attributes.";
    }
    const bool more = plain > shown || bool_member(listing, "truncated").value_or(false);
    return ticked(subject) + " has " + (more ? "among others " : "") + names + ".";
}

std::string say_documentation(const std::string& subject, const json& reply) {
    const std::string doc = text_member(reply, "doc");
    if (is_blank(doc)) {
        return ticked(subject) + " has no documentation.";
    }
    return "The documentation of " + ticked(subject) + ":\n" + doc + (bool_member(reply, "truncated").value_or(false) ? "\n(cut)" : "");
}

std::string say_locals(const json& frame) {
    const json* locals = find_member(frame, "locals");
    if (locals == nullptr || !locals->is_object() || locals->empty()) {
        return {};
    }
    std::string out;
    for (const auto& [name, value] : locals->items()) {
        const auto plain = as_string(value);
        out += (out.empty() ? "" : ", ") + name + " = " + one_row(plain ? std::string(*plain) : text_member(value, "repr"), 60);
    }
    return " There, " + one_row(out, 400) + ".";
}

std::string say_failure(const json& reply) {
    const json* exception = find_member(reply, "exception");
    if (exception == nullptr || !exception->is_object()) {
        return "Nothing has failed in this session so far.";
    }
    const std::string message = bounded(text_member(*exception, "message"), longest_message);
    std::string out = "The last error was " + text_member(*exception, "exc_type") + (message.empty() ? "" : ": " + message);
    const json* frames = find_member(*exception, "frames");
    if (frames == nullptr || !frames->is_array() || frames->empty()) {
        return out + ".";
    }
    const json& innermost = frames->back();
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

std::string say_computed(const std::string& subject, const json& reply) {
    const std::string value = text_member(reply, "value_repr");
    const std::string out = text_member(reply, "stdout");
    std::string text = ticked(subject) + " is " + (value.empty() ? "None" : value);
    return is_blank(out) ? text : text + "\nIt wrote: " + out;
}

/// What a failed call comes to, as it was told: its message, and the names that were near when the message does not say them.
std::string say_failed_call(const question& asked, const json& envelope) {
    const json* error = find_member(envelope, "error");
    const json none = json::object();
    const json& what = error != nullptr ? *error : none;
    const json* details = find_member(what, "details");
    const std::string type = details != nullptr ? text_member(*details, "exc_type") : "";
    std::string message = text_member(what, "message");
    if (message.empty()) {
        message = details != nullptr ? text_member(*details, "message") : "";
    }
    if (!type.empty() && message.find(type) == std::string::npos) {
        message = type + ": " + message;
    }
    if (message.empty()) {
        message = text_member(what, "code");
    }
    const std::string verb = asked.form == question_form::computation ? "compute " : "look at ";
    return "I could not " + (asked.subject.empty() ? std::string("find out") : verb + ticked(asked.subject)) + ": " + message;
}

std::optional<std::string> say_good(const question& asked, const std::vector<plain_reply>& replies) {
    const auto from = [&](string_view capability, auto say) -> std::optional<std::string> {
        const json* found = result_of(replies, capability);
        return found != nullptr ? std::optional<std::string>(say(*found)) : std::nullopt;
    };
    const std::string& subject = asked.subject;
    switch (asked.form) {
        case question_form::variables: return from("list_globals", say_variables);
        case question_form::type: return from("get_type", [&](const json& reply) { return say_type(subject, reply); });
        case question_form::members: return from("get_dir", [&](const json& reply) { return say_members(subject, reply); });
        case question_form::documentation: return from("get_doc", [&](const json& reply) { return say_documentation(subject, reply); });
        case question_form::failure: return from("get_last_exception", say_failure);
        case question_form::computation: return from("eval_expr", [&](const json& reply) { return say_computed(subject, reply); });
        case question_form::value:
        case question_form::contents: {
            const facts seen = read_facts(replies);
            if (seen.type.empty() && seen.repr.empty()) {
                return std::nullopt;
            }
            return asked.form == question_form::value ? say_value(subject, seen) : say_contents(subject, seen);
        }
        case question_form::unknown: break;
    }
    return std::nullopt;
}

}  // namespace

std::string answer_from(const question& asked, const std::vector<plain_reply>& replies) {
    if (auto text = say_good(asked, replies)) {
        return *std::move(text);
    }
    for (const plain_reply& one : replies) {
        if (!bool_member(one.envelope, "ok").value_or(false)) {
            return say_failed_call(asked, one.envelope);
        }
        if (is_cut(one)) {
            return say_cut(one);
        }
    }
    return "The replies to my calls do not say.";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
