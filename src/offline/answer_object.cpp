#include <pyaichat/core/text.hpp>

#include "offline/answers.hpp"
#include "offline/reply_reader.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

std::string say_type(const std::string& subject, const json& type) {
    const std::string module = text_member(type, "module");
    const std::string from = module.empty() || module == "builtins" ? "" : " from the module " + ticked(module);
    return "The type of " + ticked(subject) + " is " + ticked(text_member(type, "name")) + from + ".";
}

/// The names that people use, joined by commas; private names are left out.
std::string public_names(const json& names, std::size_t& count) {
    std::string out;
    for (const json& entry : names) {
        const std::string name = text_or_member(entry, "name");
        if (!name.empty() && !name.starts_with("_") && ++count <= most_listed) {
            out += (out.empty() ? "" : ", ") + name;
        }
    }
    return out;
}

std::string say_members(const std::string& subject, const json& listing) {
    std::size_t count = 0;
    const std::string names = public_names(list_member(listing, "members"), count);
    if (count == 0) {
        return ticked(subject) + " has no public attributes.";
    }
    const bool more = count > most_listed || bool_member(listing, "truncated") == true;
    return ticked(subject) + " has " + (more ? "among others " : "") + names + ".";
}

std::string say_attributes(const std::string& subject, const json& seen) {
    std::string out;
    std::size_t count = 0;
    for (const json& each : list_member(seen, "attributes")) {
        if (++count > most_listed) {
            break;
        }
        const std::string value = text_member(each, "value");
        const bool lazy = bool_member(each, "lazy") == true;
        out += "\n  " + text_member(each, "name") + (lazy ? " (computed by its code)" : value.empty() ? "" : " = " + one_row(value, 100));
    }
    const auto total = integer_member(seen, "attributes_total").value_or(static_cast<std::int64_t>(count));
    if (count == 0) {
        return ticked(subject) + " has no public attributes with data.";
    }
    const std::int64_t more = total - static_cast<std::int64_t>(std::min(count, most_listed));
    return ticked(subject) + " has " + counted(total, "attribute") + ":" + out +
           (more > 0 ? "\n  and " + std::to_string(more) + " more" : "");
}

std::string say_methods(const std::string& subject, const json& seen) {
    std::size_t count = 0;
    const std::string names = public_names(list_member(seen, "methods"), count);
    if (count == 0) {
        return ticked(subject) + " has no public methods.";
    }
    const auto total = static_cast<std::size_t>(integer_member(seen, "methods_total").value_or(static_cast<std::int64_t>(count)));
    const bool function_holder = text_or_member(member(seen, "type"), "name") == "module";
    return ticked(subject) + " has the " + (function_holder ? "functions " : "methods ") + names +
           (total > most_listed ? ", and more." : ".");
}

std::string say_documentation(const std::string& subject, const json& reply) {
    const std::string doc = text_member(reply, "doc");
    if (is_blank(doc)) {
        return ticked(subject) + " has no documentation.";
    }
    return "The documentation of " + ticked(subject) + ":\n" + doc + (bool_member(reply, "truncated") == true ? "\n(cut)" : "");
}

std::string say_location(const json& seen) {
    const json& source = member(seen, "source");
    const std::string file = text_member(source, "file");
    const auto line = integer_member(source, "line");
    return file.empty() ? file : file + (line && *line > 0 ? " line " + std::to_string(*line) : "");
}

