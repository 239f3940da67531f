#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::python {

/// Which values of a Python session may leave the process in replies.
struct values_policy {
    enum class kind : unsigned char {
        full,    ///< all values, cut only by the limits of each capability
        sample,  ///< at most `items` items of each container, characters of each string and rows of each table
        schema,  ///< names, types, sizes and positions; no values
    };
    kind what = kind::full;
    std::size_t items = 0;  ///< for `sample`

    [[nodiscard]] static constexpr values_policy full() noexcept { return {}; }
    [[nodiscard]] static constexpr values_policy sample(std::size_t items) noexcept { return {.what = kind::sample, .items = items}; }
    [[nodiscard]] static constexpr values_policy schema() noexcept { return {.what = kind::schema}; }

    friend constexpr bool operator==(const values_policy&, const values_policy&) = default;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python
