#include "python/capabilities/python_capability.hpp"
#include "python/look/object_facts.hpp"
#include "python/session/variable_baseline.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// The length of the result as JSON, in bytes.
constexpr std::size_t max_situation = 4000;
constexpr int max_threads_shown = 8;

struct situation_arguments {
    std::optional<std::int64_t> names = {};
    static constexpr about descriptions[] = {
        {"names", "Maximum number of variables in each list of changes (default 12); fewer if the reply would be too long.", 1, 100}};
};

/// How much of each part is shown. If the result is too long, each amount is halved.
struct amounts {
    std::size_t names = 12;
    std::size_t summary = 80;
    std::size_t message = 400;
    std::size_t frames = 3;
    std::size_t locals = 5;
    std::size_t output = 500;
    std::size_t entries = 5;
    std::size_t source = 160;

    void halve() {
        for (std::size_t* each : {&names, &summary, &message, &frames, &locals, &output, &entries, &source}) {
            *each = std::max<std::size_t>(*each / 2, 1);
        }
    }
};

std::string beginning_of(std::string_view text, std::size_t bytes) {
    const std::string_view kept = pyaichat::detail::utf8_prefix(text, bytes);
    return std::string(kept) + (kept.size() < text.size() ? "..." : "");
}

std::string end_of(std::string_view text, std::size_t bytes) {
    const std::string_view kept = pyaichat::detail::utf8_suffix(text, bytes);
    return (kept.size() < text.size() ? "..." : "") + std::string(kept);
}

json short_frame(const json& frame, const amounts& most) {
    json shown = json::object({{"line", integer_member(frame, "line").value_or(0)}});
    for (const char* member : {"file", "function", "source_line"}) {
        shown[member] = beginning_of(string_member(frame, member).value_or(""), most.source);
    }
    json locals = json::object();
    if (const json* all = find_member(frame, "locals")) {
        for (const auto& [name, text] : all->items()) {
            if (locals.size() == most.locals) {
                break;
            }
            locals[beginning_of(name, most.source)] = beginning_of(as_string(text).value_or(""), most.summary);
        }
    }
    shown["locals"] = std::move(locals);
    return shown;
}

json exception_of(const session_state& session, const amounts& most) {
    const std::optional<caught_exception>& last = session.last_exception();
    if (!last) {
        return {};
    }
    json frames = json::array();
    const std::size_t shown = std::min(last->frames.size(), most.frames);
    for (std::size_t i = last->frames.size() - shown; i < last->frames.size(); ++i) {
        frames.push_back(short_frame(visible_frame(last->frames[i]), most));
    }
    return json::object({{"exc_type", beginning_of(last->info.exc_type, most.source)},
                         {"message", beginning_of(last->info.message, most.message)},
                         {"frames", std::move(frames)},
                         {"frames_total", last->frames_total}});
}

json variables_of(const std::vector<found_variable>& variables, const amounts& most) {
    json shown = json::array();
    for (std::size_t i = 0; i < std::min(variables.size(), most.names); ++i) {
        const auto [name, value] = variables[i];
        const std::string summary = PyModule_Check(value) ? std::string() : summary_of(value, std::max<std::size_t>(most.summary, 20));
        shown.push_back(json::object({{"name", beginning_of(name_text(name), most.source)},
                                      {"type_name", beginning_of(name_of(Py_TYPE(value)).qualified(), most.source)},
                                      {"summary", named_value_text(name, value, summary)}}));
    }
    return shown;
}

json changes_of(const variable_changes& changes, const amounts& most) {
    json shown = json::object({{"first", changes.is_first}, {"names_compared", changes.compared}, {"names_cut", !changes.complete}});
    if (changes.is_first) {
        return shown;  // there is nothing to compare with: `list_globals` lists the variables
    }
    for (const auto& [kind, variables] :
         {std::pair("added", &changes.added), {"rebound", &changes.rebound}, {"changed", &changes.changed}}) {
        shown[kind] = variables_of(*variables, most);
        shown[std::string(kind) + "_total"] = variables->size();
    }
    json removed = json::array();
    for (std::size_t i = 0; i < std::min(changes.removed.size(), most.names); ++i) {
        removed.push_back(beginning_of(changes.removed[i], most.source));
    }
    shown["removed"] = std::move(removed);
    shown["removed_total"] = changes.removed.size();
    return shown;
}

