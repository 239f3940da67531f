#pragma once
#include "core/json_members.hpp"
#include "core/json_text.hpp"
#include "net/service_access.hpp"

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

using detail::append_comma;
using detail::append_json;
using detail::append_member;
using detail::append_string;
using detail::elements_of;
using detail::member_of_type;
using detail::string_of;
using net::unreadable;

/// Returns whether a block is a thinking block, which must come back unchanged or not at all.
[[nodiscard]] inline bool is_thinking(const json& block) {
    const std::string_view type = string_member(block, "type").value_or("");
    return type == "thinking" || type == "redacted_thinking";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
