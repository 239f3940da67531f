#include "python/look/text_format.hpp"

#include "python/look/object_facts.hpp"
#include "python/look/static_lookup.hpp"
#include "python/look/structural_printer.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr double bits_per_decimal = 3.3219280948873626;

/// The largest number in a format; Python also accepts digits that are not ASCII.
std::size_t largest_number(PyObject* format) {
    std::size_t largest = 0;
    std::size_t number = 0;
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(format); ++i) {
        const int digit = Py_UNICODE_TODECIMAL(PyUnicode_READ_CHAR(format, i));
        number = digit < 0 ? 0 : std::min<std::size_t>(number * 10 + static_cast<std::size_t>(digit), max_look_text);
        largest = std::max(largest, number);
    }
    return largest;
}

bool fits_widths(look_context& context, PyObject* format, std::size_t fields) {
    const std::size_t largest = largest_number(format);
    if (largest > max_look_width) {
        context.too_much("a width or precision is larger than " + std::to_string(max_look_width));
        return false;
    }
    return context.fits_text(static_cast<std::size_t>(PyUnicode_GET_LENGTH(format)) + fields * largest);
}

bool has_char(PyObject* text, char c) {
    return PyUnicode_FindChar(text, static_cast<Py_UCS4>(c), 0, PyUnicode_GET_LENGTH(text), 1) >= 0;
}

}  // namespace

bool fits_decimal(look_context& context, PyObject* integer) {
    if (static_cast<double>(bits_of(integer)) > static_cast<double>(max_look_digits) * bits_per_decimal) {
        context.too_much("an integer has more than " + std::to_string(max_look_digits) + " digits");
        return false;
    }
    return true;
}

ref repr_of(look_context& context, PyObject* value) {
    const std::optional<std::size_t> weight = context.weigh(value);
    constexpr std::size_t steps_per_item = 8;
    constexpr std::size_t most_items = max_look_text / 3;  // with `, ` between them
    if (weight && (*weight > most_items || size_of(value).value_or(0) > static_cast<std::int64_t>(max_look_text))) {
        return context.too_much("its text is too long");
    }
    if (!weight || !context.spend(steps_per_item * *weight) || is_dict_view(value) || PySlice_Check(value)) {
        return context.failed() ? ref() : context.refuse("its text is not known");
    }
    const printed text = print_structure(value, {.max_chars = max_look_text, .work_budget = max_look_text, .max_depth = 64});
    if (text.truncated || text.met_objects) {
        return context.too_much("its text is too long");
    }
    return context.fits_text(text.text.size()) ? context.checked(to_python(text.text)) : ref();
}

ref str_of(look_context& context, PyObject* value) {
    return PyUnicode_CheckExact(value) ? ref::share(value) : repr_of(context, value);
}

ref ascii_of(look_context& context, PyObject* value) {
    const ref text = repr_of(context, value);
    if (!text || !context.fits_text(10 * static_cast<std::size_t>(PyUnicode_GET_LENGTH(text.get())))) {
        return {};
    }
    const ref bytes = context.checked(ref::steal(PyUnicode_AsEncodedString(text.get(), "ascii", "backslashreplace")));
    return bytes
               ? context.checked(ref::steal(PyUnicode_DecodeASCII(PyBytes_AS_STRING(bytes.get()), PyBytes_GET_SIZE(bytes.get()), nullptr)))
               : ref();
}

ref format_value(look_context& context, PyObject* value, PyObject* specification) {
    if (!PyUnicode_CheckExact(specification)) {
        return context.refuse("a format specification must be text");
    }
    if (PyUnicode_GET_LENGTH(specification) == 0) {
        return str_of(context, value);
    }
    if (!PyUnicode_CheckExact(value) && !is_exact_number(value)) {
        return context.is_plain(value)
                   ? context.raise("TypeError", "unsupported format string passed to " + name_of(Py_TYPE(value)).name + ".__format__")
                   : ref();
    }
    if (is_exact_integer(value) && !fits_decimal(context, value)) {
        return {};
    }
    if (!context.fits_text(static_cast<std::size_t>(PyUnicode_GET_LENGTH(specification)))) {
        return {};
    }
    if (has_char(specification, 'n')) {
        return context.refuse("the format `n` depends on the locale");
    }
    const auto size = static_cast<std::size_t>(PyUnicode_CheckExact(value) ? PyUnicode_GET_LENGTH(value) : 0);
    if (!fits_widths(context, specification, 1) || !context.fits_text(size)) {
        return {};
    }
    const ref format = find_in_mro(Py_TYPE(value), "__format__");
    return format ? context.checked(ref::steal(PyObject_CallFunctionObjArgs(format.get(), value, specification, nullptr)))
                  : context.refuse("it cannot be formatted");
}

ref format_percent(look_context& context, PyObject* format, PyObject* values) {
    const bool many = PyTuple_CheckExact(values);
    const bool named = PyDict_CheckExact(values);
    if (has_char(format, '*')) {
        return context.refuse("a width that is an argument is not supported");
    }
    const Py_ssize_t count = many ? PyTuple_GET_SIZE(values) : 1;
    const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(format));
    if (!context.fits_text(length)) {
        return {};
    }
    std::size_t fields = 0;
    for (std::size_t i = 0; i < length; ++i) {
        fields += PyUnicode_READ_CHAR(format, static_cast<Py_ssize_t>(i)) == '%' ? 1 : 0;
    }
    std::size_t size = 0;
    const auto add = [&](PyObject* value) {
        const bool simple = value == Py_None || PyUnicode_CheckExact(value) || is_exact_number(value);
        if (!simple) {
            context.refuse("only text, numbers and None are formatted with `%`");
            return false;
        }
        size += PyUnicode_CheckExact(value) ? 10 * static_cast<std::size_t>(PyUnicode_GET_LENGTH(value)) : 0;  // `%a` and `%r` escape
        return !is_exact_integer(value) || fits_decimal(context, value);
    };
    for (Py_ssize_t i = 0; many && i < count; ++i) {
        if (!add(PyTuple_GET_ITEM(values, i))) {
            return {};
        }
    }
    if (named) {
        if (!context.has_plain_keys(values)) {
            return context.refuse("the dict has keys with code of their own");
        }
        constexpr std::size_t characters_per_weight = 640;  // 64 characters that are all escaped
        const std::optional<std::size_t> weight = context.weigh(values);
        std::size_t largest = 0;
        for (dict_cursor each{values}; weight && each.next();) {
            size = 0;
            if (!context.spend(1) || !add(each.value)) {
                return {};
            }
            largest = std::max(largest, size);
        }
        // Each field may use the largest value, or the only field the whole dict.
        size = std::max(largest * fields, weight.value_or(0) * characters_per_weight);
    } else if (!many && !add(values)) {
        return {};
    }
    if (!fits_widths(context, format, fields) || !context.fits_text(size)) {
        return {};
    }
    return context.checked(ref::steal(PyUnicode_Format(format, values)));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
