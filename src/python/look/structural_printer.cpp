#include "python/look/structural_printer.hpp"

#include "python/look/adapter.hpp"
#include "python/look/bounded_text.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/static_lookup.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr int max_object_depth = 2;
/// Of one object that an adapter describes.
constexpr std::size_t max_adapted_parts = 1000;
/// Conversion to decimal takes quadratic time, so larger integers are only described.
constexpr std::int64_t max_printed_bits = 2000;
/// The shortest item of a container: one character, a comma and a space.
constexpr std::size_t min_item_text = 3;

class printer {
public:
    explicit printer(const print_options& options) : options_(options), text_(options.max_chars, options.work_budget) {}

    printed run(PyObject* object) {
        if (masks_result(object)) {
            text_.ascii(named_secret_mark);
        } else {
            print(object);
        }
        result_.clipped = text_.clipped();
        result_.truncated = cut_ || result_.clipped;
        result_.original_length = cut_ ? std::nullopt : text_.length();
        result_.text = text_.take();
        return std::move(result_);
    }

private:
    /// A built-in class, whose values are printed like `repr` does.
    struct builtin {
        PyTypeObject* type;
        const char* mark;  ///< stands for a container inside itself or too deep; null for values without items
        void (printer::*print)(PyObject*);
    };

    [[nodiscard]] static const builtin* builtin_of(PyObject* object) {
        static const std::array<builtin, 11> builtins = {{{&PyLong_Type, nullptr, &printer::print_integer},
                                                          {&PyFloat_Type, nullptr, &printer::print_builtin_repr<PyFloat_Type>},
                                                          {&PyComplex_Type, nullptr, &printer::print_builtin_repr<PyComplex_Type>},
                                                          {&PyUnicode_Type, nullptr, &printer::print_string},
                                                          {&PyBytes_Type, nullptr, &printer::print_bytes},
                                                          {&PyByteArray_Type, nullptr, &printer::print_bytes},
                                                          {&PyList_Type, "[...]", &printer::print_container},
                                                          {&PyTuple_Type, "(...)", &printer::print_container},
                                                          {&PyDict_Type, "{...}", &printer::print_container},
                                                          {&PySet_Type, "{...}", &printer::print_container},
                                                          {&PyFrozenSet_Type, "{...}", &printer::print_container}}};
        const auto found =
            std::find_if(builtins.begin(), builtins.end(), [&](const builtin& each) { return PyObject_TypeCheck(object, each.type); });
        return found == builtins.end() ? nullptr : &*found;
    }

    [[nodiscard]] bool done() const { return result_.failed || text_.done(); }

    void print(PyObject* object) {
        if (done()) {
            return;
        }
        if (object == nullptr) {
            return text_.ascii("<NULL>");
        }
        if (object == Py_None || object == Py_Ellipsis || object == Py_NotImplemented || PyBool_Check(object)) {
            return print_repr_of(Py_TYPE(object), object);
        }
        const ref alive = ref::share(object);  // with `run_repr`, code of an object inside may drop the last reference
        const builtin* const kind = builtin_of(object);
        if (kind != nullptr && kind->mark == nullptr && Py_TYPE(object) == kind->type) {
            return print_builtin(*kind, object);
        }
        const bool open = std::find(open_.begin(), open_.end(), object) != open_.end();
        if (open || static_cast<int>(open_.size()) >= options_.max_depth) {
            cut_ = cut_ || !open;
            return text_.utf8(kind != nullptr && kind->mark != nullptr ? kind->mark
                                                                       : "<" + name_of(Py_TYPE(object)).qualified() + " object>");
        }
        open_.push_back(object);
        if (kind != nullptr) {
            print_builtin(*kind, object);
        } else if (!print_code(object) && !print_dict_view(object)) {
            print_object(object);
        }
        open_.pop_back();
    }

    /// Prints a value of a built-in class like `repr`, and one of a subclass as `Class(value)`.
    void print_builtin(const builtin& kind, PyObject* object) {
        if (Py_TYPE(object) == kind.type) {
            return (this->*kind.print)(object);
        }
        if (print_own_repr(object) || print_adapted(object) || print_named_tuple(object)) {
            return;
        }
        text_.utf8(name_of(Py_TYPE(object)).qualified() + "(");
        (this->*kind.print)(object);
        text_.ascii(")");
    }

