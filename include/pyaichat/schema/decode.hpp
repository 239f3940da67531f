#pragma once
#include <pyaichat/core/detail/names.hpp>
#include <pyaichat/schema/detail/alternatives.hpp>
#include <pyaichat/schema/detail/decode_scalar.hpp>
#include <pyaichat/schema/detail/unsupported.hpp>
#include <pyaichat/schema/encode.hpp>
#include <pyaichat/schema/schema_error.hpp>
#include <pyaichat/schema/schema_of.hpp>

#include <algorithm>
#include <limits>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

template <class Form, class T>
[[nodiscard]] bool decode_as(const json& value, T& into, schema_error& error);

/// Reads the members of an object, up to the first that does not fit. One that is optional and not there is left as it is.
template <class Form>
struct member_reader {
    static constexpr bool reads = true;
    const json& object;
    schema_error& error;
    bool fits = true;

    template <class T>
    void operator()(std::string_view name, T& into, std::string_view description = {}) {
        if (!fits) {
            return;
        }
        if (const json* member = find_member(object, name)) {
            fits = decode_as<Form>(*member, into, error) || below(error, name);
        } else if constexpr (!is_optional<T>::value) {
            refuse(missing_member(name, description));
        }
    }
    /// Refuses a number outside the range of its member.
    template <class T>
    void keep_within(const about& member, const T& field) {
        if constexpr (is_optional<T>::value) {
            if (field) {
                keep_within(member, *field);
            }
        } else if constexpr (is_chrono<T>::value) {
            keep_within(member, field.count());
        } else if (fits && member.minimum && is_less(field, *member.minimum)) {
            refuse(out_of_range(member.field, "minimum", "at least", *member.minimum));
        } else if (fits && member.maximum && is_less(*member.maximum, field)) {
            refuse(out_of_range(member.field, "maximum", "at most", *member.maximum));
        }
    }
    [[nodiscard]] bool has(std::string_view name) const noexcept { return find_member(object, name) != nullptr; }
    void refuse(schema_error why) {
        if (std::exchange(fits, false)) {
            error = std::move(why);
        }
    }
};

/// Decodes the first alternative that takes the value. Structs that know all members of an object come before those that do not.
template <class Form, class... Each>
[[nodiscard]] bool decode_variant(const json& value, std::variant<Each...>& into, schema_error& error) {
    check_alternatives<Each...>();
    nearest_error nearest;
    const auto take = [&]<std::size_t I>(std::integral_constant<std::size_t, I>, bool knowing) {
        using type = std::variant_alternative_t<I, std::variant<Each...>>;
        if (knows_members<type>(value) != knowing) {
            return false;
        }
        type read{};
        schema_error misfit;
        if (decode_as<Form>(value, read, misfit)) {
            into.template emplace<I>(std::move(read));
            return true;
        }
        nearest.add(std::move(misfit), nearness<type>(value));
        return false;
    };
    const auto take_first = [&]<std::size_t... I>(std::index_sequence<I...>, bool knowing) {
        return (take(std::integral_constant<std::size_t, I>(), knowing) || ...);
    };
    if (take_first(std::index_sequence_for<Each...>(), true) || take_first(std::index_sequence_for<Each...>(), false)) {
        return true;
    }
    error = std::move(nearest).get(kinds_of<std::variant<Each...>>(), value);
    return false;
}

/// Decodes an array into a container that grows.
template <class Form, class T>
[[nodiscard]] bool decode_list(const json& value, T& into, schema_error& error) {
    using element_type = std::ranges::range_value_t<T>;
    into = T{};
    std::size_t index = 0;
    for (const json& element : value) {
        element_type read{};
        if (!decode_as<Form>(element, read, error)) {
            return below(error, std::to_string(index));
        }
        if constexpr (list_like<T>) {
            into.push_back(std::move(read));
        } else if (!into.insert(std::move(read)).second) {
            error = {{}, "uniqueItems", "is in the list twice"};
            return below(error, std::to_string(index));
        }
        ++index;
    }
    return true;
}

