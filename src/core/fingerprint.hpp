#pragma once
#include <pyaichat/config/config.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// FNV-1a of 64 bits (Fowler, Noll, Vo): the same on every machine, so that it can be kept in a snapshot. Not for secrets.
/// Of `text`, behind what gave `before`.
[[nodiscard]] std::uint64_t fingerprint(std::string_view text, std::uint64_t before = 0xCBF29CE484222325u) noexcept;

/// Of the bits of `number`, behind what gave `before`.
[[nodiscard]] std::uint64_t fingerprint_of_bits(std::uint64_t number, std::uint64_t before) noexcept;

/// A number in 16 hexadecimal digits: JSON's own are exact to 2^53 only. Reading anything else gives nothing.
[[nodiscard]] std::string hexadecimal(std::uint64_t value);
[[nodiscard]] bool read_hexadecimal(std::string_view text, std::uint64_t& value) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
