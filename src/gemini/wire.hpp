#pragma once
#include "core/json_members.hpp"
#include "core/json_text.hpp"
#include "net/service_access.hpp"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

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

/// Returns an integer member. Proto3 JSON writes 64-bit integers as strings, and some proxies all of them.
[[nodiscard]] inline std::optional<std::int64_t> integer_of(const json& object, std::string_view key) {
    const json* member = find_member(object, key);
    if (member == nullptr) {
        return std::nullopt;
    }
    const std::string_view text = as_string(*member).value_or("");
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return !text.empty() && rest == end && error == std::errc() ? std::optional(number) : as_integer(*member);
}

/// The writer of a wire form if the model's name does not show its generation.
inline constexpr std::string_view any_writer = "gemini";

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
