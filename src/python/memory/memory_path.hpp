#pragma once
#include "python/memory/object_reader.hpp"

#include <pyaichat/message/capability_reply.hpp>

#include <variant>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Finds the object at a path: a name, attributes in the own dict of an instance, module or class, items by literal keys. Returns its
/// address or the reply for the failure. Only an attribute that is stored in the object itself is found, not one of its class.
[[nodiscard]] std::variant<address, capability_reply> find_in_memory(object_reader& reader, std::string_view expression, address globals,
                                                                     address builtins);

/// The keys of a dict that are strings.
[[nodiscard]] std::vector<std::string> names_in_memory(const object_reader& reader, address dict);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
