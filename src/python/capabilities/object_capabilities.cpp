#include "python/capabilities/look_at.hpp"
#include "python/look/member_names.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/structural_printer.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_doc_chars = 4000;

constexpr std::string_view expression_text =
    "A Python expression of names, attributes, items, operators, comprehensions and functions like len or sorted, e.g. df, "
    "player.items[\"key\"], len(rows), [r.id for r in rows[:5]]. It never runs code of the session; what would run some is refused.";

struct object_arguments {
    std::string expr = {};
    static constexpr about descriptions[] = {{"expr", expression_text}};
};

struct repr_arguments {
    std::string expr = {};
    std::optional<std::int64_t> max_chars = {};
    static constexpr about descriptions[] = {{"expr", expression_text},
                                             {"max_chars", "Maximum number of characters (default 2000).", 1, 100'000}};
};

struct dir_arguments {
    std::string expr = {};
    std::optional<std::string> filter = {};
    std::optional<std::int64_t> limit = {};
    static constexpr about descriptions[] = {{"expr", expression_text},
                                             {"filter", "Only names that match this pattern (* and ? as in file names)."},
                                             {"limit", "Maximum number of names (default 200).", 1, 5000}};
};

struct inspect_arguments {
    std::string expr = {};
    std::optional<std::int64_t> depth = {};
    std::optional<std::int64_t> rows = {};
    std::optional<std::int64_t> columns = {};
    static constexpr about descriptions[] = {{"expr", expression_text},
                                             {"depth", "Maximum depth of nested values (default 2).", 1, 8},
                                             {"rows", "Maximum number of attributes and items (default 20).", 1, 500},
                                             {"columns", "Maximum number of entries in each nested value (default 10).", 1, 500}};
};

capability_reply get_type(capability_context& context, const object_arguments& arguments) {
    return look_at(context, arguments.expr, &type_facts);
}

capability_reply get_repr(capability_context& context, const repr_arguments& arguments) {
    return look_at(context, arguments.expr, [&](PyObject* object) {
        const printed text = print_structure(object, {.max_chars = count_or(arguments.max_chars, 2000)});
        return json::object({{"repr", text.text},
                             {"truncated", text.truncated},
                             {"original_len", text.original_length ? json(*text.original_length) : json()}});
    });
}

capability_reply get_dir(capability_context& context, const dir_arguments& arguments) {
    const std::string filter = arguments.filter.value_or("");
    const std::size_t limit = count_or(arguments.limit, 200);
    return look_at(context, arguments.expr, [&](PyObject* object) {
        name_list list = list_members(object, filter, limit);
        json facts = json::object(
            {{"truncated", list.total > limit || !list.complete}, {"original_len", list.complete ? json(list.total) : json()}});
        facts["members"] = std::move(list.names);
        return facts;
    });
}

capability_reply get_doc(capability_context& context, const object_arguments& arguments) {
    return look_at(context, arguments.expr, [](PyObject* object) {
        const ref doc = doc_of(object);
        const Py_ssize_t length = doc ? PyUnicode_GET_LENGTH(doc.get()) : 0;
        const bool cut = length > static_cast<Py_ssize_t>(max_doc_chars);
        const ref shown = cut ? ref::steal(PyUnicode_Substring(doc.get(), 0, static_cast<Py_ssize_t>(max_doc_chars))) : doc;
        return json::object({{"doc", shown ? json(to_utf8(shown.get())) : json()}, {"truncated", cut}, {"original_len", length}});
    });
}

capability_reply inspect(capability_context& context, const inspect_arguments& arguments) {
    const inspect_options options = {.depth = static_cast<int>(arguments.depth.value_or(2)),
                                     .rows = count_or(arguments.rows, 20),
                                     .columns = count_or(arguments.columns, 10)};
    return look_at(context, arguments.expr, [&](PyObject* object) { return inspect_object(object, options); });
}

}  // namespace

std::vector<python_capability> object_capabilities() {
    return {
        make_capability("get_type", "qualified", "The type of an object in the live Python session. Runs no code of the object.",
                        &get_type),
        make_capability("get_repr", "repr",
                        "Prints an object in the live Python session from its structure, without running its code. "
                        "Long values are cut; original_len is the length of the whole text (null: very long).",
                        &get_repr),
        make_capability("get_dir", "members", "Lists the names of an object's attributes and methods, public names first. Runs no code.",
                        &get_dir),
        make_capability("get_doc", "doc", "The documentation string of an object, class, function or module; null when it has none.",
                        &get_doc),
        make_capability("inspect", "summary",
                        "Everything about one object in one bounded reply: type, summary, size, signature and source location of a "
                        "function, attributes with their values, methods, items. Properties are only named (lazy), never computed.",
                        &inspect),
    };
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
