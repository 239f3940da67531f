#pragma once
#include "python/look/adapters/cell_type.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// A float of 16 bits.
struct half {
    std::uint16_t bits = 0;

    explicit operator float() const {
        const int exponent = bits >> 10 & 0x1F;
        const int fraction = bits & 0x3FF;
        const float size = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                           : exponent == 0x1F
                               ? (fraction != 0 ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity())
                               : std::ldexp(static_cast<float>(fraction + 0x400), exponent - 25);
        return (bits & 0x8000) != 0 ? -size : size;
    }
    explicit operator double() const { return static_cast<float>(*this); }
    friend bool operator<(half left, half right) { return static_cast<float>(left) < static_cast<float>(right); }
};

/// Reads a number that may be unaligned and in the other byte order.
template <class T>
[[nodiscard]] T read_cell(const char* address, bool swapped) {
    char bytes[sizeof(T)];
    if (swapped) {
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            bytes[i] = address[sizeof(T) - 1 - i];
        }
    } else {
        std::memcpy(bytes, address, sizeof(T));
    }
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

/// Calls `use(std::type_identity<T>)` with the C++ type of a number, a bool, a time or a duration. Does nothing for other cells.
template <class Use>
void with_number(const cell_type& type, Use use) {
    const Py_ssize_t width = type.width;
    switch (type.kind) {
        case 'b':
        case 'u':
            return width == 1   ? use(std::type_identity<std::uint8_t>())
                   : width == 2 ? use(std::type_identity<std::uint16_t>())
                   : width == 4 ? use(std::type_identity<std::uint32_t>())
                   : width == 8 ? use(std::type_identity<std::uint64_t>())
                                : void();
        case 'i':
        case 'M':
        case 'm':
            return width == 1   ? use(std::type_identity<std::int8_t>())
                   : width == 2 ? use(std::type_identity<std::int16_t>())
                   : width == 4 ? use(std::type_identity<std::int32_t>())
                   : width == 8 ? use(std::type_identity<std::int64_t>())
                                : void();
        case 'f':
            return width == 2                                              ? use(std::type_identity<half>())
                   : width == 4                                            ? use(std::type_identity<float>())
                   : width == 8                                            ? use(std::type_identity<double>())
                   : width == static_cast<Py_ssize_t>(sizeof(long double)) ? use(std::type_identity<long double>())
                                                                           : void();
        default: return;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
