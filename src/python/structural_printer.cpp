#include "python/structural_printer.hpp"

#include "python/bounded_text.hpp"
#include "python/object_facts.hpp"
#include "python/static_lookup.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr int max_object_depth = 2;
/// Conversion to decimal takes quadratic time, so larger integers are only described.
constexpr std::int64_t max_printed_bits = 2000;
/// The shortest item of a container: one character, a comma and a space.
constexpr std::size_t min_item_text = 3;

class printer {
public:
    explicit printer(const print_options& options) : options_(options), text_(options.max_chars, options.work_budget) {}

    printed run(PyObject* object) {
        print(object);
        result_.clipped = text_.clipped();
        result_.truncated = cut_ || result_.clipped;
        result_.original_length = cut_ ? std::nullopt : text_.length();
        result_.text = text_.take();
        return std::move(result_);
    }

private:
    [[nodiscard]] bool done() const { return result_.failed || text_.done(); }

    void print(PyObject* object) {
        if (done()) {
            return;
        }
        if (object == nullptr) {
            return text_.ascii("<NULL>");
        }
        if (print_scalar(object)) {
            return;
        }
        const bool open = std::find(open_.begin(), open_.end(), object) != open_.end();
        if (open || static_cast<int>(open_.size()) >= options_.max_depth) {
            cut_ = cut_ || !open;
            const char* mark = PyList_Check(object) ? "[...]" : PyDict_Check(object) || PyAnySet_Check(object) ? "{...}" : "(...)";
            return is_container(object) ? text_.ascii(mark) : text_.utf8("<" + name_of(Py_TYPE(object)).qualified() + " object>");
        }
        open_.push_back(object);
        if (!print_container(object) && !print_code(object)) {
            print_object(object);
        }
        open_.pop_back();
    }

    static bool is_container(PyObject* object) {
        return PyList_Check(object) || PyTuple_Check(object) || PyDict_Check(object) || PyAnySet_Check(object);
    }

    bool print_scalar(PyObject* object) {
        if (object == Py_None || object == Py_Ellipsis || object == Py_NotImplemented || PyBool_Check(object)) {
            text_.ascii(object == Py_None       ? "None"
                        : object == Py_Ellipsis ? "Ellipsis"
                        : object == Py_True     ? "True"
                        : object == Py_False    ? "False"
                                                : "NotImplemented");
            return true;
        }
        const bool number = PyLong_Check(object) || PyFloat_Check(object) || PyComplex_Check(object);
        const bool text = PyUnicode_Check(object) || PyBytes_Check(object) || PyByteArray_Check(object);
        if (!number && !text) {
            return false;
        }
        const bool exact = PyLong_CheckExact(object) || PyFloat_CheckExact(object) || PyComplex_CheckExact(object) ||
                           PyUnicode_CheckExact(object) || PyBytes_CheckExact(object) || PyByteArray_CheckExact(object);
        if (!exact) {
            if (print_own_repr(object)) {
                return true;
            }
            text_.utf8(name_of(Py_TYPE(object)).qualified());
            text_.ascii("(");
        }
        if (PyLong_Check(object)) {
            print_integer(object);
        } else if (PyFloat_Check(object)) {
            print_float(PyFloat_AS_DOUBLE(object));
        } else if (PyComplex_Check(object)) {
            print_builtin_repr(&PyComplex_Type, object);
        } else if (PyUnicode_Check(object)) {
            print_string(object);
        } else if (PyBytes_Check(object)) {
            print_bytes({PyBytes_AS_STRING(object), static_cast<std::size_t>(PyBytes_GET_SIZE(object))});
        } else {
            text_.ascii("bytearray(");
            print_bytes({PyByteArray_AS_STRING(object), static_cast<std::size_t>(PyByteArray_GET_SIZE(object))});
            text_.ascii(")");
        }
        if (!exact) {
            text_.ascii(")");
        }
        return true;
    }

    /// Prints `repr` of the built-in class, for objects where this is C code that reads nothing else.
    void print_builtin_repr(PyTypeObject* type, PyObject* object) {
        const ref text = ref::steal(type->tp_repr(object));
        PyErr_Clear();
        text_.utf8(text ? to_utf8(text.get()) : "?");
    }

