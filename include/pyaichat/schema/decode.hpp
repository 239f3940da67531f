#pragma once
#include <pyaichat/schema/schema_error.hpp>
#include <pyaichat/schema/schema_of.hpp>

#include <limits>
#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {
[[nodiscard]] schema_error wrong_type(std::string path, std::string_view wanted, const json& found);
[[nodiscard]] std::string pointer_token(std::string_view key);
[[nodiscard]] schema_error missing_member(const std::string& path, std::string_view name, std::string_view description);

/// Reads a member of an object; one that is not there is left as it is, or an error.
template <class T>
[[nodiscard]] bool decode_member(const json& object, std::string_view name, std::string_view description, T& into, schema_error& error,
                                 const std::string& path, bool optional);
}  // namespace detail

/// Reads a `T` out of a value, or says why not in `error`. A member of a struct that is optional and not there keeps the value that the
/// struct gives it; members that the struct does not have are passed over. A number with a fraction is no integer, and one that is out of
/// the type's range is refused; an integer that is read as floating point is rounded as C++ does. Terminates on any value: the depth is
/// that of the type.
template <class T>
[[nodiscard]] bool decode(const json& value, T& into, schema_error& error, const std::string& path = {}) {
    if constexpr (detail::is_optional<T>::value) {
        if (value.is_null()) {
            into.reset();
            return true;
        }
        return decode(value, into.emplace(), error, path);
    } else if constexpr (std::same_as<T, json>) {
        into = value;
        return true;
    } else if constexpr (std::same_as<T, bool>) {
        const auto read = as_bool(value);
        into = read.value_or(false);
        if (!read) {
            error = detail::wrong_type(path, "true or false", value);
        }
        return read.has_value();
    } else if constexpr (std::integral<T>) {
        const auto read = as_integer(value);
        if (read && std::in_range<T>(*read)) {
            into = static_cast<T>(*read);
            return true;
        }
        if (const auto* large = value.get_ptr<const json::number_unsigned_t*>(); large != nullptr && std::in_range<T>(*large)) {
            into = static_cast<T>(*large);
            return true;
        }
        if (value.is_number()) {
            error = {path, "type",
                     "must be an integer from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                         std::to_string(std::numeric_limits<T>::max())};
        } else {
            error = detail::wrong_type(path, "an integer", value);
        }
        return false;
    } else if constexpr (std::floating_point<T>) {
        const auto read = as_number(value);
        into = static_cast<T>(read.value_or(0));
        if (!read) {
            error = detail::wrong_type(path, "a number", value);
        } else if (*read < std::numeric_limits<T>::lowest() || *read > std::numeric_limits<T>::max()) {
            error = {path, "type", "is too large a number"};
            return false;
        }
        return read.has_value();
    } else if constexpr (std::same_as<T, std::string>) {
        const auto read = as_string(value);
        into = read.value_or("");
        if (!read) {
            error = detail::wrong_type(path, "a string", value);
        }
        return read.has_value();
    } else if constexpr (detail::is_vector<T>::value) {
        if (!value.is_array()) {
            error = detail::wrong_type(path, "an array", value);
            return false;
        }
        into.clear();
        for (const json& element : value) {
            typename T::value_type read{};
            if (!decode(element, read, error, path + "/" + std::to_string(into.size()))) {
                return false;
            }
            into.push_back(std::move(read));
        }
        return true;
    } else if constexpr (detail::plain_struct<T>) {
        if (!value.is_object()) {
            error = detail::wrong_type(path, "an object", value);
            return false;
        }
        into = T{};
        bool fits = true;
        detail::for_each_field(into, [&](std::string_view name, auto& field) {
            using type = std::remove_reference_t<decltype(field)>;
            fits = fits && detail::decode_member(value, name, detail::description_of<T>(name), field, error, path,
                                                 detail::is_optional<type>::value);
        });
        return fits;
    } else {
        static_assert(detail::is_string_map<T>::value, "decode knows the types that schema_of knows");
        if (!value.is_object()) {
            error = detail::wrong_type(path, "an object", value);
            return false;
        }
        into.clear();
        for (auto member = value.begin(); member != value.end(); ++member) {
            if (!decode(member.value(), into[member.key()], error, path + "/" + detail::pointer_token(member.key()))) {
                return false;
            }
        }
        return true;
    }
}

template <class T>
bool detail::decode_member(const json& object, std::string_view name, std::string_view description, T& into, schema_error& error,
                           const std::string& path, bool optional) {
    const json* member = find_member(object, name);
    if (member == nullptr) {
        if (!optional) {
            error = missing_member(path, name, description);
        }
        return optional;
    }
    return decode(*member, into, error, path + "/" + pointer_token(name));
}

}  // namespace pyaichat::inline PYAICHAT_ABI
