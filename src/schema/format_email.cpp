#include "schema/format_checks.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::size_t longest_local_part = 64;

bool is_high(char c) noexcept {
    return static_cast<unsigned char>(c) >= 0x80;
}

bool is_quoted(std::string_view text, bool international) noexcept {
    if (text.size() < 2 || !text.ends_with('"')) {
        return false;
    }
    text = text.substr(1, text.size() - 2);
    while (!text.empty()) {
        const bool escaped = take(text, '\\');
        if (text.empty()) {
            return false;
        }
        const char c = text.front();
        const bool printable = (c >= ' ' && c <= '~') || (international && is_high(c));
        if (!printable || (c == '"' && !escaped)) {
            return false;
        }
        text.remove_prefix(1);
    }
    return true;
}

/// Words of `atext`, separated by single dots.
bool is_dot_string(std::string_view text, bool international) noexcept {
    constexpr std::string_view others = "!#$%&'*+-/=?^_`{|}~.";
    return !text.empty() && text.front() != '.' && text.back() != '.' && text.find("..") == text.npos &&
           std::all_of(text.begin(), text.end(), [&](char c) {
               return is_letter(c) || is_digit(c) || others.find(c) != others.npos || (international && is_high(c));
           });
}

bool is_address_literal(std::string_view text) noexcept {
    if (!text.starts_with('[') || !text.ends_with(']')) {
        return false;
    }
    text = text.substr(1, text.size() - 2);
    constexpr std::string_view version6 = "IPv6:";
    return equals_ignoring_case(text.substr(0, version6.size()), version6) ? is_ipv6(text.substr(version6.size())) : is_ipv4(text);
}

bool is_mailbox(std::string_view text, bool international) {
    // A quoted local part may hold an "@", a domain never does.
    const std::size_t at = text.rfind('@');
    if (at == text.npos || at > longest_local_part * (international ? 4 : 1)) {
        return false;
    }
    const std::string_view local = text.substr(0, at);
    const std::string_view domain = text.substr(at + 1);
    const bool local_fits = local.starts_with('"') ? is_quoted(local, international) : is_dot_string(local, international);
    return local_fits && (is_address_literal(domain) || (international ? is_idn_hostname(domain) : is_hostname(domain)));
}

}  // namespace

bool is_email(std::string_view text) {
    return is_mailbox(text, false);
}

bool is_idn_email(std::string_view text) {
    return is_utf8(text) && is_mailbox(text, true);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
