#include "python/privacy/privacy_rules.hpp"

#include "python/look/member_names.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

bool privacy_rules::hides(std::string_view name) const {
    return std::any_of(hidden.begin(), hidden.end(), [&](const std::string& pattern) { return matches_glob(name, pattern); });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