/// The signature, and the beginning of the documentation.
std::string say_signature(const std::string& subject, const json& seen, lookups& look) {
    std::string signature = text_member(seen, "signature");
    if (signature.empty() && text_or_member(member(seen, "type"), "name") == "type") {
        const json* maker = look.look_at("inspect", subject + ".__init__");
        signature = maker == nullptr ? std::string() : text_member(*maker, "signature");
        if (constexpr string_view receiver = "__init__(self"; signature.starts_with(receiver)) {
            const string_view rest = string_view(signature).substr(receiver.size());
            signature = subject + "(" + std::string(rest.starts_with(", ") ? rest.substr(2) : rest);
        }
    }
    if (signature.empty()) {
        return "The signature of " + ticked(subject) + " is not known: it is " +
               with_article(text_or_member(member(seen, "type"), "name")) + ".";
    }
    const std::string doc = text_member(seen, "doc");
    return "The signature of " + ticked(subject) + " is " + ticked(signature) + (is_blank(doc) ? "." : ". Its documentation:\n" + doc);
}

/// The source with its place. An object that is not a function or a class is shown with the source of its class.
std::string say_source(const std::string& subject, bool only_place, lookups& look) {
    const json* found = look.look_at("get_source", subject);
    if (found == nullptr) {
        return {};
    }
    const std::string file = text_member(*found, "file");
    const auto line = integer_member(*found, "line");
    const std::string place = file.empty() ? "" : file + (line && *line > 0 ? " line " + std::to_string(*line) : "");
    if (only_place && !place.empty()) {
        return ticked(subject) + " is defined in " + place + ".";
    }
    const std::string text = text_member(*found, "source");
    if (!is_blank(text)) {
        return "The source of " + ticked(subject) + (place.empty() ? "" : ", " + place) + ":\n```python\n" + text +
               (text.ends_with('\n') ? "```" : "\n```") + (bool_member(*found, "truncated") == true ? "\n(cut)" : "");
    }
    const std::string why = text_member(*found, "why");
    return "There is no source for " + ticked(subject) + (why.empty() ? "." : ": " + why + ".");
}

/// A class has its bases, an object the class and its bases.
std::string say_bases(const std::string& subject, lookups& look) {
    const json* type = look.look_at("get_type", subject);
    if (type == nullptr) {
        return {};
    }
    const std::string name = text_member(*type, "name");
    const bool is_class = name == "type" || name.ends_with("Meta") || name == "EnumType";
    const std::string holder = is_class ? subject : "type(" + subject + ")";
    const auto bases = look.value_of(holder + ".__bases__");
    const auto order = look.value_of(holder + ".__mro__");
    if (!bases || !order) {
        return {};
    }
    return "The base classes of " + (is_class ? ticked(subject) : ticked(name) + ", the class of " + ticked(subject) + ",") + " are " +
           *bases + ". Attributes are looked up in " + *order + ".";
}

/// The name of a type that a noun of the question stands for: "number" for an int or a float.
std::string type_for_noun(const std::string& noun) {
    const std::string low = ascii_lower(noun);
    constexpr std::pair<string_view, string_view> nouns[] = {{"number", "(int, float, complex)"},
                                                             {"string", "str"},
                                                             {"text", "str"},
                                                             {"integer", "int"},
                                                             {"dictionary", "dict"},
                                                             {"boolean", "bool"},
                                                             {"class", "type"},
                                                             {"array", "ndarray"},
                                                             {"dataframe", "DataFrame"},
                                                             {"series", "Series"}};
    const auto* const found = std::find_if(std::begin(nouns), std::end(nouns), [&](const auto& each) { return each.first == low; });
    return found == std::end(nouns) ? noun : std::string(found->second);
}

/// Whether the class, or a base class, is the one that was asked for. Classes that have no name in the session are compared by name.
std::string say_type_check(const question& asked, lookups& look) {
    const json* type = look.look_at("get_type", asked.subject);
    if (type == nullptr) {
        return {};
    }
    const std::string name = text_member(*type, "name");
    const std::string meant = type_for_noun(asked.other);
    const std::string fact = ticked(asked.subject) + " is " + with_article(name) + ".";
    constexpr string_view by_name[] = {"function", "module", "ndarray", "DataFrame", "Series", "generator", "method"};
    if (std::find(std::begin(by_name), std::end(by_name), meant) != std::end(by_name)) {
        return (name == meant || (meant == "function" && name == "builtin_function_or_method") ? "Yes: " : "No: ") + fact;
    }
    const bool is_class = name == "type" && meant != "type";
    const std::string expression = (is_class ? "issubclass(" : "isinstance(") + asked.subject + ", " + meant + ")";
    const auto found = look.value_of(expression);
    if (!found) {
        return {};
    }
    if (is_class) {
        return (*found == "True" ? "Yes: " : "No: ") + ticked(expression) + " is " + *found + ".";
    }
    return (*found == "True" ? "Yes: " : "No: ") + fact;
}

