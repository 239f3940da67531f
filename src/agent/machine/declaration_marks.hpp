#pragma once
#include <pyaichat/message/capability_list.hpp>

#include <map>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// By name, a fingerprint of a declaration, to see whether a capability is still the one that a call was decided about.
[[nodiscard]] std::map<std::string, std::string> marks_of(const capability_list& declared);
[[nodiscard]] std::string mark_of(const capability_spec& spec);
[[nodiscard]] bool is_mark_of(std::string_view mark, const capability_spec& spec);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
