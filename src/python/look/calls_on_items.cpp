#include "python/look/item_streams.hpp"
#include "python/look/known_calls.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/operators.hpp"
#include "python/look/static_lookup.hpp"

#include <algorithm>
#include <bit>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

ref call_len(const known_call& call) {
    PyObject* const value = call.object(0);
    if (value == nullptr) {
        return {};
    }
    if (is_exact_value(value)) {
        const Py_ssize_t size = PyObject_Size(value);
        return call.context.checked(size < 0 ? ref() : ref::steal(PyLong_FromSsize_t(size)));
    }
    if (has_builtin_length(value)) {
        return call.context.checked(ref::steal(PyLong_FromLongLong(size_of(value).value_or(0))));
    }
    return find_in_mro(Py_TYPE(value), "__len__")
               ? call.context.refuse("its length is computed by its own code")
               : call.context.raise("TypeError", "object of type '" + name_of(Py_TYPE(value)).name + "' has no len()");
}

ref call_sum(const known_call& call) {
    ref items = read_all(call.context, *call.find(0));
    PyObject* const start = call.find(1, "start") != nullptr ? call.object(1, "start") : nullptr;
    if (!items || call.context.failed()) {
        return {};
    }
    std::size_t widest = 0;  // bits of an integer among the numbers
    const auto is_number = [&](PyObject* item) {
        widest = std::max(widest, PyLong_CheckExact(item) ? bits_of(item) : 0);
        return is_exact_number(item) && widest <= max_look_bits;
    };
    const auto all_numbers = [&] {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items.get()); ++i) {
            if (!is_number(PyList_GET_ITEM(items.get(), i))) {
                return false;
            }
        }
        return true;
    };
    ref total = start != nullptr ? ref::share(start) : ref::steal(PyLong_FromLong(0));
    if (total && is_number(total.get()) && all_numbers()) {  // `sum` itself adds floats with less rounding
        constexpr std::size_t bits_per_step = 256;
        return call.context.spend(static_cast<std::size_t>(PyList_GET_SIZE(items.get())) * (1 + widest / bits_per_step))
                   ? call.context.checked(ref::steal(PyObject_CallFunctionObjArgs(call.callee, items.get(), total.get(), nullptr)))
                   : ref();
    }
    if (total && (PyUnicode_CheckExact(total.get()) || is_exact_bytes(total.get()))) {
        return call.context.raise("TypeError", "sum() can't sum strings or bytes [use join(seq) instead]");
    }
    for (Py_ssize_t i = 0; total && i < PyList_GET_SIZE(items.get()); ++i) {
        total = apply_binary(call.context, operation::add, total.get(), PyList_GET_ITEM(items.get(), i));
    }
    return total;
}

ref call_extreme(const known_call& call) {
    ref items;
    if (call.count() == 1) {
        items = read_all(call.context, *call.find(0));
    } else {
        items = call.context.checked(ref::steal(PyList_New(0)));
        for (std::size_t i = 0; items && i < call.count(); ++i) {
            PyObject* const item = call.object(i);
            if (item == nullptr || PyList_Append(items.get(), item) != 0) {
                return call.context.failed() ? ref() : call.context.raise_current();
            }
        }
    }
    const std::optional<std::size_t> weight = items ? call.context.weigh(items.get()) : std::nullopt;
    if (!weight || !call.context.spend(*weight)) {
        return {};
    }
    if (call.find(SIZE_MAX, "default") != nullptr && PyList_GET_SIZE(items.get()) == 0 && call.count() == 1) {
        return ref::share(call.object(SIZE_MAX, "default"));
    }
    return call.context.checked(ref::steal(PyObject_CallOneArg(call.callee, items.get())));
}

ref call_sorted(const known_call& call) {
    const ref items = read_all(call.context, *call.find(0));
    const std::optional<std::size_t> weight = items ? call.context.weigh(items.get()) : std::nullopt;
    if (!weight || !call.context.spend(*weight * std::bit_width(static_cast<std::size_t>(PyList_GET_SIZE(items.get()))) / 4)) {
        return {};
    }
    PyObject* const reverse = call.object(SIZE_MAX, "reverse");
    if (reverse != nullptr && !is_exact_integer(reverse)) {
        return call.context.refuse("`reverse` is not a bool");
    }
    const bool reversed = reverse != nullptr && PyObject_IsTrue(reverse) != 0;
    // Equal items keep their order also when the list is reversed.
    const bool done =
        (!reversed || PyList_Reverse(items.get()) == 0) && PyList_Sort(items.get()) == 0 && (!reversed || PyList_Reverse(items.get()) == 0);
    return done ? items : call.context.raise_current();
}

namespace {

/// `any` and `all`: they stop at the first item that decides.
ref quantify(const known_call& call, bool decisive) {
    const std::shared_ptr<item_stream> items = open_items(call.context, *call.find(0));
    while (items) {
        const ref item = items->next();
        if (!item) {
            break;
        }
        const std::optional<bool> truth = truth_of(call.context, item.get());
        if (!truth || *truth == decisive) {
            return call.as_ref(truth);
        }
    }
    return call.context.failed() ? ref() : call.as_ref(!decisive);
}

}  // namespace

ref call_any(const known_call& call) {
    return quantify(call, true);
}

ref call_all(const known_call& call) {
    return quantify(call, false);
}

looked_value call_enumerate(const known_call& call) {
    std::shared_ptr<item_stream> items = open_items(call.context, *call.find(0));
    PyObject* const given = call.object(1, "start");
    ref start = given != nullptr ? ref::share(given) : ref::steal(PyLong_FromLong(0));
    if (items && start && !is_exact_integer(start.get())) {
        call.context.refuse("`start` is not an integer");
    } else if (items && start && bits_of(start.get()) > max_look_bits) {
        call.context.too_much("an integer has more than " + std::to_string(max_look_bits) + " bits");
    }
    return items && !call.context.failed() ? looked_value{.items = enumerate_items(call.context, std::move(items), std::move(start))}
                                           : looked_value{};
}

looked_value call_zip(const known_call& call) {
    std::vector<std::shared_ptr<item_stream>> streams;
    for (const looked_value& each : call.arguments.positional) {
        streams.push_back(open_items(call.context, each));
    }
    PyObject* const strict = call.object(SIZE_MAX, "strict");
    const std::optional<bool> is_strict = strict != nullptr ? truth_of(call.context, strict) : std::optional(false);
    return call.context.failed() ? looked_value{} : looked_value{.items = zip_items(call.context, std::move(streams), *is_strict)};
}

looked_value call_reversed(const known_call& call) {
    PyObject* const sequence = call.object(0);
    return sequence != nullptr ? looked_value{.items = reversed_items(call.context, sequence)} : looked_value{};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
