#include "python/look/adapters/cell_type.hpp"
#include "python/look/adapters/families.hpp"
#include "python/look/trusted_type.hpp"

#include <array>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

long clock_field(PyObject* object, const char* base, const char* name) {
    const ref value = c_field(object, base, name);
    const long number = value && PyLong_Check(value.get()) ? PyLong_AsLong(value.get()) : 0;
    PyErr_Clear();
    return number;
}

/// The arguments as Python's `repr` prints them: the last ones are left out while they are zero, down to `least`.
std::string arguments_of(PyObject* object, const char* base, std::span<const char* const> names, std::size_t least) {
    std::vector<long> values;
    for (const char* name : names) {
        values.push_back(clock_field(object, base, name));
    }
    while (values.size() > least && values.back() == 0) {
        values.pop_back();
    }
    std::string text;
    for (const long each : values) {
        text += (text.empty() ? "" : ", ") + std::to_string(each);
    }
    return text;
}

constexpr std::array<const char*, 7> datetime_fields = {"year", "month", "day", "hour", "minute", "second", "microsecond"};

/// A date, time or datetime. `repr` would run the code of its time zone.
adapted_text moment_text(PyObject* object, std::size_t) {
    const std::string type = Py_TYPE(object)->tp_name;
    const std::span<const char* const> all = datetime_fields;
    adapted_text text{.head = type + "("};
    if (type == "datetime.date") {
        text.head += arguments_of(object, "datetime.date", all.first(3), 3) + ")";
        return text;
    }
    const bool is_time = type == "datetime.time";
    const char* base = is_time ? "datetime.time" : "datetime.datetime";
    if (is_time) {
        text.head += arguments_of(object, base, all.last(4), 2);
    } else {
        // The date belongs to the base class.
        text.head += arguments_of(object, "datetime.date", all.first(3), 3) + ", " + arguments_of(object, base, all.last(4), 2);
    }
    if (clock_field(object, base, "fold") != 0) {
        text.head += ", fold=1";
    }
    if (const ref zone = c_field(object, base, "tzinfo"); zone && zone.get() != Py_None) {
        text.head += ", ";
        text.parts.push_back({"tzinfo=", zone});
        text.tail = ")";
    } else {
        text.head += ")";
    }
    return text;
}

adapted_text timedelta_text(PyObject* object, std::size_t) {
    std::string arguments;
    for (const char* name : {"days", "seconds", "microseconds"}) {
        if (const long value = clock_field(object, "datetime.timedelta", name); value != 0) {
            arguments += (arguments.empty() ? "" : ", ") + std::string(name) + "=" + std::to_string(value);
        }
    }
    return {.head = "datetime.timedelta(" + (arguments.empty() ? "0" : arguments) + ")"};
}

/// The offset of a fixed time zone. Its `repr` would run the code of a name that is an instance of a subclass of `str`.
adapted_text timezone_text(PyObject* object, std::size_t) {
    PyObject* method = find_name(type_dict(Py_TYPE(object)).get(), "utcoffset");
    const ref offset = method != nullptr && Py_TYPE(method) == &PyMethodDescr_Type
                           ? ref::steal(PyObject_CallFunctionObjArgs(method, object, Py_None, nullptr))
                           : ref();
    PyErr_Clear();
    if (!offset) {
        return {.head = "<datetime.timezone object>"};
    }
    const long seconds =
        clock_field(offset.get(), "datetime.timedelta", "days") * 86'400 + clock_field(offset.get(), "datetime.timedelta", "seconds");
    if (seconds == 0) {
        return {.head = "datetime.timezone.utc"};
    }
    const cell_type unit{.kind = 'm', .width = 8, .unit = "s"};
    return {.head = std::string("datetime.timezone(") + (seconds < 0 ? "-" : "+") + duration_text(seconds < 0 ? -seconds : seconds, unit) +
                    ")"};
}

adapted_text zone_info_text(PyObject* object, std::size_t) {
    return {.head = "zoneinfo.ZoneInfo(", .parts = {{"key=", c_field(object, "zoneinfo.ZoneInfo", "key")}}, .tail = ")"};
}

constexpr adapter zone_info_adapter = {.text = &zone_info_text};
constexpr adapter moment_adapter = {.text = &moment_text};
constexpr adapter timedelta_adapter = {.text = &timedelta_text};
constexpr adapter timezone_adapter = {.text = &timezone_text};

}  // namespace

const adapter* find_datetime_adapter(PyObject* object) {
    const std::string_view name = Py_TYPE(object)->tp_name;
    if (!is_c_class(Py_TYPE(object))) {
        return nullptr;
    }
    if (name == "zoneinfo.ZoneInfo") {
        return &zone_info_adapter;
    }
    if (!name.starts_with("datetime.")) {
        return nullptr;
    }
    return name == "datetime.date" || name == "datetime.time" || name == "datetime.datetime" ? &moment_adapter
           : name == "datetime.timedelta"                                                    ? &timedelta_adapter
           : name == "datetime.timezone"                                                     ? &timezone_adapter
                                                                                             : nullptr;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