    /// Prints `repr` of the built-in class, for objects where this is C code that reads nothing else.
    void print_repr_of(PyTypeObject* type, PyObject* object) {
        const ref text = ref::steal(type->tp_repr(object));
        PyErr_Clear();
        text_.utf8(text_or(text.get()));
    }

    template <PyTypeObject& Type>
    void print_builtin_repr(PyObject* object) {
        print_repr_of(&Type, object);
    }

    void print_integer(PyObject* object) {
        int overflow = 0;
        const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
        if (overflow == 0) {
            return text_.ascii(std::to_string(value));
        }
        const ref count_bits = find_in_mro(&PyLong_Type, "bit_length");
        const ref bits = count_bits ? ref::steal(PyObject_CallOneArg(count_bits.get(), object)) : ref();
        const long long width = bits ? PyLong_AsLongLong(bits.get()) : -1;
        PyErr_Clear();
        if (width >= 0 && width <= max_printed_bits) {
            return print_repr_of(&PyLong_Type, object);
        }
        const double digits = std::floor(static_cast<double>(width - 1) * std::log10(2.0));
        std::array<char, 96> text{};
        std::snprintf(text.data(), text.size(), "<int of %lld bits, about %s10**%.0f>", width, overflow < 0 ? "-" : "", digits);
        text_.ascii(text.data());
        cut_ = true;
    }

    /// Prints `size` characters with `append(i, quote)` between the quotes that `repr` uses.
    template <class Append>
    void print_quoted(std::size_t size, bool has_single, bool has_double, Append append) {
        const char quote = has_single && !has_double ? '"' : '\'';
        const std::size_t shown = sampled_items(size);
        text_.expect(shown);
        text_.ascii({&quote, 1});
        for (std::size_t i = 0; i < shown && !done(); ++i) {
            append(i, quote);
        }
        text_.ascii({&quote, 1});
        if (shown < size) {
            cut_ = true;
            text_.ascii("... " + std::to_string(size - shown) + " more");
        }
    }

    void print_string(PyObject* object) {
        const Py_ssize_t size = PyUnicode_GET_LENGTH(object);
        const Py_ssize_t scanned = std::min(size, static_cast<Py_ssize_t>(options_.work_budget));
        const auto has = [&](char c) { return PyUnicode_FindChar(object, static_cast<Py_UCS4>(c), 0, scanned, 1) >= 0; };
        print_quoted(static_cast<std::size_t>(size), has('\''), has('"'), [&](std::size_t i, char quote) {
            const Py_UCS4 c = PyUnicode_READ_CHAR(object, static_cast<Py_ssize_t>(i));
            text_.escaped(c, quote, Py_UNICODE_ISPRINTABLE(c) != 0);
        });
    }

    void print_bytes(PyObject* object) {
        const bool array = PyByteArray_Check(object);
        const std::string_view data(array ? PyByteArray_AS_STRING(object) : PyBytes_AS_STRING(object),
                                    static_cast<std::size_t>(Py_SIZE(object)));
        const auto has = [scanned = data.substr(0, options_.work_budget)](char c) { return scanned.find(c) != std::string_view::npos; };
        text_.ascii(array ? "bytearray(b" : "b");
        print_quoted(data.size(), has('\''), has('"'),
                     [&](std::size_t i, char quote) { text_.escaped(static_cast<unsigned char>(data[i]), quote, false); });
        text_.ascii(array ? ")" : "");
    }

    /// Prints up to `max_items` items of a container with `print_each(i, item)`.
    template <class Each>
    void print_items(PyObject* container, Each print_each) {
        const auto count = static_cast<std::size_t>(size_of(container).value_or(0));
        const std::size_t most = std::min(options_.max_items, sampled_items(count));
        text_.expect(std::min(count, most) * min_item_text);
        item_walk item(container);
        for (std::size_t i = 0; i < count && !done() && item.next(); ++i) {
            text_.ascii(i == 0 ? "" : ", ");
            if (i == most) {
                cut_ = true;
                text_.ascii("... " + std::to_string(count - i) + " more");
                break;
            }
            print_each(i, item);
        }
    }

