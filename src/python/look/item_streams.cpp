#include "python/look/item_streams.hpp"

#include "python/look/object_facts.hpp"
#include "python/look/operators.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// Reads an exact built-in container through its own iterator, which is C code. Nobody changes the container meanwhile.
class container_items : public item_stream {
public:
    container_items(look_context& context, PyObject* container, ref iterator)
        : context_(context), container_(ref::share(container)), iterator_(std::move(iterator)) {}

    ref next() override {
        if (!context_.spend(1)) {
            return {};
        }
        ref item = ref::steal(Py_TYPE(iterator_.get())->tp_iternext(iterator_.get()));
        if (!item && PyErr_Occurred() != nullptr) {
            context_.raise_current();
        }
        return item;
    }
    std::optional<std::size_t> size() const override {
        const Py_ssize_t length = PyObject_Size(container_.get());  // C code of the exact type
        PyErr_Clear();
        return length < 0 ? SIZE_MAX : static_cast<std::size_t>(length);  // a range may be too long to count
    }

private:
    look_context& context_;
    ref container_;
    ref iterator_;
};

class enumerated : public item_stream {
public:
    enumerated(look_context& context, std::shared_ptr<item_stream> items, ref number)
        : context_(context), items_(std::move(items)), number_(std::move(number)) {}

    ref next() override {
        ref item = items_->next();
        if (!item) {
            return {};
        }
        ref pair = context_.checked(ref::steal(PyTuple_Pack(2, number_.get(), item.get())));
        const ref step = ref::steal(PyLong_FromLong(1));
        number_ = step ? ref::steal(PyNumber_Add(number_.get(), step.get())) : ref();
        return number_ ? pair : context_.raise_current();
    }

private:
    look_context& context_;
    std::shared_ptr<item_stream> items_;
    ref number_;
};

class zipped : public item_stream {
public:
    zipped(look_context& context, std::vector<std::shared_ptr<item_stream>> streams, bool strict)
        : context_(context), streams_(std::move(streams)), strict_(strict) {}

    ref next() override {
        if (streams_.empty()) {
            return {};
        }
        ref row = context_.checked(ref::steal(PyTuple_New(static_cast<Py_ssize_t>(streams_.size()))));
        for (std::size_t i = 0; row && i < streams_.size(); ++i) {
            ref item = streams_[i]->next();
            if (!item) {
                return strict_ && !context_.failed() ? ended(i) : ref();
            }
            PyTuple_SET_ITEM(row.get(), static_cast<Py_ssize_t>(i), item.release());
        }
        return row;
    }

private:
    /// Checks with `strict` that all streams end together.
    ref ended(std::size_t at) {
        const auto arguments = [](std::size_t count) { return count == 1 ? " 1" : "s 1-" + std::to_string(count); };
        if (at > 0) {
            return context_.raise("ValueError", "zip() argument " + std::to_string(at + 1) + " is shorter than argument" + arguments(at));
        }
        for (std::size_t i = 1; i < streams_.size(); ++i) {
            if (streams_[i]->next()) {
                return context_.raise("ValueError", "zip() argument " + std::to_string(i + 1) + " is longer than argument" + arguments(i));
            }
        }
        return {};
    }

    look_context& context_;
    std::vector<std::shared_ptr<item_stream>> streams_;
    bool strict_;
};

bool is_iterable_container(PyObject* object) {
    return PyList_CheckExact(object) || PyTuple_CheckExact(object) || PyUnicode_CheckExact(object) || PyDict_CheckExact(object) ||
           PyRange_Check(object) || is_exact_bytes(object) || is_exact_set(object) || is_dict_view(object);
}

}  // namespace

std::shared_ptr<item_stream> open_items(look_context& context, const looked_value& value) {
    if (value.items) {
        return value.items;
    }
    PyObject* const object = value.object.get();
    if (!is_iterable_container(object)) {
        if (is_exact_value(object)) {
            context.raise("TypeError", "'" + name_of(Py_TYPE(object)).name + "' object is not iterable");
        } else {
            context.refuse("iterating an object of the type " + name_of(Py_TYPE(object)).qualified() +
                           " could run its code, or consume it");
        }
        return nullptr;
    }
    if (!needs_exact(context, object)) {
        return nullptr;
    }
    if (hides_names() && (PyDict_CheckExact(object) || is_dict_view(object))) {
        context.refuse("the session hides names, which the keys of a dict may have");
        return nullptr;
    }
    ref iterator = context.checked(ref::steal(Py_TYPE(object)->tp_iter(object)));
    return iterator ? std::make_shared<container_items>(context, object, std::move(iterator)) : nullptr;
}

ref read_all(look_context& context, const looked_value& value) {
    const std::shared_ptr<item_stream> items = open_items(context, value);
    if (!items || !context.fits_items(items->size().value_or(0))) {
        return {};
    }
    ref list = context.checked(ref::steal(PyList_New(0)));
    std::size_t count = 0;
    while (list) {
        const ref item = items->next();
        if (!item || context.failed()) {
            break;
        }
        if (++count > max_look_items && !context.fits_items(count)) {
            break;
        }
        if (PyList_Append(list.get(), item.get()) != 0) {
            context.raise_current();
        }
    }
    return context.failed() ? ref() : list;
}

ref set_of(look_context& context, PyObject* items, ref set) {
    if (!set) {
        return context.raise_current();
    }
    const std::optional<std::size_t> weight = context.weigh(items);
    if (!weight || !context.spend(*weight)) {
        return {};
    }
    for (item_walk each(items); !context.failed() && each.next();) {
        constexpr std::size_t steps_of_item = 4;  // it is compared with all others of the same hash: read the clock
        if (context.spend(steps_of_item) && PySet_Add(set.get(), each.value.get()) != 0) {
            context.raise_current();
        }
    }
    return context.failed() ? ref() : set;
}

std::shared_ptr<item_stream> enumerate_items(look_context& context, std::shared_ptr<item_stream> items, ref start) {
    return std::make_shared<enumerated>(context, std::move(items), std::move(start));
}

std::shared_ptr<item_stream> zip_items(look_context& context, std::vector<std::shared_ptr<item_stream>> streams, bool strict) {
    return std::make_shared<zipped>(context, std::move(streams), strict);
}

std::shared_ptr<item_stream> reversed_items(look_context& context, PyObject* sequence) {
    const bool fits = is_iterable_container(sequence) && !is_exact_set(sequence);
    if (!fits) {
        if (is_exact_value(sequence)) {
            context.raise("TypeError", "'" + name_of(Py_TYPE(sequence)).name + "' object is not reversible");
        } else {
            context.refuse("reversing an object of the type " + name_of(Py_TYPE(sequence)).qualified() + " could run its code");
        }
        return nullptr;
    }
    if (!needs_exact(context, sequence)) {
        return nullptr;
    }
    ref reversed;
    if (PyRange_Check(sequence)) {  // of any length
        const ref back = ref::steal(PyLong_FromLong(-1));
        const ref slice = back ? ref::steal(PySlice_New(nullptr, nullptr, back.get())) : ref();
        reversed = context.checked(slice ? ref::steal(PyRange_Type.tp_as_mapping->mp_subscript(sequence, slice.get())) : ref());
    } else {
        reversed = read_all(context, {.object = ref::share(sequence)});
        if (reversed && PyList_Reverse(reversed.get()) != 0) {
            reversed = context.raise_current();
        }
    }
    return reversed ? open_items(context, {.object = reversed}) : nullptr;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
