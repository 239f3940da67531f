#include "python/look/operators.hpp"

#include "python/look/object_facts.hpp"
#include "python/look/static_lookup.hpp"
#include "python/look/text_format.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// The largest operands of `pow` with a modulus, which takes cubic time.
constexpr std::size_t max_modular_bits = 1024;

bool is_sequence(PyObject* value) {
    return PyUnicode_CheckExact(value) || PyList_CheckExact(value) || PyTuple_CheckExact(value) || is_exact_bytes(value);
}

/// Takes a sequence of `size` items of the kind of `like` from the budget.
bool fits_sequence(look_context& context, PyObject* like, std::size_t size) {
    return PyList_CheckExact(like) || PyTuple_CheckExact(like) ? context.fits_items(size) : context.fits_text(size);
}

/// Checks the integers among the operands, and takes the work of an operation on them from the budget.
bool fits_integers(look_context& context, PyObject* left, PyObject* right, bool quadratic) {
    const std::size_t bits_left = is_exact_integer(left) ? bits_of(left) : 1;
    const std::size_t bits_right = is_exact_integer(right) ? bits_of(right) : 1;
    if (std::max(bits_left, bits_right) > max_look_bits) {
        context.too_much("an integer has more than " + std::to_string(max_look_bits) + " bits");
        return false;
    }
    constexpr std::size_t bits_per_digit = 30;
    constexpr std::size_t digits_per_step = 8;
    const std::size_t digits_left = bits_left / bits_per_digit;
    const std::size_t digits_right = bits_right / bits_per_digit;
    return context.spend((quadratic ? digits_left * digits_right : digits_left + digits_right) / digits_per_step + 1);
}

bool fits_bits(look_context& context, std::size_t bits) {
    if (bits > max_look_bits) {
        context.too_much("the result has more than " + std::to_string(max_look_bits) + " bits");
        return false;
    }
    return true;
}

/// An int as a count; `SIZE_MAX` if it is too large, 0 if it is negative.
std::size_t count_of(PyObject* integer) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    return overflow > 0 ? SIZE_MAX : overflow < 0 || value < 0 ? 0 : static_cast<std::size_t>(value);
}

ref add(look_context& context, PyObject* left, PyObject* right) {
    const bool joined = is_sequence(left) && is_sequence(right);
    const auto size = [](PyObject* value) { return static_cast<std::size_t>(size_of(value).value_or(0)); };
    if (joined ? !fits_sequence(context, left, size(left) + size(right)) : !fits_integers(context, left, right, false)) {
        return {};
    }
    return context.checked(ref::steal(PyNumber_Add(left, right)));
}

ref multiply(look_context& context, PyObject* left, PyObject* right) {
    PyObject* const sequence = is_sequence(left) ? left : is_sequence(right) ? right : nullptr;
    PyObject* const factor = sequence == left ? right : left;
    if (sequence != nullptr && is_exact_integer(factor)) {
        const std::size_t count = count_of(factor);
        const auto size = static_cast<std::size_t>(size_of(sequence).value_or(0));
        const bool overflows = size > 0 && count > SIZE_MAX / 16 / size;
        if (!fits_sequence(context, sequence, overflows ? SIZE_MAX / 16 : size * count)) {
            return {};
        }
    } else if (is_exact_integer(left) && is_exact_integer(right)) {
        if (!fits_integers(context, left, right, true) || !fits_bits(context, bits_of(left) + bits_of(right))) {
            return {};
        }
    } else if (!fits_integers(context, left, right, false)) {
        return {};
    }
    return context.checked(ref::steal(PyNumber_Multiply(left, right)));
}

ref shift_left(look_context& context, PyObject* left, PyObject* right) {
    if (is_exact_integer(left) && is_exact_integer(right)) {
        const std::size_t bits = bits_of(left);
        const std::size_t by = count_of(right);
        if (bits > 0 && !fits_bits(context, by > max_look_bits ? by : bits + by)) {
            return {};
        }
    }
    return context.checked(ref::steal(PyNumber_Lshift(left, right)));
}

/// `-`, `&`, `|`, `^` of sets, dicts and views.
bool fits_algebra(look_context& context, operation operation, PyObject* left, PyObject* right) {
    const auto is_collection = [](PyObject* value) { return is_exact_set(value) || is_dict_view(value) || PyDict_CheckExact(value); };
    if (!is_collection(left) && !is_collection(right)) {
        return fits_integers(context, left, right, false);
    }
    std::size_t work = 0;
    for (PyObject* each : {left, right}) {
        if (is_dict_view(each)) {  // a view iterates the other side, whatever it is
            PyObject* const other = each == left ? right : left;
            if (!is_collection(other) && !PyList_CheckExact(other) && !PyTuple_CheckExact(other)) {
                context.refuse("only sets, dicts, lists and tuples are combined with a view");
                return false;
            }
        }
        if (PyDict_CheckExact(each) && operation == operation::bit_or) {
            if (!context.has_plain_keys(each)) {
                context.refuse("a dict has keys with code of their own");
                return false;
            }
            work += static_cast<std::size_t>(PyDict_GET_SIZE(each));
        } else {
            const std::optional<std::size_t> weight = context.weigh(each);
            work += weight.value_or(0);
        }
    }
    return !context.failed() && context.fits_items(std::min(work, max_look_items)) && context.spend(work);
}