    void print_container(PyObject* object) {
        const std::int64_t size = size_of(object).value_or(0);
        const bool frozen = PyObject_TypeCheck(object, &PyFrozenSet_Type);
        const auto [opening, closing] = PyList_Check(object)    ? std::pair("[", "]")
                                        : PyTuple_Check(object) ? std::pair("(", size == 1 ? ",)" : ")")
                                        : PyDict_Check(object)  ? std::pair("{", "}")
                                        : size == 0             ? std::pair(frozen ? "frozenset(" : "set(", ")")
                                                                : std::pair(frozen ? "frozenset({" : "{", frozen ? "})" : "}");
        text_.ascii(opening);
        print_items(object, [&](std::size_t, const item_walk& item) {
            if (item.key) {
                print(item.key.get());
                text_.ascii(": ");
            }
            print_named(item.key.get(), item.value.get());
        });
        text_.ascii(closing);
    }

    /// The view of a dict of a built-in class: `dict_items([('a', 1)])`.
    bool print_dict_view(PyObject* object) {
        PyTypeObject* const type = Py_TYPE(object);
        if (type != &PyDictKeys_Type && type != &PyDictValues_Type && type != &PyDictItems_Type) {
            return false;
        }
        PyObject* const dict = dict_of_view(object);
        if (dict == nullptr) {
            return false;
        }
        text_.ascii(std::string(type->tp_name) + "([");
        print_items(dict, [&](std::size_t, const item_walk& item) {
            if (type == &PyDictItems_Type) {
                text_.ascii("(");
            }
            if (type != &PyDictValues_Type) {
                print(item.key.get());
            }
            if (type == &PyDictItems_Type) {
                text_.ascii(", ");
            }
            if (type != &PyDictKeys_Type) {
                print_named(item.key.get(), item.value.get());
            }
            if (type == &PyDictItems_Type) {
                text_.ascii(")");
            }
        });
        text_.ascii("])");
        return true;
    }

    bool print_named_tuple(PyObject* object) {
        if (!PyTuple_Check(object)) {
            return false;
        }
        const ref fields = find_in_mro(Py_TYPE(object), "_fields");
        if (!fields || !PyTuple_CheckExact(fields.get()) || PyTuple_GET_SIZE(fields.get()) != PyTuple_GET_SIZE(object)) {
            return false;
        }
        text_.utf8(name_of(Py_TYPE(object)).qualified() + "(");
        print_items(object, [&](std::size_t i, const item_walk& item) {
            print_attribute(PyTuple_GET_ITEM(fields.get(), static_cast<Py_ssize_t>(i)), item.value.get());
        });
        text_.ascii(")");
        return true;
    }

    void print_attribute(PyObject* name, PyObject* value) {
        text_.utf8(name_text(name) + "=");
        print_named(name, value);
    }

    /// Prints a value that was found under a name or key.
    void print_named(PyObject* name, PyObject* value) { masks_value(name, value) ? text_.ascii(named_secret_mark) : print(value); }

    /// Functions, classes, modules and ranges.
    bool print_code(PyObject* object) {
        PyTypeObject* type = Py_TYPE(object);
        if (PyType_Check(object)) {
            const type_name name = name_of(reinterpret_cast<PyTypeObject*>(object));
            text_.utf8("<class '" + (name.module == "builtins" || name.module == "?" ? name.name : name.module + "." + name.name) + "'>");
        } else if (type == &PyFunction_Type || type == &PyMethod_Type) {
            text_.utf8((type == &PyMethod_Type ? "<bound method " : "<function ") + signature_of(object) + ">");
        } else if (type == &PyCFunction_Type) {
            text_.utf8(std::string("<built-in function ") + reinterpret_cast<PyCFunctionObject*>(object)->m_ml->ml_name + ">");
        } else if (PyModule_Check(object)) {
            text_.utf8("<module '" + name_text(find_name(PyModule_GetDict(object), "__name__")) + "'>");
        } else if (type == &PyRange_Type) {
            text_.ascii("range(");
            print(builtin_member(&PyRange_Type, object, "start").get());
            text_.ascii(", ");
            print(builtin_member(&PyRange_Type, object, "stop").get());
            const ref step = builtin_member(&PyRange_Type, object, "step");
            if (!step || !PyLong_Check(step.get()) || PyLong_AsLong(step.get()) != 1) {
                PyErr_Clear();
                text_.ascii(", ");
                print(step.get());
            }
            text_.ascii(")");
        } else {
            return false;
        }
        return true;
    }

