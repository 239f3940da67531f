#pragma once
#include "core/json_members.hpp"
#include "core/json_text.hpp"

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

using detail::append_comma;
using detail::append_json;
using detail::append_member;
using detail::append_string;
using detail::elements_of;
using detail::member_of_type;
using detail::string_of;

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
