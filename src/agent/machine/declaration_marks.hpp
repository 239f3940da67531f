#pragma once
#include <pyaichat/message/capability_list.hpp>

#include <map>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns a fingerprint of each declaration, by name, to detect capabilities that have changed since a call was decided.
[[nodiscard]] std::map<std::string, std::string> marks_of(const capability_list& declared);
[[nodiscard]] std::string mark_of(const capability_spec& spec);
[[nodiscard]] bool is_mark_of(std::string_view mark, const capability_spec& spec);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
