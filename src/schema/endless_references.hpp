#pragma once
#include <pyaichat/core/json.hpp>

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Removes references between the `$defs` of a reduced schema that lead back to themselves without reaching a part of the value. A keyword
/// that was left out may have ended such a loop: now it would refuse each value. Without the reference, the schema accepts more. Returns
/// what was removed, in words, which are added to the descriptions if `described`.
std::vector<std::string> cut_endless_references(json& root, bool described);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
