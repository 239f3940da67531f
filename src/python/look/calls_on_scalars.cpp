#include "python/look/known_calls.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/operators.hpp"
#include "python/look/text_format.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr long max_round_digits = 1000;

}  // namespace

ref call_text(const known_call& call) {
    PyObject* const object = call.object(0);
    return call.count() == 0 ? to_python("") : object != nullptr ? str_of(call.context, object) : ref();
}
ref call_repr(const known_call& call) {
    PyObject* const object = call.object(0);
    return object != nullptr ? repr_of(call.context, object) : ref();
}
ref call_ascii(const known_call& call) {
    PyObject* const object = call.object(0);
    return object != nullptr ? ascii_of(call.context, object) : ref();
}
ref call_format(const known_call& call) {
    PyObject* const object = call.object(0);
    const ref none = to_python("");
    PyObject* const specification = call.count() > 1 ? call.object(1) : none.get();
    return object != nullptr && specification != nullptr ? format_value(call.context, object, specification) : ref();
}

ref call_plain(const known_call& call) {
    return call_with_plain(call.context, call.callee, call.arguments);
}

ref call_digits(const known_call& call) {
    PyObject* const object = call.object(0);
    return object != nullptr && (!is_exact_integer(object) || call.context.fits_text(bits_of(object))) ? call_plain(call) : ref();
}

ref call_int(const known_call& call) {
    PyObject* const object = call.count() > 0 ? call.object(0) : nullptr;
    const bool text = object != nullptr && (PyUnicode_CheckExact(object) || is_exact_bytes(object));
    if (text && size_of(object).value_or(0) > static_cast<std::int64_t>(max_look_digits)) {
        return call.context.too_much("an integer has more than " + std::to_string(max_look_digits) + " digits");
    }
    return call_plain(call);
}

ref call_round(const known_call& call) {
    PyObject* const digits = call.object(1, "ndigits");
    if (digits != nullptr && digits != Py_None) {
        int overflow = 0;
        const long value = is_exact_integer(digits) ? PyLong_AsLongAndOverflow(digits, &overflow) : 0;
        if (overflow != 0 || value < -max_round_digits || value > max_round_digits) {
            return call.context.too_much("`round` to more than " + std::to_string(max_round_digits) + " digits");
        }
        if (PyObject* const number = call.object(0); number != nullptr && is_exact_integer(number) && bits_of(number) > max_look_bits) {
            return call.context.too_much("an integer has more than " + std::to_string(max_look_bits) + " bits");
        }
    }
    return call_plain(call);
}

ref call_pow(const known_call& call) {
    PyObject* const base = call.object(0, "base");
    PyObject* const exponent = call.object(1, "exp");
    PyObject* const modulus = call.object(2, "mod");
    return base != nullptr && exponent != nullptr ? apply_power(call.context, base, exponent, modulus)
                                                  : call.context.refuse("`pow` needs two arguments");
}

ref call_divmod(const known_call& call) {
    PyObject* const left = call.object(0);
    PyObject* const right = call.object(1);
    return left != nullptr && right != nullptr ? apply_divmod(call.context, left, right) : ref();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
