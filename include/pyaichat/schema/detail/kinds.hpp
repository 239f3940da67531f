#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/time.hpp>
#include <pyaichat/schema/describe.hpp>
#include <pyaichat/schema/detail/enumerators.hpp>
#include <pyaichat/schema/detail/fields.hpp>
#include <pyaichat/schema/reflect.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <filesystem>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

/// The kinds of types that `schema_of`, `decode` and `encode` know. Containers are recognized by their members, so that no header of one is
/// needed here.

namespace pyaichat::inline PYAICHAT_ABI::detail {

template <class T>
inline constexpr bool always_false = false;

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};

template <class T>
struct optional_value {
    using type = T;
};
template <class T>
struct optional_value<std::optional<T>> {
    using type = T;
};
/// `T` itself, or what it holds if it is a std::optional.
template <class T>
using without_optional = typename optional_value<T>::type;

template <class T>
struct is_chrono : std::false_type {};
template <class Rep, class Period>
struct is_chrono<std::chrono::duration<Rep, Period>> : std::is_arithmetic<Rep> {};

template <class T>
struct is_array : std::false_type {};
template <class T, std::size_t N>
struct is_array<std::array<T, N>> : std::true_type {};

template <class T>
struct is_tuple : std::false_type {};
template <class... T>
struct is_tuple<std::tuple<T...>> : std::true_type {};
template <class A, class B>
struct is_tuple<std::pair<A, B>> : std::true_type {};

template <class T>
struct is_variant : std::false_type {};
template <class... T>
struct is_variant<std::variant<T...>> : std::true_type {};

/// A character: neither a number nor a text for everybody.
template <class T>
concept character =
    std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> || std::same_as<T, char16_t> || std::same_as<T, char32_t>;
template <class T>
concept whole_number = std::integral<T> && !std::same_as<T, bool> && !character<T>;

template <class T>
concept text = std::same_as<T, std::string> || std::same_as<T, std::filesystem::path>;

/// A range that does not have itself as element, as a file system path has.
template <class T>
concept range_of_others = std::ranges::input_range<T> && !std::same_as<std::ranges::range_value_t<T>, T>;

template <class T>
concept map_like = std::ranges::range<T> && requires { typename T::mapped_type; };
/// `std::map`, `std::unordered_map` and the like with string keys.
template <class T>
concept string_map = map_like<T> && std::same_as<typename T::key_type, std::string> && requires(T map, const std::string& key) {
    { map[key] } -> std::same_as<typename T::mapped_type&>;
};
/// `std::vector`, `std::list`, `std::deque` and the like, of no characters.
template <class T>
concept list_like = range_of_others<T> && !character<std::ranges::range_value_t<T>> && std::default_initializable<T> &&
                    requires(T list, std::ranges::range_value_t<T> element) { list.push_back(std::move(element)); };
/// What is written as an array: also views, and ranges whose elements are made on the way.
template <class T>
concept written_as_list = range_of_others<T> && !map_like<T> && !character<std::ranges::range_value_t<T>>;
/// `std::set`, `std::unordered_set` and the like: each element is there once.
template <class T>
concept set_like = range_of_others<T> && !map_like<T> && std::default_initializable<T> && requires(T set, typename T::key_type element) {
    { set.insert(std::move(element)).second } -> std::convertible_to<bool>;
};

/// A type that `reflect` is specialized for.
template <class T>
concept reflected = requires { typename reflect<T>::form; };

/// The kinds of JSON values, as bits.
enum kind_of_json : unsigned {
    null_kind = 1,
    bool_kind = 2,
    integer_kind = 4,
    number_kind = 8,
    text_kind = 16,
    array_kind = 32,
    object_kind = 64
};

/// Returns the kind of a value. A float without a fraction counts as an integer, as for `as_integer`.
[[nodiscard]] unsigned kind_of(const json& value) noexcept;
/// Returns "an integer or a string" and the like.
[[nodiscard]] std::string words_for_kinds(unsigned kinds);

/// Returns the kinds of JSON that a type may be decoded from; all for one that takes anything.
template <class T>
[[nodiscard]] constexpr unsigned kinds_of() {
    if constexpr (is_optional<T>::value) {
        return null_kind | kinds_of<typename T::value_type>();
    } else if constexpr (is_variant<T>::value) {
        return []<class... Each>(std::variant<Each...>*) { return (kinds_of<Each>() | ...); }(static_cast<T*>(nullptr));
    } else if constexpr (reflected<T>) {
        return kinds_of<typename reflect<T>::form>();
    } else if constexpr (std::same_as<T, std::monostate>) {
        return null_kind;
    } else if constexpr (std::same_as<T, bool>) {
        return bool_kind;
    } else if constexpr (is_chrono<T>::value) {
        return kinds_of<typename T::rep>();
    } else if constexpr (whole_number<T>) {
        return integer_kind;
    } else if constexpr (std::floating_point<T>) {
        return integer_kind | number_kind;
    } else if constexpr (text<T> || std::is_enum_v<T>) {
        return text_kind;
    } else if constexpr (string_map<T> || plain_struct<T>) {
        return object_kind;
    } else if constexpr (std::same_as<T, json>) {
        return ~0U;
    } else {
        return array_kind;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
