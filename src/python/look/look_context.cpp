#include "python/look/look_context.hpp"

#include "python/look/object_facts.hpp"
#include "python/look/static_lookup.hpp"
#include "python/look/structural_printer.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <bit>
#include <initializer_list>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr int max_weighed_depth = 32;
constexpr std::size_t max_message_at = 80;
constexpr std::size_t max_exception_message = 1000;
/// Containers below this size are weighed again each time; larger ones are remembered.
constexpr std::size_t min_remembered_weight = 16;
constexpr std::size_t bytes_per_step = 64;

bool is_one_of(PyObject* value, std::initializer_list<PyTypeObject*> types) {
    return std::find(types.begin(), types.end(), Py_TYPE(value)) != types.end();
}

/// `str` of an exception of a built-in class with plain arguments.
std::string message_of(PyObject* error) {
    PyTypeObject* type = Py_TYPE(error);
    if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0 || type->tp_str == nullptr) {
        return {};
    }
    const ref text = ref::steal(type->tp_str(error));
    PyErr_Clear();
    return text_or(text.get(), "");
}

}  // namespace

bool is_exact_integer(PyObject* value) {
    return PyLong_CheckExact(value) || PyBool_Check(value);
}

bool is_exact_number(PyObject* value) {
    return is_exact_integer(value) || PyFloat_CheckExact(value) || PyComplex_CheckExact(value);
}

bool is_exact_bytes(PyObject* value) {
    return PyBytes_CheckExact(value) || PyByteArray_CheckExact(value);
}

bool is_exact_set(PyObject* value) {
    return is_one_of(value, {&PySet_Type, &PyFrozenSet_Type});
}

bool is_dict_view(PyObject* value) {
    return is_one_of(value, {&PyDictKeys_Type, &PyDictValues_Type, &PyDictItems_Type});
}

bool is_exact_value(PyObject* value) {
    return value == Py_None || value == Py_Ellipsis || is_exact_number(value) || is_exact_bytes(value) || is_exact_set(value) ||
           is_dict_view(value) ||
           is_one_of(value, {&PyUnicode_Type, &PyList_Type, &PyTuple_Type, &PyDict_Type, &PyRange_Type, &PySlice_Type});
}

std::size_t bits_of(PyObject* integer) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    if (overflow == 0) {
        return static_cast<std::size_t>(
            std::bit_width(value < 0 ? 0 - static_cast<unsigned long long>(value) : static_cast<unsigned long long>(value)));
    }
    const ref count_bits = find_in_mro(&PyLong_Type, "bit_length");
    const ref bits = count_bits ? ref::steal(PyObject_CallOneArg(count_bits.get(), integer)) : ref();
    const std::size_t count = bits ? PyLong_AsSize_t(bits.get()) : SIZE_MAX;
    PyErr_Clear();
    return count;
}

bool has_large_integers(PyObject* range) {
    for (const char* part : {"start", "stop", "step"}) {
        const ref number = builtin_member(&PyRange_Type, range, part);
        if (!number || bits_of(number.get()) > max_look_bits) {
            return true;
        }
    }
    return false;
}

capability_reply python_exception_reply(std::string exc_type, std::string message, json details) {
    details["exc_type"] = exc_type;
    details["message"] = message;
    return reply_error(reply_code::python_exception, exc_type + ": " + message, std::move(details));
}

ref look_context::refuse(std::string why) {
    PyErr_Clear();
    if (!failure_) {
        failure_ = reply_error(reply_code::not_allowed,
                               "`" + pyaichat::detail::one_line(at, max_message_at) + "` needs tier 2, a copy of the process: " + why +
                                   ". Use eval_expr to run it",
                               json::object({{"at", std::string(at)}, {"needed_tier", 2}, {"why", why}}));
    }
    return {};
}

ref look_context::too_much(std::string_view what) {
    return refuse("there is too much to do for a look: " + std::string(what));
}

ref look_context::raise(std::string exc_type, std::string message, const std::vector<std::string>& nearest) {
    PyErr_Clear();
    if (!failure_) {
        json details = json::object({{"at", std::string(at)}});
        if (!nearest.empty() || exc_type == "NameError" || exc_type == "AttributeError") {
            details["nearest"] = nearest;
        }
        for (std::size_t i = 0; i < nearest.size(); ++i) {
            message += (i == 0 ? "; did you mean: " : ", ") + nearest[i];
        }
        failure_ = python_exception_reply(std::move(exc_type), std::move(message), std::move(details));
    }
    return {};
}

ref look_context::raise_current() {
    const ref error = take_exception();
    if (!error || Py_TYPE(error.get()) == reinterpret_cast<PyTypeObject*>(PyExc_MemoryError)) {
        return too_much("Python has no memory for it");
    }
    if (!PyObject_TypeCheck(error.get(), reinterpret_cast<PyTypeObject*>(PyExc_Exception))) {
        return refuse("it was interrupted");  // Ctrl-C
    }
    return raise(name_of(Py_TYPE(error.get())).name,
                 std::string(pyaichat::detail::utf8_prefix(message_of(error.get()), max_exception_message)));
}

