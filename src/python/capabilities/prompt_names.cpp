#include "python/capabilities/look_at.hpp"
#include "python/look/adapters/pandas_objects.hpp"
#include "python/look/attribute_index.hpp"
#include "python/look/call_facts.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/structural_printer.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

struct prompt_arguments {
    std::string what = {};
    std::optional<std::string> expr = {};
    std::optional<std::string> prefix = {};
    static constexpr about descriptions[] = {
        {"what", "names, members, keys, call, module (members of a loaded one), or modules (where modules are found)."},
        {"expr", "An expression; for module and modules the name of a module."},
        {"prefix", "Only names that begin so."}};
};

constexpr std::size_t max_prompt_names = 5000;
constexpr std::size_t max_prompt_entries = 200'000;  // that are read of a dict
constexpr std::size_t max_key_chars = 200;

/// One text with a line for each: thousands of names as separate texts would cost more than finding them.
std::string lines_of(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& each : texts) {
        out += each;
        out += '\n';
    }
    return out;
}

bool is_one_line(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; });
}

/// Names for a prompt, each with a word about its value. `_name` is listed only if the prefix begins with `_`.
class found_names {
public:
    explicit found_names(std::string prefix) : prefix_(std::move(prefix)) {}

    void add(PyObject* name, PyObject* value, bool in_class = false) {
        std::string text = PyUnicode_IsIdentifier(name) != 0 ? to_utf8(name) : std::string();
        if (!text.empty() && text.starts_with(prefix_) && (prefix_.starts_with('_') || !text.starts_with('_'))) {
            add_text(std::move(text), kind_of(value, in_class));
        }
    }
    /// Adds a text that needs no prefix.
    void add_text(std::string text, std::string kind) {
        if (!is_one_line(text)) {
            return;
        }
        if (names_.size() == max_prompt_names) {
            complete_ = false;
            return;
        }
        names_.push_back(std::move(text));
        kinds_.push_back(std::move(kind));
    }
    void add_dict(PyObject* dict) {
        std::size_t read = 0;
        for (dict_cursor each{dict}; each.next();) {
            if (++read > max_prompt_entries) {
                complete_ = false;
                break;
            }
            if (PyUnicode_CheckExact(each.key) && !hides_name(each.key)) {
                add(each.key, each.value);
            }
        }
    }
    void add_members(PyObject* object) {
        const attribute_index index(object);
        for (const attribute_place& each : index.places()) {
            add(each.name, each.own != nullptr ? each.own : each.in_type, each.own == nullptr || PyType_Check(object));
        }
        complete_ = complete_ && index.complete();
    }
    void left_some_out() { complete_ = false; }

    [[nodiscard]] json facts() && {
        json facts = json::object({{"truncated", !complete_}});
        facts["members"] = lines_of(names_);
        facts["kinds"] = lines_of(kinds_);
        return facts;
    }

private:
    static std::string kind_of(PyObject* value, bool in_class) {
        PyTypeObject* type = Py_TYPE(value);
        if (PyType_Check(value)) {
            return "class";
        }
        if (PyModule_Check(value)) {
            return "module";
        }
        if (PyFunction_Check(value) || PyCFunction_Check(value)) {
            return in_class ? "method" : "function";
        }
        for (PyTypeObject* method : {&PyMethod_Type, &PyMethodDescr_Type, &PyClassMethodDescr_Type, &PyWrapperDescr_Type,
                                     &PyClassMethod_Type, &PyStaticMethod_Type}) {
            if (type == method) {
                return "method";
            }
        }
        if (type == &PyProperty_Type || type == &PyGetSetDescr_Type || type == &PyMemberDescr_Type) {
            return "property";
        }
        return name_of(type).name;
    }

    std::string prefix_;
    std::vector<std::string> names_;
    std::vector<std::string> kinds_;
    bool complete_ = true;
};

