#pragma once
#include <pyaichat/core/failure.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace pyaichat::inline PYAICHAT_ABI {

/// Holds a value of `T` or a `failure`. Test it first, by `if (outcome)` or `has_value()`. Then read the value by `*`, `->` or `value()`,
/// or the failure by `error()`. Reading the alternative that it does not hold is a contract violation.
template <class T>
class [[nodiscard]] result {
public:
    using value_type = T;

    result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    result(failure error) : state_(std::in_place_index<1>, std::move(error)) {}
    template <class U>
        requires(std::convertible_to<U, T> && !std::same_as<std::remove_cvref_t<U>, result> && !std::same_as<std::remove_cvref_t<U>, T> &&
                 !std::same_as<std::remove_cvref_t<U>, failure>)
    result(U&& value) : state_(std::in_place_index<0>, std::forward<U>(value)) {}

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

    /// Returns a copy of the value, or `otherwise` if it holds a failure.
    template <class U>
    [[nodiscard]] T value_or(U&& otherwise) const& {
        return has_value() ? value() : static_cast<T>(std::forward<U>(otherwise));
    }

private:
    std::variant<T, failure> state_;
};

/// Success, or the `failure` that explains why not.
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

namespace detail {
/// Runs `body(context)` and returns the text of the exception if it throws. Not inline: in a program that mixes objects with and without
/// exceptions, the linker would pick the `catch` of either.
[[nodiscard]] std::optional<std::string> run_and_catch(void (*body)(void*), void* context);
}  // namespace detail

/// Runs host code and returns its result. If it throws, returns `caught(text)` with the text of the exception.
/// A library that was compiled without exceptions runs the code unguarded.
template <class Body, class Caught>
auto guarded(Body&& body, Caught&& caught) -> decltype(body()) {
    using value_type = decltype(body());
    const auto run = [](auto& work) {
        using work_type = std::remove_reference_t<decltype(work)>;
        return detail::run_and_catch([](void* context) { (*static_cast<work_type*>(context))(); }, &work);
    };
    if constexpr (std::is_void_v<value_type>) {
        auto work = [&] { body(); };
        if (const std::optional<std::string> thrown = run(work)) {
            caught(std::string_view(*thrown));
        }
    } else {
        std::optional<value_type> value;
        auto work = [&] { value.emplace(body()); };
        if (const std::optional<std::string> thrown = run(work)) {
            return caught(std::string_view(*thrown));
        }
        return *std::move(value);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
