#pragma once
#include <pyaichat/config/config.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace pyaichat::inline PYAICHAT_ABI {

/// A value of an enumeration as the model sees it, for `describe<E>`.
template <class E>
struct enumerator {
    E value = {};
    std::string_view name = {};  ///< default: the enumerator's own name
    std::string_view text = {};  ///< what the value means; shown in the schema
};

/// The values among which the enumerators of an enumeration are looked for.
struct enum_range {
    std::int64_t first = -128;
    std::int64_t last = 255;
};

/// Tells which enumerators an enumeration has. By default they are found by their names, if their values are from -128 to 255. Specialize
/// it for another range, or to list the enumerators with other names or with descriptions (those that are not listed are then not known):
///
///     template <>
///     constexpr auto pyaichat::describe<mood>() {
///         return std::array{pyaichat::enumerator<mood>{mood::calm, "calm", "does not fight"},
///                           pyaichat::enumerator<mood>{mood::hostile, "hostile", "attacks whom it sees"}};
///     }
///     template <>
///     constexpr auto pyaichat::describe<http_status>() {
///         return pyaichat::enum_range{100, 599};
///     }
///
/// An enumeration without a fixed underlying type (`enum color { red };`) needs the list.
template <class E>
    requires(std::is_enum_v<E>)
constexpr auto describe() {
    return enum_range();
}

}  // namespace pyaichat::inline PYAICHAT_ABI
