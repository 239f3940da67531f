#include "schema/format_checks.hpp"

#include <pyaichat/core/text.hpp>

#include "schema/uri_characters.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// `[v1.a:b]` or an IPv6 address in brackets. No zone: RFC 3986 does not have it.
bool is_ip_literal(std::string_view host) noexcept {
    if (!host.starts_with('[') || !host.ends_with(']')) {
        return false;
    }
    host = host.substr(1, host.size() - 2);
    if (!host.starts_with('v') && !host.starts_with('V')) {
        return is_ipv6(host);
    }
    host.remove_prefix(1);
    const std::size_t dot = host.find('.');
    const std::string_view version = host.substr(0, dot);
    const bool is_version = std::all_of(version.begin(), version.end(), [](char c) { return hex_digit(c) >= 0; });
    return dot != host.npos && dot > 0 && is_version && dot + 1 < host.size() &&
           are_uri_characters(host.substr(dot + 1), ":", {.escapes = false});
}

bool is_authority(std::string_view text, bool international) noexcept {
    if (const std::size_t at = text.find('@'); at != text.npos) {
        if (!are_uri_characters(text.substr(0, at), ":", {.international = international})) {
            return false;
        }
        text.remove_prefix(at + 1);
    }
    const std::size_t host_end = text.starts_with('[') ? std::min(text.find(']'), text.size() - 1) + 1 : text.find(':');
    const std::string_view host = text.substr(0, host_end);
    std::string_view port = text.substr(std::min(host_end, text.size()));
    const bool port_fits = port.empty() || (take(port, ':') && std::all_of(port.begin(), port.end(), is_digit));
    return port_fits && (host.starts_with('[') ? is_ip_literal(host) : are_uri_characters(host, "", {.international = international}));
}

bool is_scheme_name(std::string_view text) noexcept {
    return !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; });
}

bool is_reference(std::string_view text, bool absolute, bool international) noexcept {
    const uri_character_options plain{.international = international};
    if (const std::size_t hash = text.find('#'); hash != text.npos) {
        if (!are_uri_characters(text.substr(hash + 1), ":@/?", plain)) {
            return false;
        }
        text = text.substr(0, hash);
    }
    if (const std::size_t question = text.find('?'); question != text.npos) {
        if (!are_uri_characters(text.substr(question + 1), ":@/?", {.international = international, .private_use = international})) {
            return false;
        }
        text = text.substr(0, question);
    }
    // A colon in the first segment is the end of a scheme.
    const std::size_t colon = text.substr(0, text.find('/')).find(':');
    if (colon != text.npos) {
        if (!is_scheme_name(text.substr(0, colon))) {
            return false;
        }
        text.remove_prefix(colon + 1);
    } else if (absolute) {
        return false;
    }
    if (text.starts_with("//")) {
        text.remove_prefix(2);
        const std::size_t slash = std::min(text.find('/'), text.size());
        if (!is_authority(text.substr(0, slash), international)) {
            return false;
        }
        text.remove_prefix(slash);
    }
    return are_uri_characters(text, ":@/", plain);
}

/// An expression of RFC 6570, without its braces.
bool is_expression(std::string_view text) noexcept {
    constexpr std::string_view operators = "+#./;?&=,!@|";
    if (!text.empty() && operators.find(text.front()) != operators.npos) {
        text.remove_prefix(1);
    }
    for (;;) {
        const std::size_t comma = text.find(',');
        std::string_view variable = text.substr(0, comma);
        if (variable.ends_with('*')) {
            variable.remove_suffix(1);
        } else if (const std::size_t colon = variable.find(':'); colon != variable.npos) {
            const std::string_view length = variable.substr(colon + 1);
            if (length.empty() || length.size() > 4 || length.front() == '0' || !std::all_of(length.begin(), length.end(), is_digit)) {
                return false;
            }
            variable = variable.substr(0, colon);
        }
        const bool dots_fit =
            !variable.empty() && variable.front() != '.' && variable.back() != '.' && variable.find("..") == variable.npos;
        if (!dots_fit || !are_uri_characters(variable, "._", {.only_names = true})) {
            return false;
        }
        if (comma == text.npos) {
            return true;
        }
        text.remove_prefix(comma + 1);
    }
}

}  // namespace

bool is_uri(std::string_view text) noexcept {
    return is_reference(text, true, false);
}

bool is_uri_reference(std::string_view text) noexcept {
    return is_reference(text, false, false);
}

bool is_iri(std::string_view text) noexcept {
    return is_utf8(text) && is_reference(text, true, true);
}

bool is_iri_reference(std::string_view text) noexcept {
    return is_utf8(text) && is_reference(text, false, true);
}

bool is_uri_template(std::string_view text) noexcept {
    if (!is_utf8(text)) {
        return false;
    }
    while (!text.empty()) {
        const std::size_t open = std::min(text.find('{'), text.size());
        if (!are_uri_characters(text.substr(0, open), ":@/?#[]", {.international = true, .private_use = true})) {
            return false;
        }
        text.remove_prefix(open);
        if (text.empty()) {
            break;
        }
        const std::size_t close = text.find('}');
        if (close == text.npos || !is_expression(text.substr(1, close - 1))) {
            return false;
        }
        text.remove_prefix(close + 1);
    }
    return true;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
