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

/// A value of `T`, or the `failure` that there is instead of one. Reading the one that is not there is a broken contract.
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

namespace detail {
/// Runs `body(context)` and gives the text of what it threw, if it threw. Compiled in the library, so that a `catch` has one meaning in a
/// program that mixes objects with and without exceptions: an inline one would be whichever object's the linker saw first.
[[nodiscard]] std::optional<std::string> text_of_what_is_thrown(void (*body)(void*), void* context);
}  // namespace detail

/// Runs foreign code at a seam and turns whatever it throws into what `caught(text)` makes of it. In a library that was compiled without
/// exceptions it only runs it.
template <class Body, class Caught>
auto guarded(Body&& body, Caught&& caught) -> decltype(body()) {
    using value_type = decltype(body());
    const auto run = [](auto& work) {
        using work_type = std::remove_reference_t<decltype(work)>;
        return detail::text_of_what_is_thrown([](void* context) { (*static_cast<work_type*>(context))(); }, &work);
    };
    if constexpr (std::is_void_v<value_type>) {
        auto work = [&] { body(); };
        if (const std::optional<std::string> thrown = run(work)) {
            caught(std::string_view(*thrown));
        }
    } else {
        std::optional<value_type> made;
        auto work = [&] { made.emplace(body()); };
        if (const std::optional<std::string> thrown = run(work)) {
            return caught(std::string_view(*thrown));
        }
        return *std::move(made);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