/// By the slot that Python calls, and not by who has an `__eq__`: when Python starts a second time in a process, `type` has one of its own
/// that is object's.
bool has_identity_only(PyObject* value) {
    return !is_exact_value(value) && Py_TYPE(value)->tp_richcompare == PyBaseObject_Type.tp_richcompare;
}

std::optional<bool> as_bool(look_context& context, int result) {
    if (result < 0) {
        context.raise_current();
        return std::nullopt;
    }
    return result > 0;
}

std::optional<bool> compare(look_context& context, operation operation, PyObject* left, PyObject* right) {
    const bool equality = operation == operation::equal || operation == operation::not_equal;
    if (equality && (has_identity_only(left) || has_identity_only(right))) {
        // Neither side has code for the comparison: Python compares the identities. (Bytes may ask the other side for its buffer.)
        const auto ends_in_identity = [](PyObject* value) {
            return has_identity_only(value) || (is_exact_value(value) && !is_exact_bytes(value));
        };
        if (ends_in_identity(left) && ends_in_identity(right)) {
            return (left == right) == (operation == operation::equal);
        }
    }
    if (!needs_exact(context, left) || !needs_exact(context, right)) {
        return std::nullopt;
    }
    const std::optional<std::size_t> weight_left = context.weigh(left);
    const std::optional<std::size_t> weight_right = weight_left ? context.weigh(right) : std::nullopt;
    if (!weight_right || !context.spend(std::min(*weight_left, *weight_right))) {
        return std::nullopt;
    }
    const int python_operation = operation == operation::less         ? Py_LT
                                 : operation == operation::less_equal ? Py_LE
                                 : operation == operation::equal      ? Py_EQ
                                 : operation == operation::not_equal  ? Py_NE
                                 : operation == operation::greater    ? Py_GT
                                                                      : Py_GE;
    const ref result = context.checked(ref::steal(PyObject_RichCompare(left, right, python_operation)));
    return result ? std::optional(result.get() == Py_True) : std::nullopt;
}

std::optional<bool> contains(look_context& context, PyObject* container, PyObject* item) {
    if (!needs_exact(context, container) || !needs_exact(context, item)) {
        return std::nullopt;
    }
    if (PyRange_Check(container)) {
        if (!is_exact_integer(item)) {
            context.refuse("only integers are searched in a range");
            return std::nullopt;
        }
        if (!fits_integers(context, item, item, false)) {
            return std::nullopt;
        }
        return as_bool(context, PySequence_Contains(container, item));
    }
    std::size_t work = 1;
    if (hides_name(item) && (PyDict_CheckExact(container) || is_dict_view(container))) {
        return false;
    }
    if (PyDict_CheckExact(container)) {
        if (!context.has_plain_keys(container)) {
            context.refuse("the dict has keys with code of their own");
            return std::nullopt;
        }
    } else {
        const std::optional<std::size_t> weight = context.weigh(container);
        const bool by_hash = is_exact_set(container) || Py_TYPE(container) == &PyDictKeys_Type;
        work = by_hash ? 1 : weight.value_or(0);
    }
    const std::optional<std::size_t> weight = context.weigh(item);
    if (!weight || !context.spend(work + *weight)) {
        return std::nullopt;
    }
    return as_bool(context, PySequence_Contains(container, item));
}

}  // namespace

bool has_builtin_length(PyObject* value) {
    PyTypeObject* owner = nullptr;
    const bool found = static_cast<bool>(find_in_mro(Py_TYPE(value), "__len__", &owner));
    return found && (owner == &PyList_Type || owner == &PyTuple_Type || owner == &PyDict_Type || owner == &PySet_Type ||
                     owner == &PyFrozenSet_Type || owner == &PyUnicode_Type || owner == &PyBytes_Type || owner == &PyByteArray_Type);
}

bool needs_exact(look_context& context, PyObject* value) {
    if (!is_exact_value(value)) {
        context.refuse("it involves an object of the type " + name_of(Py_TYPE(value)).qualified() + ", whose own code could run");
        return false;
    }
    if (PyRange_Check(value) && has_large_integers(value)) {
        context.too_much("a range has an integer of more than " + std::to_string(max_look_bits) + " bits");
        return false;
    }
    return true;
}

ref apply_unary(look_context& context, operation operation, PyObject* operand) {
    if (operation == operation::not_) {
        const std::optional<bool> truth = truth_of(context, operand);
        return truth ? ref::share(*truth ? Py_False : Py_True) : ref();
    }
    if (!needs_exact(context, operand)) {
        return {};
    }
    if (operation == operation::invert && PyBool_Check(operand)) {
        return context.refuse("`~` of a bool prints a warning");
    }
    if (!fits_integers(context, operand, operand, false)) {
        return {};
    }
    return context.checked(ref::steal(operation == operation::negate ? PyNumber_Negative(operand)
                                      : operation == operation::plus ? PyNumber_Positive(operand)
                                                                     : PyNumber_Invert(operand)));
}

