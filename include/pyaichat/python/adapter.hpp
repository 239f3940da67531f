#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/python/interpreter.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python {

/// A Python object that a host describes. All members read the structure of the object and run no Python code. Use it and its copies only
/// during the call of the `describe_function` that received it.
class object_view {
public:
    /// The qualified name of the type: `game.Entity`.
    [[nodiscard]] std::string type_name() const;

    /// Returns `object.name`; `nullopt` if it does not exist or only Python code could compute it.
    [[nodiscard]] std::optional<object_view> attribute(std::string_view name) const;
    /// Returns `object[key]`; `nullopt` if it does not exist or only Python code could compute it.
    [[nodiscard]] std::optional<object_view> item(std::int64_t key) const;
    [[nodiscard]] std::optional<object_view> item(std::string_view key) const;

    /// Returns the value of an `int` (or `bool`) that fits, of a `float` or `int`, or of a `str`; instances of subclasses included.
    [[nodiscard]] std::optional<std::int64_t> as_integer() const;
    [[nodiscard]] std::optional<double> as_number() const;
    [[nodiscard]] std::optional<std::string> as_text() const;

    /// Returns the number of items of a container or array.
    [[nodiscard]] std::optional<std::int64_t> size() const;

    /// The borrowed `PyObject*`, for a host that knows the layout of its extension type. Compare its `Py_TYPE` with the host's own type
    /// object first: Python code can give a class of its own the name of the host's class.
    [[nodiscard]] void* raw() const noexcept { return object_.get(); }

    /// Wraps a `PyObject*` that `object` keeps alive.
    explicit object_view(std::shared_ptr<void> object) noexcept : object_(std::move(object)) {}

private:
    std::shared_ptr<void> object_;
};

/// The description of one object.
struct object_description {
    std::string text = {};  ///< one line with the most important facts first; cut at 400 bytes
    json facts = {};        ///< for the capability `inspect`; replaced by a note if it exceeds 8 KiB of JSON
};

/// Describes an object. Called on Python's thread with the GIL held, once for each print of an object, so it should take microseconds. It
/// must not run Python code, change the object, block, or call the interpreter or a session. If it throws, the text says so.
using describe_function = std::function<object_description(const object_view&)>;

/// Describes the objects of one class of the host in all Python capabilities: in lists, in prints and as `details` of `inspect`.
/// `type_name` is the name that `get_type` reports as `qualified`, such as "game.Entity"; instances of subclasses are not described. The
/// class need not exist yet. If it is a Python class of a module, the module must hold it under this name. A second call for the same name
/// replaces the function. `describe` lives as long as the interpreter. Thread-safe. Fails with `invalid_argument` if a name or function is
/// empty.
///
///     python::describe_type(interpreter, "game.Entity", [](const python::object_view& entity) {
///         const auto health = entity.attribute("health");
///         return python::object_description{"Entity, health " + std::to_string(health ? health->as_integer().value_or(0) : 0)};
///     });
///
/// The adapters of the SDK for numpy, pandas and the standard library are one file each in `src/python/look/adapters/`. Another library
/// needs such a file with its `find` function, and one line in `src/python/look/adapter.cpp`; a host needs only this function.
[[nodiscard]] result<void> describe_type(const interpreter& python, std::string type_name, describe_function describe);

}  // namespace pyaichat::inline PYAICHAT_ABI::python