/// Decodes an array into a std::array, a std::pair or a std::tuple.
template <class Form, class T>
[[nodiscard]] bool decode_elements(const json& value, T& into, schema_error& error) {
    if (value.size() != std::tuple_size_v<T>) {
        error = wrong_length(std::tuple_size_v<T>, value.size());
        return false;
    }
    const auto take = [&](auto& element, std::size_t index) {
        return decode_as<Form>(value[index], element, error) || below(error, std::to_string(index));
    };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return (take(std::get<I>(into), I) && ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>());
}

template <class Form, class T>
bool decode_as(const json& value, T& into, schema_error& error) {
    const auto fits = [&](bool right, std::string_view wanted) {
        if (!right) {
            error = wrong_type(wanted, value);
        }
        return right;
    };
    if constexpr (reflected<T>) {
        typename reflect<T>::form form{};
        if (!decode_as<Form>(value, form, error)) {
            return false;
        }
        auto read = reflect<T>::read(std::move(form));
        if constexpr (std::convertible_to<decltype(read), T>) {
            into = std::move(read);
            return true;
        } else {
            if (!read) {
                error = {{}, "format", read.error().message};
                return false;
            }
            into = std::move(*read);
            return true;
        }
    } else if constexpr (is_optional<T>::value) {
        if (value.is_null()) {
            into.reset();
            return true;
        }
        return decode_as<Form>(value, into.emplace(), error);
    } else if constexpr (std::same_as<T, json>) {
        into = value;
        return true;
    } else if constexpr (std::same_as<T, std::monostate> && !Form::template has_members<T>) {
        return fits(value.is_null(), "null");
    } else if constexpr (std::same_as<T, bool> || whole_number<T> || std::floating_point<T> || is_chrono<T>::value || text<T> ||
                         readable_enum<T>) {
        return decode_scalar(value, into, error);
    } else if constexpr (is_variant<T>::value && !Form::template has_members<T>) {
        return decode_variant<Form>(value, into, error);
    } else if constexpr (string_map<T>) {
        if (!fits(value.is_object(), "an object")) {
            return false;
        }
        into.clear();
        for (auto member = value.begin(); member != value.end(); ++member) {
            if (!decode_as<Form>(member.value(), into[member.key()], error)) {
                return below(error, member.key());
            }
        }
        return true;
    } else if constexpr (is_array<T>::value || is_tuple<T>::value) {
        return fits(value.is_array(), "an array") && decode_elements<Form>(value, into, error);
    } else if constexpr (list_like<T> || set_like<T>) {
        return fits(value.is_array(), "an array") && decode_list<Form>(value, into, error);
    } else if constexpr (Form::template has_members<T>) {
        if (!fits(value.is_object(), "an object")) {
            return false;
        }
        into = T{};
        member_reader<Form> members{value, error};
        Form::members(into, members);
        return members.fits;
    } else {
        explain_unsupported<T>();
        return false;
    }
}

}  // namespace detail

/// Reads a `T` out of a value, or says why not in `error`. Takes the types that `schema_of` describes:
///
/// - An optional member of a struct that is not there keeps the value that the struct gives it. Unknown members are passed over.
/// - A number with a fraction is not an integer, and an integer out of the type's range is refused. An integer that is read as floating
///   point is rounded as C++ does.
/// - An enumeration is read from the name of an enumerator, a duration from a number in its own unit.
/// - A `std::variant` gets the first alternative that takes the value, but a struct that would pass over members comes after those that
///   would not. If none takes it, `error` is that of the alternative that is nearest to the value.
///
/// Terminates on any value: the depth is that of the type.
template <class T>
[[nodiscard]] bool decode(const json& value, T& into, schema_error& error, const std::string& path = {}) {
    const bool fits = detail::decode_as<detail::field_form>(value, into, error);
    if (!fits) {
        error.path.insert(0, path);
    }
    return fits;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
