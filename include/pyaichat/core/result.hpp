#pragma once
#include <pyaichat/core/failure.hpp>

#include <concepts>
#include <exception>
#include <type_traits>
#include <utility>
#include <variant>

namespace pyaichat::inline v0 {

/// A value of `T`, or the `failure` that there is instead of one. Reading the one that is not there is a broken contract.
template <class T>
class [[nodiscard]] result {
public:
    using value_type = T;

    result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    result(failure error) : state_(std::in_place_index<1>, std::move(error)) {}
    template <class U>
    requires(std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, result> && !std::same_as<std::remove_cvref_t<U>, T> &&
             !std::same_as<std::remove_cvref_t<U>, failure>) result(U&& value)
        : state_(std::in_place_index<0>, std::forward<U>(value)) {}

    [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
    [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }

    [[nodiscard]] T& operator*() & noexcept { return value(); }
    [[nodiscard]] const T& operator*() const& noexcept { return value(); }
    [[nodiscard]] T&& operator*() && noexcept { return std::move(value()); }
    [[nodiscard]] T* operator->() noexcept { return &value(); }
    [[nodiscard]] const T* operator->() const noexcept { return &value(); }

    [[nodiscard]] T& value() & noexcept {
        PYAICHAT_ASSERT(has_value(), "result holds a failure: test it before reading the value");
        return *std::get_if<0>(&state_);
    }
    [[nodiscard]] const T& value() const& noexcept {
        PYAICHAT_ASSERT(has_value(), "result holds a failure: test it before reading the value");
        return *std::get_if<0>(&state_);
    }
    [[nodiscard]] T&& value() && noexcept { return std::move(value()); }

    [[nodiscard]] failure& error() & noexcept {
        PYAICHAT_ASSERT(!has_value(), "result holds a value: test it before reading the failure");
        return *std::get_if<1>(&state_);
    }
    [[nodiscard]] const failure& error() const& noexcept {
        PYAICHAT_ASSERT(!has_value(), "result holds a value: test it before reading the failure");
        return *std::get_if<1>(&state_);
    }
    [[nodiscard]] failure&& error() && noexcept { return std::move(error()); }

    template <class U>
    [[nodiscard]] T value_or(U&& otherwise) const& {
        return has_value() ? value() : static_cast<T>(std::forward<U>(otherwise));
    }

private:
    std::variant<T, failure> state_;
};

/// Done, or the `failure` that says why not.
template <>
class [[nodiscard]] result<void> {
public:
    using value_type = void;

    result() = default;
    result(failure error) : error_(std::move(error)) {}

    [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
    [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }
    [[nodiscard]] const failure& error() const& noexcept {
        PYAICHAT_ASSERT(!has_value(), "result holds no failure: test it before reading");
        return *error_;
    }

private:
    std::optional<failure> error_;
};

/// Runs foreign code at a seam and turns whatever it throws into what `caught(text)` makes of it. Without exceptions it only runs it.
template <class Body, class Caught>
auto guarded(Body&& body, Caught&& caught) -> decltype(body()) {
#if PYAICHAT_HAS_EXCEPTIONS
    try {
        return body();
    } catch (const std::exception& error) {
        return caught(std::string_view(error.what()));
    } catch (...) {
        return caught(std::string_view("something that is not a std::exception was thrown"));
    }
#else
    static_cast<void>(caught);
    return body();
#endif
}

}  // namespace pyaichat::inline v0
