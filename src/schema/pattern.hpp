#pragma once
#include <pyaichat/core/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A regular expression of ECMA-262, searched for in UTF-8 text. Immutable after `compile`: safe to use from several threads at once.
class pattern {
public:
    /// Fails with `invalid_argument` when it is no such expression, or one that the engine cannot take.
    [[nodiscard]] static result<pattern> compile(std::string_view text);

    /// The bytes that the compiled expression takes: a short text may be a large one.
    [[nodiscard]] std::size_t size() const noexcept;

    /// Whether the text has a match. Takes what the search may have cost from `steps`; nothing when that was not enough. Text that is not
    /// UTF-8 matches nowhere around the bytes that are not.
    [[nodiscard]] std::optional<bool> found_in(std::string_view text, std::uint64_t& steps) const;

private:
    struct code;

    explicit pattern(std::shared_ptr<const code> compiled) noexcept : code_(std::move(compiled)) {}

    std::shared_ptr<const code> code_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
