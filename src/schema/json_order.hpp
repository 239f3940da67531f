#pragma once
#include <pyaichat/core/json.hpp>

#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A total order of JSON values with the equality of JSON Schema: 1 equals 1.0, but false does not equal 0. (The comparison of nlohmann
/// rounds large integers.)
class json_order {
public:
    [[nodiscard]] int compare(const json& left, const json& right) noexcept;
    /// Returns the work so far: the number of compared values, and of compared blocks of 64 bytes of text.
    [[nodiscard]] std::uint64_t work() const noexcept { return work_; }

private:
    [[nodiscard]] int compare_texts(const std::string& left, const std::string& right) noexcept;

    std::uint64_t work_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