/// The keys of a dict and the columns of a DataFrame, as Python writes them.
json keys_of(PyObject* object) {
    found_names keys{std::string()};
    std::size_t left = sampled_items(max_prompt_names);
    const auto add = [&](PyObject* key, std::string kind) {
        if (left == 0) {
            return false;
        }
        --left;
        const printed text = print_structure(key, {.max_chars = max_key_chars});
        if (!text.truncated && !text.met_objects) {
            keys.add_text(text.text, std::move(kind));
        }
        return true;
    };
    const bool is_frame = pandas_kind_of(object) == pandas_kind::frame;
    if (const std::optional<frame_parts> frame = is_frame ? parts_of_frame(object) : std::nullopt) {
        for (std::int64_t i = 0; i < frame->column_count; ++i) {
            const ref label = index_item(frame->columns.get(), i);
            if (label && !hides_name(label.get()) && !add(label.get(), "column")) {
                keys.left_some_out();
                break;
            }
        }
    }
    for (dict_cursor each{object}; each.next();) {
        if (!hides_name(each.key) && !add(each.key, name_of(Py_TYPE(each.value)).name)) {
            keys.left_some_out();
            break;
        }
    }
    return std::move(keys).facts();
}

/// The strings of a list or tuple that is an attribute of a module; nothing if it is something else.
std::vector<std::string> texts_of(PyObject* names, const char* attribute) {
    std::vector<std::string> texts;
    PyObject* list = find_name(names, attribute);
    for (item_walk each(list != nullptr && (PyList_Check(list) || PyTuple_Check(list)) ? list : Py_None); each.next();) {
        const bool is_text = each.value && PyUnicode_Check(each.value.get()) && texts.size() < max_prompt_names;
        if (std::string text = is_text ? to_utf8(each.value.get()) : std::string(); is_text && is_one_line(text)) {
            texts.push_back(std::move(text));
        }
    }
    return texts;
}

/// A loaded module; null if there is none of this name. Borrowed.
PyObject* loaded_module(const std::string& name) {
    PyObject* module = find_name(PyImport_GetModuleDict(), name.c_str());
    return module != nullptr && PyModule_Check(module) ? module : nullptr;
}

/// Where Python looks for modules (of a package, if it is loaded), and the loaded ones whose names begin with `prefix`.
json modules_like(const std::string& package, const std::string& prefix) {
    PyObject* module = loaded_module(package.empty() ? "sys" : package);
    PyObject* names = module != nullptr ? PyModule_GetDict(module) : nullptr;
    json facts = json::object({{"path", lines_of(texts_of(names, package.empty() ? "path" : "__path__"))}, {"loaded", module != nullptr}});
    std::vector<std::string> found;
    if (package.empty()) {
        found = texts_of(names, "builtin_module_names");
    }
    for (dict_cursor each{PyImport_GetModuleDict()}; found.size() < max_prompt_names && each.next();) {
        if (PyUnicode_CheckExact(each.key)) {
            found.push_back(to_utf8(each.key));
        }
    }
    std::erase_if(found, [&](const std::string& each) { return !each.starts_with(prefix) || !is_one_line(each); });
    facts["members"] = lines_of(found);
    return facts;
}

capability_reply prompt_names(capability_context& context, const prompt_arguments& arguments) {
    const std::string expr = arguments.expr.value_or("");
    const std::string prefix = arguments.prefix.value_or("");
    if (arguments.what == "names") {
        found_names names(prefix);
        names.add_dict(context.session.globals());
        names.add_dict(context.session.python().runtime().builtins());
        return reply_with(std::move(names).facts());
    }
    if (arguments.what == "modules") {
        return reply_with(modules_like(expr, prefix));
    }
    if (arguments.what == "module") {
        found_names names(prefix);
        PyObject* module = loaded_module(expr);
        if (module != nullptr) {
            names.add_members(module);
        }
        json facts = std::move(names).facts();
        facts["loaded"] = module != nullptr;
        return reply_with(std::move(facts));
    }
    return look_at(context, expr, [&](PyObject* object) {
        if (arguments.what == "keys") {
            return keys_of(object);
        }
        if (arguments.what == "call") {
            const call_facts facts = call_facts_of(object);
            return json::object({{"signature", facts.signature},
                                 {"doc", facts.doc},
                                 {"members", lines_of(facts.parameters)},
                                 {"summary", summary_of(object)}});
        }
        found_names names(prefix);
        names.add_members(object);
        return std::move(names).facts();
    });
}

}  // namespace

python_capability prompt_names_capability() {
    python_capability made =
        make_capability("prompt_names", "members", "Lists names for completion at a prompt of the person. Runs no code.", &prompt_names);
    made.declared = false;
    return made;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
