#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <string_view>

/// The checks of the keyword `format`, each by its RFC. None of them allocates in proportion to more than the text.
namespace pyaichat::inline PYAICHAT_ABI::detail {

// RFC 3339, with the durations of its appendix A
[[nodiscard]] bool is_date(std::string_view text) noexcept;
[[nodiscard]] bool is_time(std::string_view text) noexcept;
[[nodiscard]] bool is_date_time(std::string_view text) noexcept;
[[nodiscard]] bool is_duration(std::string_view text) noexcept;

// RFC 2673 and RFC 4291
[[nodiscard]] bool is_ipv4(std::string_view text) noexcept;
[[nodiscard]] bool is_ipv6(std::string_view text) noexcept;

/// RFC 1123.
[[nodiscard]] bool is_hostname(std::string_view text) noexcept;
/// RFC 1123, where labels that begin with `xn--` must be valid A-labels of RFC 5890.
[[nodiscard]] bool is_ascii_hostname(std::string_view text);
/// RFC 5890: also with U-labels.
[[nodiscard]] bool is_idn_hostname(std::string_view text);

/// RFC 5321, section 4.1.2.
[[nodiscard]] bool is_email(std::string_view text);
/// RFC 6531.
[[nodiscard]] bool is_idn_email(std::string_view text);

// RFC 3986, RFC 3987 and RFC 6570
[[nodiscard]] bool is_uri(std::string_view text) noexcept;
[[nodiscard]] bool is_uri_reference(std::string_view text) noexcept;
[[nodiscard]] bool is_iri(std::string_view text) noexcept;
[[nodiscard]] bool is_iri_reference(std::string_view text) noexcept;
[[nodiscard]] bool is_uri_template(std::string_view text) noexcept;

/// Removes exactly `count` digits from the front and returns their value, or -1.
[[nodiscard]] int take_digits(std::string_view& text, std::size_t count) noexcept;

/// Removes `c` from the front. Returns whether it was there.
bool take(std::string_view& text, char c) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
