#include "python/capabilities/python_capability.hpp"
#include "python/look/member_names.hpp"
#include "python/look/object_facts.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <algorithm>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_globals_chars = 5'800;  // of the JSON of all variables in one reply
constexpr std::size_t globals_overhead = 60;      // of each variable: name, type and punctuation
constexpr std::size_t max_summary_chars = 120;
constexpr std::size_t min_summary_chars = 40;

struct list_globals_arguments {
    std::optional<std::string> filter = {};
    std::optional<std::int64_t> limit = {};
    std::optional<std::int64_t> offset = {};
    static constexpr about descriptions[] = {{"filter", "Only names that match this pattern (* and ? as in file names)."},
                                             {"limit", "Maximum number of variables (default 50).", 1, 1000},
                                             {"offset", "Number of variables to skip: next_offset of the previous page.", 0, 1'000'000}};
};

/// The number of variables that are read; a larger namespace is listed in part.
constexpr std::size_t max_read_globals = 200'000;

/// Whether Python or the prompt made the name: `_` and `__name__`.
bool is_own_name(PyObject* name) {
    const Py_ssize_t length = PyUnicode_GET_LENGTH(name);
    const auto underscore = [&](Py_ssize_t at) { return PyUnicode_READ_CHAR(name, at) == '_'; };
    return (length == 1 && underscore(0)) ||
           (length >= 4 && underscore(0) && underscore(1) && underscore(length - 1) && underscore(length - 2));
}

capability_reply list_globals(capability_context& context, const list_globals_arguments& arguments) {
    const std::string filter = arguments.filter.value_or("");
    const std::size_t limit = count_or(arguments.limit, 50);
    const std::size_t offset = count_or(arguments.offset, 0);
    struct variable {
        bool is_module;
        PyObject* name;   ///< borrowed, as nothing can change the dict meanwhile
        PyObject* value;  ///< borrowed
    };
    std::vector<variable> variables;
    std::size_t read = 0;
    for (dict_cursor each{context.session.globals()}; read < max_read_globals && each.next(); ++read) {
        if (PyUnicode_CheckExact(each.key) && !is_own_name(each.key) && !hides_name(each.key) &&
            (filter.empty() || matches_glob(to_utf8(each.key), filter))) {
            variables.push_back({PyModule_Check(each.value) != 0, each.key, each.value});
        }
    }
    // Only the page is put into order: a namespace may have a hundred thousand names.
    const std::size_t begin = std::min(offset, variables.size());
    const auto last = variables.begin() + static_cast<std::ptrdiff_t>(begin + std::min(limit, variables.size() - begin));
    const auto before = [](const variable& left, const variable& right) {
        return left.is_module != right.is_module ? right.is_module : PyUnicode_Compare(left.name, right.name) < 0;
    };
    std::partial_sort(variables.begin(), last, variables.end(), before);

    // The summaries get shorter as the list gets longer, and the list ends when it is full.
    const std::size_t room = max_globals_chars / std::max<std::size_t>(std::min(limit, variables.size() - begin), 1);
    const std::size_t summary_chars = std::clamp(room - std::min(room, globals_overhead), min_summary_chars, max_summary_chars);
    json globals = json::array();
    std::size_t chars = 0;
    std::size_t listed = 0;
    for (auto each = variables.begin() + static_cast<std::ptrdiff_t>(begin); each != last; ++each, ++listed) {
        json variable = json::object(
            {{"name", name_text(each->name)},
             {"type_name", name_of(Py_TYPE(each->value)).qualified()},
             {"summary",
              each->is_module ? std::string() : named_value_text(each->name, each->value, summary_of(each->value, summary_chars))}});
        chars += dump_json(variable).size() + 1;
        if (chars > max_globals_chars && listed > 0) {
            break;
        }
        globals.push_back(std::move(variable));
    }
    const bool all_read = read < max_read_globals;
    const std::size_t next = begin + listed;
    const bool truncated = next < variables.size() || !all_read;
    json page =
        json::object({{"globals", std::move(globals)}, {"total", all_read ? json(variables.size()) : json()}, {"truncated", truncated}});
    if (next < variables.size()) {
        page["next_offset"] = next;  // the `offset` of the next page
    }
    return reply_with(std::move(page));
}

}  // namespace

python_capability list_globals_capability() {
    return make_capability("list_globals", "globals",
                           "Lists the variables of the live Python session: name, type and a short summary of each. Imported modules "
                           "come last.",
                           &list_globals);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