    void print_integer(PyObject* object) {
        int overflow = 0;
        const long long small = PyLong_AsLongLongAndOverflow(object, &overflow);
        if (overflow == 0) {
            return text_.ascii(std::to_string(small));
        }
        const ref count_bits = find_in_mro(&PyLong_Type, "bit_length");
        const ref bits = count_bits ? ref::steal(PyObject_CallOneArg(count_bits.get(), object)) : ref();
        const long long width = bits ? PyLong_AsLongLong(bits.get()) : -1;
        PyErr_Clear();
        if (width >= 0 && width <= max_printed_bits) {
            return print_builtin_repr(&PyLong_Type, object);
        }
        const double digits = std::floor(static_cast<double>(width - 1) * std::log10(2.0));
        std::array<char, 96> text{};
        std::snprintf(text.data(), text.size(), "<int of %lld bits, about %s10**%.0f>", width, overflow < 0 ? "-" : "", digits);
        text_.ascii(text.data());
        cut_ = true;
    }

    void print_float(double value) {
        char* text = PyOS_double_to_string(value, 'r', 0, Py_DTSF_ADD_DOT_0, nullptr);
        text_.ascii(text != nullptr ? text : "?");
        PyMem_Free(text);
        PyErr_Clear();
    }

    void print_string(PyObject* object) {
        const Py_ssize_t size = PyUnicode_GET_LENGTH(object);
        const Py_ssize_t scanned = std::min(size, static_cast<Py_ssize_t>(options_.work_budget));
        text_.expect(static_cast<std::size_t>(size));
        bool has_single = false;
        bool has_double = false;
        for (Py_ssize_t i = 0; i < scanned; ++i) {
            has_single = has_single || PyUnicode_READ_CHAR(object, i) == '\'';
            has_double = has_double || PyUnicode_READ_CHAR(object, i) == '"';
        }
        const char quote = has_single && !has_double ? '"' : '\'';
        text_.ascii({&quote, 1});
        for (Py_ssize_t i = 0; i < size && !done(); ++i) {
            const Py_UCS4 c = PyUnicode_READ_CHAR(object, i);
            text_.escaped(c, quote, Py_UNICODE_ISPRINTABLE(c) != 0);
        }
        text_.ascii({&quote, 1});
    }

    void print_bytes(std::string_view data) {
        text_.expect(data.size());
        const std::string_view scanned = data.substr(0, options_.work_budget);
        const bool has_single = scanned.find('\'') != std::string_view::npos;
        const char quote = has_single && scanned.find('"') == std::string_view::npos ? '"' : '\'';
        text_.ascii("b");
        text_.ascii({&quote, 1});
        for (std::size_t i = 0; i < data.size() && !done(); ++i) {
            text_.escaped_byte(static_cast<unsigned char>(data[i]), quote);
        }
        text_.ascii({&quote, 1});
    }

    /// Prints up to `max_items` of `count` items with `print_each(i)`.
    template <class Each>
    void print_items(Py_ssize_t count, Each print_each) {
        text_.expect(static_cast<std::size_t>(count) * min_item_text);
        for (Py_ssize_t i = 0; i < count && !done(); ++i) {
            text_.ascii(i == 0 ? "" : ", ");
            if (static_cast<std::size_t>(i) == options_.max_items) {
                cut_ = true;
                text_.ascii("... " + std::to_string(count - i) + " more");
                break;
            }
            print_each(i);
        }
    }

    bool print_container(PyObject* object) {
        if (!is_container(object)) {
            return false;
        }
        const bool exact =
            PyList_CheckExact(object) || PyTuple_CheckExact(object) || PyDict_CheckExact(object) || PyAnySet_CheckExact(object);
        if (!exact && (print_own_repr(object) || print_named_tuple(object))) {
            return true;
        }
        if (!exact) {
            text_.utf8(name_of(Py_TYPE(object)).qualified());
            text_.ascii("(");
        }
        if (PyList_Check(object)) {
            text_.ascii("[");
            print_items(PyList_GET_SIZE(object), [&](Py_ssize_t i) { print(PyList_GET_ITEM(object, i)); });
            text_.ascii("]");
        } else if (PyTuple_Check(object)) {
            text_.ascii("(");
            print_items(PyTuple_GET_SIZE(object), [&](Py_ssize_t i) { print(PyTuple_GET_ITEM(object, i)); });
            text_.ascii(PyTuple_GET_SIZE(object) == 1 ? ",)" : ")");
        } else if (PyDict_Check(object)) {
            text_.ascii("{");
            Py_ssize_t position = 0;
            print_items(PyDict_GET_SIZE(object), [&](Py_ssize_t) {
                PyObject* key = nullptr;
                PyObject* value = nullptr;
                if (PyDict_Next(object, &position, &key, &value) != 0) {
                    print(key);
                    text_.ascii(": ");
                    print(value);
                }
            });
            text_.ascii("}");
        } else {
            print_set(object);
        }
        if (!exact) {
            text_.ascii(")");
        }
        return true;
    }

