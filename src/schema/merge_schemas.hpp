#pragma once
#include <pyaichat/core/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Adds the keywords of `other` to `schema`. The result accepts each value that both schemas accept, and more where two keywords cannot be
/// merged: then the keyword of `schema` stays, and that of `other` is returned. Both are reduced schemas of draft 2020-12.
std::vector<std::pair<std::string, json>> merge_into(json& schema, const json& other);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
