#include <pyaichat/core/text.hpp>

#include "offline/answers.hpp"
#include "offline/reply_reader.hpp"
#include "offline/subject.hpp"

#include <algorithm>
#include <iterator>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

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
    std::string doc = {};  ///< its first line
    std::optional<std::int64_t> length = {};
    std::string printed = {};  ///< ": [1, 2, ...] (cut)"; empty if it is not known
};

facts read_facts(const json* seen, const json* printed) {
    facts out;
    std::string repr;
    std::string remark;
    if (seen != nullptr) {
        out.type = text_or_member(member(*seen, "type"), "name");
        out.signature = text_member(*seen, "signature");
        out.doc = text_member(*seen, "doc");
        out.doc = out.doc.substr(0, out.doc.find('\n'));
        out.length = integer_member(*seen, "size");
        repr = text_member(*seen, "summary");
    }
    if (printed != nullptr) {
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
    if (seen.type == "type" || seen.type == "module") {
        const std::string kind = seen.type == "type" ? "class" : "module";
        return ticked(subject) + " is a " + kind + seen.printed + (is_blank(seen.doc) ? "" : ". Its documentation begins: " + seen.doc);
    }
    std::string out = ticked(subject) + " is " + with_article(seen.type);
    const string_view unit = unit_of(seen.type);
    if (seen.length && !unit.empty()) {
        out += " of " + counted(*seen.length, unit);
    }
    if (!seen.signature.empty()) {
        out += " with the signature " + ticked(seen.signature);
        return out + seen.printed + (is_blank(seen.doc) ? "" : ". Its documentation begins: " + seen.doc);
    }
    return out + seen.printed;
}

std::string say_contents(const std::string& subject, const facts& seen) {
    if (!seen.length) {
        return ticked(subject) + " is " + with_article(seen.type) + " and has no known length" + seen.printed;
    }
    const string_view unit = seen.type == "DataFrame" ? string_view("row") : unit_of(seen.type);
    const std::string kind = seen.type.empty() ? "" : " (" + with_article(seen.type) + ")";
    return ticked(subject) + kind + " has " + counted(*seen.length, unit.empty() ? "item" : unit) + seen.printed;
}

std::string say_computed(const std::string& subject, const json& reply) {
    const std::string value = text_member(reply, "value_repr");
    const std::string out = text_member(reply, "stdout");
    constexpr std::int64_t snapshot = 2;
    const bool in_copy = (value.empty() || value == "None") && integer_member(reply, "tier") == snapshot;
    const std::string text = ticked(subject) + " is " + (value.empty() ? "None" : without_numpy_types(value)) +
                             (in_copy ? " (computed in a copy of the process: the session is as before)" : "");
    return is_blank(out) ? text : text + "\nIt wrote: " + out;
}

}  // namespace

std::string answer_value(const question& asked, lookups& look) {
    if (asked.form == question_form::computation) {
        const json* found = look.look_at("eval_expr", asked.subject);
        return found == nullptr ? std::string() : say_computed(asked.subject, *found);
    }
    const json* seen = look.has("inspect") ? look.look_at("inspect", asked.subject) : nullptr;
    const json* printed = look.look_at("get_repr", asked.subject);
    const facts found = read_facts(seen, printed);
    if (found.type.empty() && found.printed.empty()) {
        return {};
    }
    if (found.type == "module" && asked.form == question_form::contents) {
        return answer_object({.form = question_form::members, .subject = asked.subject}, look);
    }
    return asked.form == question_form::value ? say_value(asked.subject, found) : say_contents(asked.subject, found);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
