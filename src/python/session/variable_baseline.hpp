#pragma once
#include "python/python_api.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// A variable and its value, borrowed from the namespace.
struct found_variable {
    PyObject* name;
    PyObject* value;
};

/// The differences between a namespace and its baseline.
struct variable_changes {
    std::vector<found_variable> added = {};
    std::vector<found_variable> rebound = {};  ///< to another object
    std::vector<found_variable> changed = {};  ///< the same object with other contents
    std::vector<std::string> removed = {};
    std::size_t compared = 0;
    bool is_first = false;  ///< there was no baseline
    bool complete = true;   ///< false: the namespace has more variables than are compared
};

/// Remembers the variables of a session, so that a later question can tell what has changed. It keeps no object alive: it knows objects by
/// address and by a shallow fingerprint, so a change deep inside a value, or far from both ends of a large container, is not noticed.
class variable_baseline {
public:
    static constexpr std::size_t max_names = 10'000;

    /// Compares the namespace with the baseline, and makes it the new baseline. Hidden and dunder names are left out. Runs no user code.
    [[nodiscard]] variable_changes update(PyObject* globals);

private:
    struct fingerprint {
        const void* object = nullptr;
        const void* type = nullptr;
        std::uint64_t contents = 0;
    };
    [[nodiscard]] static fingerprint fingerprint_of(PyObject* value);

    std::unordered_map<std::string, fingerprint> known_;
    bool has_baseline_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