    /// Prints the object's own `repr`. Returns false without `run_repr`, and if `repr` raised an `Exception`.
    bool print_own_repr(PyObject* object) {
        result_.met_objects = true;
        if (!options_.run_repr) {
            return false;
        }
        const ref text = ref::steal(PyObject_Repr(object));
        if (text) {
            text_.utf8(pyaichat::detail::utf8_prefix(to_utf8(text.get()), 4 * options_.work_budget));
            return true;
        }
        result_.failed = PyErr_ExceptionMatches(PyExc_Exception) == 0;
        if (!result_.failed) {
            PyErr_Clear();
        }
        return result_.failed;
    }

    /// Prints the text of an adapter, and the values in it.
    bool print_adapted(PyObject* object) {
        const adapter* known = find_adapter(object);
        if (known == nullptr || known->text == nullptr) {
            return false;
        }
        const adapted_text text = known->text(object, std::min(options_.max_items, max_adapted_parts));
        text_.utf8(text.head);
        for (std::size_t i = 0; i < text.parts.size(); ++i) {
            text_.utf8((i == 0 ? "" : ", ") + text.parts[i].label);
            if (text.parts[i].value) {
                print(text.parts[i].value.get());
            }
        }
        if (text.left_out > 0) {
            cut_ = true;
            text_.ascii((text.parts.empty() ? "... " : ", ... ") + std::to_string(text.left_out) + " more");
        }
        text_.utf8(text.tail);
        return true;
    }

    void print_object(PyObject* object) {
        if (print_own_repr(object) || print_adapted(object)) {
            return;
        }
        PyTypeObject* type = Py_TYPE(object);
        if (PyExceptionInstance_Check(object)) {
            text_.utf8(name_of(type).qualified());
            return print(builtin_member(reinterpret_cast<PyTypeObject*>(PyExc_BaseException), object, "args").get());
        }
        text_.utf8("<" + name_of(type).qualified() + " object");
        if (++object_depth_ <= max_object_depth) {
            print_attributes(object);
        }
        --object_depth_;
        text_.ascii(">");
    }

    void print_attributes(PyObject* object) {
        std::size_t shown = 0;
        std::size_t total = 0;
        const auto show = [&](PyObject* name, PyObject* value) {
            if (++total <= options_.max_attributes && !done()) {
                text_.ascii(shown++ == 0 ? " with " : ", ");
                print_attribute(name, value);
            }
        };
        const ref own = instance_dict(object);
        for (dict_cursor each{own.get()}; total <= options_.max_attributes && each.next();) {
            if (!hides_name(each.key)) {
                show(each.key, each.value);
            }
        }
        total = static_cast<std::size_t>(own ? size_of(own.get()).value_or(0) : 0);
        for (const ref& name : slots_of(Py_TYPE(object))) {
            if (const lookup value = static_attribute(object, name.get()); value.found()) {
                show(name.get(), value.value.get());
            }
        }
        if (total > options_.max_attributes) {
            cut_ = true;
            text_.ascii(", ... " + std::to_string(total - shown) + " more");
        }
    }

    /// The names of the slots of a class. They are searched once for each class: a value may have many objects of a large class.
    const std::vector<ref>& slots_of(PyTypeObject* type) {
        const auto [known, is_new] = slots_.try_emplace(type);
        if (is_new) {
            for (const class_namespace& each : namespaces_of(type)) {
                const bool may_have_slots = (reinterpret_cast<PyTypeObject*>(each.owner.get())->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0;
                for (dict_cursor entry{may_have_slots ? each.names.get() : nullptr}; entry.next();) {
                    if (Py_TYPE(entry.value) == &PyMemberDescr_Type && PyUnicode_CheckExact(entry.key)) {
                        known->second.push_back(ref::share(entry.key));
                    }
                }
            }
        }
        return known->second;
    }

    std::map<PyTypeObject*, std::vector<ref>> slots_;
    print_options options_;
    printed result_;
    bounded_text text_;
    bool cut_ = false;
    int object_depth_ = 0;
    std::vector<PyObject*> open_;
};

}  // namespace

printed print_structure(PyObject* object, const print_options& options) {
    return printer(options).run(object);
}

std::string short_text(PyObject* object, std::size_t max_chars) {
    const printed text = print_structure(object, {.max_chars = max_chars, .work_budget = max_chars});
    return text.clipped ? text.text + "..." : text.text;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
