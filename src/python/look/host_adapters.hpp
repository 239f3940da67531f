#pragma once
#include "python/python_api.hpp"

#include <pyaichat/python/adapter.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The types that a host describes. Thread-safe.
class host_adapters {
public:
    void add(std::string type_name, describe_function describe);

    /// The function for the exact type of the object, or null. Call it with the GIL held.
    [[nodiscard]] std::shared_ptr<const describe_function> find(PyObject* object) const;

private:
    std::atomic<bool> any_{false};
    mutable std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const describe_function>, std::less<>> types_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
