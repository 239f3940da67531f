#pragma once
#include <pyaichat/message/capability_list.hpp>

#include <map>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// By name, a fingerprint of what a call of a capability relies on: its schema, its effects, and where it comes from. Enough to see whether
/// a capability is still the one that a call was gated against.
[[nodiscard]] std::map<std::string, std::string> marks_of(const capability_list& declared);
[[nodiscard]] std::string mark_of(const capability_spec& spec);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