std::string say_version(const std::string& subject, lookups& look) {
    if (subject == "python" || subject == "Python") {
        const auto python = look.value_of("__import__('sys').version");
        return python ? "Python has the version " + *python + "." : std::string();
    }
    auto found = look.value_of(subject + ".__version__");
    if (!found && is_undefined(look.first_error(), subject)) {
        found = look.value_of("__import__('sys').modules['" + subject + "'].__version__");  // it may have another name here: np
    }
    return found ? ticked(subject) + " has the version " + *found + "." : std::string();
}

/// The value of an attribute, an item of a dict or a column, whichever the object has.
std::string say_lookup(const question& asked, lookups& look) {
    const json* seen = look.look_at("inspect", asked.subject);
    if (seen == nullptr) {
        return {};
    }
    return answer_value({.form = question_form::value, .subject = member_expression(asked.subject, asked.other, kind_of(seen))}, look);
}

/// A function of a module that has no source still knows its module.
std::string say_origin(const std::string& subject, lookups& look) {
    const std::string in_source = say_source(subject, true, look);
    if (in_source.empty() || in_source.find(" is defined in ") != std::string::npos) {
        return in_source;
    }
    const auto module = look.value_of(subject + ".__module__");
    return module && *module != "None" ? in_source + " It belongs to the module " + *module + "."
           : look.needed().empty()     ? in_source
                                       : std::string();
}

}  // namespace

std::string answer_object(const question& asked, lookups& look) {
    const std::string& subject = asked.subject;
    switch (asked.form) {
        case question_form::type: {
            const json* found = look.look_at("get_type", subject);
            return found == nullptr ? std::string() : say_type(subject, *found);
        }
        case question_form::type_check: return say_type_check(asked, look);
        case question_form::members: {
            const json* found = look.look_at("get_dir", subject);
            return found == nullptr ? std::string() : say_members(subject, *found);
        }
        case question_form::documentation: {
            const json* found = look.look_at("get_doc", subject);
            if (found == nullptr) {
                return {};
            }
            const std::string text = say_documentation(subject, *found);
            const json* seen = look.has("inspect") && is_blank(text_member(*found, "doc")) ? look.look_at("inspect", subject) : nullptr;
            const std::string signature = seen == nullptr ? std::string() : text_member(*seen, "signature");
            return signature.empty() ? text
                                     : text + " Its signature is " + ticked(signature) + "; `source of " + subject + "` shows its code.";
        }
        case question_form::source: return say_source(subject, false, look);
        case question_form::lookup: return say_lookup(asked, look);
        case question_form::base_classes: return say_bases(subject, look);
        case question_form::version: return say_version(subject, look);
        default: break;
    }
    const json* seen = look.look_at("inspect", subject);
    if (seen == nullptr) {
        return {};
    }
    switch (asked.form) {
        case question_form::attributes: return say_attributes(subject, *seen);
        case question_form::methods:
            if (list_member(*seen, "methods").empty() && !text_member(*seen, "methods_left_out").empty()) {
                return answer_object({.form = question_form::members, .subject = subject}, look);
            }
            return say_methods(subject, *seen);
        case question_form::signature: return say_signature(subject, *seen, look);
        case question_form::location: {
            const std::string place = say_location(*seen);
            return place.empty() ? say_origin(subject, look) : ticked(subject) + " is defined in " + place + ".";
        }
        default: return {};
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
