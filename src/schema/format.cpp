#include "schema/format.hpp"

#include <pyaichat/core/text.hpp>

#include "schema/format_checks.hpp"
#include "schema/pattern.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

bool is_uuid(std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
        if (hyphen ? text[i] != '-' : hex_digit(text[i]) < 0) {
            return false;
        }
    }
    return text.size() == 36;
}

bool is_json_pointer(std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '~' && (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1'))) {
            return false;
        }
    }
    return text.empty() || text.front() == '/';
}

bool is_regex(std::string_view text) {
    return pattern::compile(text).has_value();
}

/// A number of levels up, perhaps an offset of the index there, and a JSON Pointer or "#".
bool is_relative_json_pointer(std::string_view text) noexcept {
    const auto take_number = [&text](bool zero_allowed) {
        const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
        const bool valid = digits > 0 && (text.front() != '0' || (digits == 1 && zero_allowed));
        text.remove_prefix(digits);
        return valid;
    };
    if (!take_number(true)) {
        return false;
    }
    if ((take(text, '+') || take(text, '-')) && !take_number(false)) {
        return false;
    }
    return text == "#" || is_json_pointer(text);
}

/// A format that a later draft changed has an entry for each meaning, the latest last.
constexpr std::array formats{
    text_format{"date-time", "a date and a time with its offset, like 2024-02-29T09:30:00Z", is_date_time, draft::draft4},
    text_format{"email", "an e-mail address like ann@example.com", is_email, draft::draft4},
    text_format{"hostname", "a host name like www.example.com", is_hostname, draft::draft4},
    text_format{"ipv4", "an IPv4 address like 192.0.2.1", is_ipv4, draft::draft4},
    text_format{"ipv6", "an IPv6 address like 2001:db8::1", is_ipv6, draft::draft4},
    text_format{"uri", "a URI with its scheme, like https://example.com/a", is_uri, draft::draft4},
    text_format{"uri-reference", "a URI or a relative reference like ../a#b", is_uri_reference, draft::draft6},
    text_format{"uri-template", "a URI template like /users/{id}", is_uri_template, draft::draft6},
    text_format{"json-pointer", "a JSON Pointer: empty, or /a/b with ~ as ~0 and / as ~1", is_json_pointer, draft::draft6},
    text_format{"date", "a date like 2024-02-29", is_date, draft::draft7},
    text_format{"time", "a time with its offset, like 09:30:00Z or 09:30:00+02:00", is_time, draft::draft7},
    text_format{"hostname", "a host name like www.example.com", is_ascii_hostname, draft::draft7},
    text_format{"idn-email", "an e-mail address like ann@example.com", is_idn_email, draft::draft7},
    text_format{"idn-hostname", "a host name like www.example.com", is_idn_hostname, draft::draft7},
    text_format{"iri", "an IRI with its scheme, like https://example.com/a", is_iri, draft::draft7},
    text_format{"iri-reference", "an IRI or a relative reference like ../a#b", is_iri_reference, draft::draft7},
    text_format{"relative-json-pointer", "a relative JSON Pointer like 1/a or 0#", is_relative_json_pointer, draft::draft7},
    text_format{"regex", "a regular expression of ECMA-262", is_regex, draft::draft7},
    text_format{"duration", "a duration like P1DT2H or P3W", is_duration, draft::draft2019},
    text_format{"uuid", "a UUID like 123e4567-e89b-12d3-a456-426614174000", is_uuid, draft::draft2019},
};

}  // namespace

const text_format* find_format(std::string_view name, draft which) noexcept {
    const auto found = std::find_if(formats.rbegin(), formats.rend(),
                                    [&](const text_format& format) { return format.name == name && which >= format.since; });
    return found != formats.rend() ? &*found : nullptr;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