    void print_set(PyObject* object) {
        const bool frozen = PyObject_TypeCheck(object, &PyFrozenSet_Type);
        const Py_ssize_t size = PySet_GET_SIZE(object);
        if (size == 0) {
            return text_.ascii(frozen ? "frozenset()" : "set()");
        }
        const ref items = ref::steal((frozen ? PyFrozenSet_Type : PySet_Type).tp_iter(object));  // C code
        text_.ascii(frozen ? "frozenset({" : "{");
        print_items(size, [&](Py_ssize_t) {
            const ref each = items ? ref::steal(Py_TYPE(items.get())->tp_iternext(items.get())) : ref();
            print(each.get());
        });
        text_.ascii(frozen ? "})" : "}");
        PyErr_Clear();
    }

    bool print_named_tuple(PyObject* object) {
        if (!PyTuple_Check(object)) {
            return false;
        }
        const ref fields = find_in_mro(Py_TYPE(object), "_fields");
        if (!fields || !PyTuple_CheckExact(fields.get()) || PyTuple_GET_SIZE(fields.get()) != PyTuple_GET_SIZE(object)) {
            return false;
        }
        text_.utf8(name_of(Py_TYPE(object)).qualified());
        text_.ascii("(");
        print_items(PyTuple_GET_SIZE(object),
                    [&](Py_ssize_t i) { print_attribute(PyTuple_GET_ITEM(fields.get(), i), PyTuple_GET_ITEM(object, i)); });
        text_.ascii(")");
        return true;
    }

    void print_attribute(PyObject* name, PyObject* value) {
        text_.utf8(PyUnicode_Check(name) ? to_utf8(name) : "?");
        text_.ascii("=");
        print(value);
    }

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
            const ref key = ref::steal(PyUnicode_FromString("__name__"));
            PyObject* name = key ? find_name(PyModule_GetDict(object), key.get()) : nullptr;
            text_.utf8("<module '" + (name != nullptr && PyUnicode_Check(name) ? to_utf8(name) : "?") + "'>");
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
        const ref alive = ref::share(object);  // its code may drop the last reference
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

    void print_object(PyObject* object) {
        if (print_own_repr(object)) {
            return;
        }
        PyTypeObject* type = Py_TYPE(object);
        if (PyExceptionInstance_Check(object)) {
            text_.utf8(name_of(type).qualified());
            return print(builtin_member(reinterpret_cast<PyTypeObject*>(PyExc_BaseException), object, "args").get());
        }
        const bool is_static = (type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0;
        const std::string_view static_name = is_static ? type->tp_name : "";
        if (static_name == "datetime.date" || static_name == "datetime.timedelta") {
            return print_builtin_repr(type, object);
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
        Py_ssize_t position = 0;
        PyObject* name = nullptr;
        PyObject* value = nullptr;
        while (own && total <= options_.max_attributes && PyDict_Next(own.get(), &position, &name, &value) != 0) {
            show(name, value);
        }
        const std::size_t own_size = own ? static_cast<std::size_t>(PyDict_GET_SIZE(own.get())) : 0;
        total = own_size;
        print_slots(object, show);
        if (total > options_.max_attributes) {
            cut_ = true;
            text_.ascii(", ... " + std::to_string(total - shown) + " more");
        }
    }

    template <class Show>
    void print_slots(PyObject* object, Show show) {
        PyObject* mro = Py_TYPE(object)->tp_mro;
        for (Py_ssize_t i = 0; mro != nullptr && i < PyTuple_GET_SIZE(mro); ++i) {
            auto* type = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(mro, i));
            if (!PyType_Check(type) || (type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) {
                continue;
            }
            const ref names = type_dict(type);
            Py_ssize_t position = 0;
            PyObject* name = nullptr;
            PyObject* entry = nullptr;
            while (PyDict_Next(names.get(), &position, &name, &entry) != 0) {
                if (Py_TYPE(entry) == &PyMemberDescr_Type && PyUnicode_CheckExact(name)) {
                    if (const lookup value = static_attribute(object, name); value.found()) {
                        show(name, value.value.get());
                    }
                }
            }
        }
    }

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
