#include "python/capabilities/python_capability.hpp"
#include "python/look/member_names.hpp"
#include "python/look/object_facts.hpp"

#include <algorithm>
#include <tuple>

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

bool is_hidden_name(std::string_view name) {
    return name == "_" || (name.starts_with("__") && name.ends_with("__"));
}

capability_reply list_globals(capability_context& context, const list_globals_arguments& arguments) {
    const std::string filter = arguments.filter.value_or("");
    const std::size_t limit = count_or(arguments.limit, 50);
    const std::size_t offset = count_or(arguments.offset, 0);
    struct variable {
        bool is_module;
        std::string name;
        ref value;
    };
    std::vector<variable> variables;
    for (dict_cursor each{context.session.globals()}; each.next();) {
        std::string name = PyUnicode_CheckExact(each.key) ? to_utf8(each.key) : "__";
        if (!is_hidden_name(name) && matches_glob(name, filter)) {
            variables.push_back({PyModule_Check(each.value) != 0, std::move(name), ref::share(each.value)});
        }
    }
    // Only the page is put into order: a namespace may have a hundred thousand names.
    const auto first = variables.begin() + static_cast<std::ptrdiff_t>(std::min(offset, variables.size()));
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(limit, variables.size() - std::min(offset, variables.size())));
    const auto before = [](const variable& left, const variable& right) {
        return std::tie(left.is_module, left.name) < std::tie(right.is_module, right.name);
    };
    std::partial_sort(variables.begin(), last, variables.end(), before);

    // The summaries get shorter as the list gets longer, and the list ends when it is full.
    const std::size_t room = max_globals_chars / std::max<std::size_t>(static_cast<std::size_t>(last - first), 1);
    const std::size_t summary_chars = std::clamp(room - std::min(room, globals_overhead), min_summary_chars, max_summary_chars);
    json globals = json::array();
    std::size_t chars = 0;
    for (auto each = first; each != last; ++each) {
        json listed = json::object({{"name", each->name},
                                    {"type_name", name_of(Py_TYPE(each->value.get())).qualified()},
                                    {"summary", each->is_module ? std::string() : summary_of(each->value.get(), summary_chars)}});
        chars += dump_json(listed).size() + 1;
        if (chars > max_globals_chars && !globals.empty()) {
            break;
        }
        globals.push_back(std::move(listed));
    }
    const std::size_t next = offset + globals.size();
    const bool truncated = next < variables.size();
    json page = json::object({{"globals", std::move(globals)}, {"total", variables.size()}, {"truncated", truncated}});
    if (truncated) {
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
