#pragma once
#include "core/json_members.hpp"
#include "core/json_text.hpp"
#include "net/service_access.hpp"

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

using detail::append_comma;
using detail::append_json;
using detail::append_member;
using detail::append_string;
using detail::elements_of;
using detail::member_of_type;
using detail::references;
using detail::string_of;
using net::unreadable;

/// The writer of a wire form if the model's name does not show its generation.
inline constexpr std::string_view any_writer = "gemini";

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
