#pragma once
#include <pyaichat/core/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

struct pcre2_real_code_8;

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A compiled regular expression of ECMA-262. Immutable and thread-safe.
class pattern {
public:
    /// Compiles an expression. Fails with `invalid_argument` if it is not valid or not supported.
    [[nodiscard]] static result<pattern> compile(std::string_view text);

    /// Returns the size of the compiled expression in bytes, which may be large for a short text.
    [[nodiscard]] std::size_t size() const noexcept;

    /// Returns whether the UTF-8 text contains a match. Subtracts the cost from `steps`; returns `nullopt` if they do not suffice.
    /// Invalid bytes match nothing.
    [[nodiscard]] std::optional<bool> found_in(std::string_view text, std::uint64_t& steps) const;

private:
    explicit pattern(std::shared_ptr<const pcre2_real_code_8> code) noexcept : code_(std::move(code)) {}

    std::shared_ptr<const pcre2_real_code_8> code_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