bool look_context::spend(std::size_t steps) {
    if (!failed() && !budget_->spend(steps)) {
        too_much(budget_->timed_out() ? "it takes too long" : "it takes too many steps");
    }
    return !failed();
}

bool look_context::fits_items(std::size_t items) {
    if (!failed() && (items > max_look_items || !budget_->allocate(items * sizeof(PyObject*)))) {
        too_much(items > max_look_items ? "a result has more than " + std::to_string(max_look_items) + " items"
                                        : "the results need too much memory");
    }
    return spend(1 + items / 8);
}

bool look_context::fits_text(std::size_t size) {
    if (!failed() && (size > max_look_text || !budget_->allocate(size))) {
        too_much(size > max_look_text ? "a text or bytes result is longer than " + std::to_string(max_look_text)
                                      : "the results need too much memory");
    }
    return spend(1 + size / bytes_per_step);
}

std::optional<std::size_t> look_context::weight_of_items(PyObject* container, int depth) {
    constexpr std::size_t most = 1U << 30;  // shared items count each time, so a sum could overflow
    std::size_t total = 1;
    const auto add = [&](PyObject* item) {
        const std::optional<std::size_t> weight = item != nullptr ? weight_of(item, depth) : std::optional<std::size_t>(0);
        total = std::min(total + weight.value_or(0), most);
        return weight.has_value();
    };
    if (is_dict_view(container)) {
        const ref iterator = ref::steal(Py_TYPE(container)->tp_iter(container));
        for (ref item = iterator; item;) {
            item = ref::steal(Py_TYPE(iterator.get())->tp_iternext(iterator.get()));
            if (item && !add(item.get())) {
                return std::nullopt;
            }
        }
        PyErr_Clear();
        return total;
    }
    for (item_walk each(container); each.next();) {
        if (!add(each.key.get()) || !add(each.value.get())) {
            return std::nullopt;
        }
    }
    return total;
}

std::optional<std::size_t> look_context::weight_of(PyObject* value, int depth) {
    if (!spend(1)) {
        return std::nullopt;
    }
    if (PyUnicode_CheckExact(value)) {
        return 1 + static_cast<std::size_t>(PyUnicode_GET_LENGTH(value)) / bytes_per_step;
    }
    if (is_exact_bytes(value) && !bytes_comparisons_warn()) {
        return 1 + static_cast<std::size_t>(Py_SIZE(value)) / bytes_per_step;
    }
    if (PyLong_CheckExact(value)) {
        int overflow = 0;
        static_cast<void>(PyLong_AsLongLongAndOverflow(value, &overflow));
        return overflow == 0 ? 1 : 1 + bits_of(value) / (8 * bytes_per_step);
    }
    if (value == Py_None || value == Py_Ellipsis || is_exact_number(value) || PyRange_Check(value)) {
        return 1;
    }
    if (PySlice_Check(value)) {
        const auto* parts = reinterpret_cast<PySliceObject*>(value);
        for (PyObject* each : {parts->start, parts->stop, parts->step}) {
            if (each != Py_None && !is_exact_integer(each)) {
                obstacle_ = "a slice of " + name_of(Py_TYPE(each)).qualified();
                return std::nullopt;
            }
        }
        return 1;
    }
    const bool container = is_exact_set(value) || is_one_of(value, {&PyList_Type, &PyTuple_Type, &PyDict_Type});
    if (!container && !is_dict_view(value)) {
        obstacle_ = "an object of the type " + name_of(Py_TYPE(value)).qualified();
        return std::nullopt;
    }
    if (depth >= max_weighed_depth) {
        obstacle_ = "values that are nested too deeply";
        return std::nullopt;
    }
    if (const auto known = weights_.find(value); known != weights_.end()) {
        return known->second.weight;
    }
    const std::optional<std::size_t> weight = weight_of_items(value, depth + 1);
    if (weight && *weight >= min_remembered_weight) {
        weights_.emplace(value, weighed{ref::share(value), *weight});
    }
    return weight;
}

std::optional<std::size_t> look_context::weigh(PyObject* value) {
    const std::optional<std::size_t> weight = weight_of(value, 0);
    if (!weight && !failed()) {
        refuse("it involves " + obstacle_ + ", whose own code could run");
    }
    return weight;
}

bool look_context::has_plain_keys(PyObject* dict) {
    if (const auto known = plain_keys_.find(dict); known != plain_keys_.end()) {
        return known->second.second;
    }
    bool plain = true;
    for (dict_cursor each{dict}; plain && each.next();) {
        plain = weight_of(each.key, 0).has_value();
    }
    if (!failed()) {
        plain_keys_.emplace(dict, std::pair(ref::share(dict), plain));
    }
    return plain;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
