#pragma once
#include <pyaichat/core/json.hpp>

#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A total order of JSON values in which those are equal that JSON Schema calls equal: 1 and 1.0 are, false and 0 are not. (The comparison
/// of the JSON library rounds large integers.) Recursion is bounded by the depth of the values.
class json_order {
public:
    [[nodiscard]] int compare(const json& left, const json& right) noexcept;
    /// How much was looked at so far, in values or some 64 bytes of text.
    [[nodiscard]] std::uint64_t work() const noexcept { return work_; }

private:
    [[nodiscard]] int compare_texts(const std::string& left, const std::string& right) noexcept;

    std::uint64_t work_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