json entries_of(const session_history& history, const amounts& most) {
    json shown = json::array();
    const std::size_t count = std::min(history.entries().size(), most.entries);
    for (std::size_t i = history.entries().size() - count; i < history.entries().size(); ++i) {
        const session_entry& each = history.entries()[i];
        shown.push_back(json::object({{"file", beginning_of(each.file, most.source)},
                                      {"source", beginning_of(each.source, most.source)},
                                      {"ended", beginning_of(each.ended, most.source)},
                                      {"milliseconds", each.milliseconds}}));
    }
    return shown;
}

/// The last output of the person's commands, across entries.
std::string recent_output(const session_history& history, std::string session_entry::* stream, std::size_t bytes) {
    std::string text;
    for (auto each = history.entries().rbegin(); each != history.entries().rend() && text.size() <= bytes; ++each) {
        text.insert(0, (*each).*stream);
    }
    return end_of(text, bytes);
}

/// The innermost frames of the other threads that run Python.
json threads_of() {
    json threads = json::array();
    PyThreadState* const own = PyThreadState_Get();
    for (PyThreadState* each = PyInterpreterState_ThreadHead(PyThreadState_GetInterpreter(own));
         each != nullptr && threads.size() < max_threads_shown; each = PyThreadState_Next(each)) {
        const ref frame = each == own ? ref() : ref::steal(reinterpret_cast<PyObject*>(PyThreadState_GetFrame(each)));
        if (frame) {
            auto* top = reinterpret_cast<PyFrameObject*>(frame.get());
            const ref code = ref::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(top)));
            const auto* found = reinterpret_cast<const PyCodeObject*>(code.get());
            threads.push_back(json::object({{"function", beginning_of(name_text(found->co_qualname), 80)},
                                            {"file", end_of(name_text(found->co_filename), 80)},
                                            {"line", PyFrame_GetLineNumber(top)}}));
        }
    }
    return threads;
}

std::string state_of(const session_history& history) {
    if (history.entries().empty()) {
        return "nothing has run yet";
    }
    return history.entries().back().ended.starts_with("raised") ? "idle: the last entry stopped with an exception"
                                                                : "idle: the last entry ended";
}

json describe_situation(session_state& session, const variable_changes& changes, const json& threads, const amounts& most) {
    json exception = exception_of(session, most);
    const json* frames = find_member(exception, "frames");
    json stopped_at;
    if (frames != nullptr && !frames->empty() && state_of(session.history()).ends_with("exception")) {
        stopped_at = frames->back();
        for (const char* detail : {"locals", "source_line"}) {
            stopped_at.erase(detail);
        }
    }
    return json::object({{"state", state_of(session.history())},
                         {"stopped_at", std::move(stopped_at)},
                         {"exception", std::move(exception)},
                         {"changes", changes_of(changes, most)},
                         {"output", json::object({{"stdout", recent_output(session.history(), &session_entry::out, most.output)},
                                                  {"stderr", recent_output(session.history(), &session_entry::err, most.output)}})},
                         {"entries", entries_of(session.history(), most)},
                         {"entries_total", session.history().total()},
                         {"threads", threads}});
}

capability_reply situation(capability_context& context, const situation_arguments& arguments) {
    const variable_changes changes = context.session.baseline().update(context.session.globals());
    const json threads = threads_of();
    amounts most;
    most.names = count_or(arguments.names, most.names);
    json described = describe_situation(context.session, changes, threads, most);
    for (int tries = 0; tries < 8 && dump_json(described).size() > max_situation; ++tries) {
        most.halve();
        described = describe_situation(context.session, changes, threads, most);
    }
    return reply_with(std::move(described));
}

}  // namespace

python_capability situation_capability() {
    return make_capability(
        "situation", "state",
        "What is going on in the Python session, in one short reply: how the last entries ended, the last exception with "
        "its innermost frames, recent output, and which variables were added, removed, rebound or changed since the "
        "previous call of this function. Ask it first.",
        &situation);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