ref apply_power(look_context& context, PyObject* left, PyObject* right, PyObject* modulus) {
    if (!needs_exact(context, left) || !needs_exact(context, right) || !fits_integers(context, left, right, false)) {
        return {};
    }
    if (modulus != nullptr && modulus != Py_None) {
        for (PyObject* each : {left, right, modulus}) {
            if (is_exact_integer(each) && bits_of(each) > max_modular_bits) {
                return context.too_much("an operand of `pow` has more than " + std::to_string(max_modular_bits) + " bits");
            }
        }
        return needs_exact(context, modulus) && context.spend(max_modular_bits)
                   ? context.checked(ref::steal(PyNumber_Power(left, right, modulus)))
                   : ref();
    }
    if (is_exact_integer(left) && is_exact_integer(right)) {
        const std::size_t bits = bits_of(left);
        const std::size_t exponent = count_of(right);
        if (bits > 1 && (exponent > max_look_bits || !fits_bits(context, bits * exponent))) {
            return context.too_much("the result has more than " + std::to_string(max_look_bits) + " bits");
        }
        if (bits > 1 && !context.spend(bits * exponent / 16 + 1)) {
            return {};
        }
    }
    return context.checked(ref::steal(PyNumber_Power(left, right, Py_None)));
}

ref apply_divmod(look_context& context, PyObject* left, PyObject* right) {
    return needs_exact(context, left) && needs_exact(context, right) && fits_integers(context, left, right, true)
               ? context.checked(ref::steal(PyNumber_Divmod(left, right)))
               : ref();
}

ref apply_binary(look_context& context, operation operation, PyObject* left, PyObject* right) {
    if (!needs_exact(context, left) || !needs_exact(context, right)) {
        return {};
    }
    switch (operation) {
        case operation::add: return add(context, left, right);
        case operation::multiply: return multiply(context, left, right);
        case operation::power: return apply_power(context, left, right);
        case operation::shift_left: return shift_left(context, left, right);
        case operation::modulo:
            if (PyUnicode_CheckExact(left)) {
                return format_percent(context, left, right);
            }
            if (is_exact_bytes(left)) {
                return context.refuse("`%` of bytes may call __bytes__");
            }
            break;
        case operation::matrix_multiply: return context.refuse("built-in types have no `@`");
        default: break;
    }
    const bool division = operation == operation::floor_divide || operation == operation::modulo || operation == operation::divide;
    if (division ? !fits_integers(context, left, right, true) : !fits_algebra(context, operation, left, right)) {
        return {};
    }
    switch (operation) {
        case operation::subtract: return context.checked(ref::steal(PyNumber_Subtract(left, right)));
        case operation::divide: return context.checked(ref::steal(PyNumber_TrueDivide(left, right)));
        case operation::floor_divide: return context.checked(ref::steal(PyNumber_FloorDivide(left, right)));
        case operation::modulo: return context.checked(ref::steal(PyNumber_Remainder(left, right)));
        case operation::shift_right: return context.checked(ref::steal(PyNumber_Rshift(left, right)));
        case operation::bit_and: return context.checked(ref::steal(PyNumber_And(left, right)));
        case operation::bit_or: return context.checked(ref::steal(PyNumber_Or(left, right)));
        case operation::bit_xor: return context.checked(ref::steal(PyNumber_Xor(left, right)));
        default: return context.refuse("the operator is not supported");
    }
}

std::optional<bool> apply_comparison(look_context& context, operation operation, PyObject* left, PyObject* right) {
    switch (operation) {
        case operation::is: return left == right;
        case operation::is_not: return left != right;
        case operation::in: return contains(context, right, left);
        case operation::not_in: {
            const std::optional<bool> found = contains(context, right, left);
            return found ? std::optional(!*found) : std::nullopt;
        }
        default: return compare(context, operation, left, right);
    }
}

std::optional<bool> truth_of(look_context& context, PyObject* value) {
    if (is_exact_value(value)) {
        return as_bool(context, PyObject_IsTrue(value));
    }
    PyTypeObject* type = Py_TYPE(value);
    PyTypeObject* owner = nullptr;
    if (find_in_mro(type, "__bool__", &owner)) {
        if (owner == &PyLong_Type || owner == &PyFloat_Type || owner == &PyComplex_Type) {
            return as_bool(context, owner->tp_as_number->nb_bool(value));
        }
    } else if (!find_in_mro(type, "__len__")) {
        return true;
    } else if (has_builtin_length(value)) {
        return size_of(value) != 0;
    }
    context.refuse("the truth of an object of the type " + name_of(type).qualified() + " is decided by its own code");
    return std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
