#pragma once
#include <pyaichat/core/json.hpp>

#include <string>
#include <variant>

namespace pyaichat::inline PYAICHAT_ABI {

/// Plain text, of a person, the host or the model.
struct text_part {
    std::string text = {};
};

/// A summary of the model's thinking. Never part of an answer.
struct thought_part {
    std::string text = {};
};

/// A function call as the model wrote it, right or wrong: the loop judges it. `name` is empty when there was none or it was no string;
/// `arguments` is what was sent, an empty object when nothing was; `id` is empty when the service sent none, and then none goes back.
struct call_part {
    std::string id = {};
    std::string name = {};
    json arguments = json::object();
};

/// The reply to the call of the same `id` and `name`; `response` is a JSON object: the reply envelope, or imported JSON as it came.
struct response_part {
    std::string id = {};
    std::string name = {};
    json response = json::object();
};

/// Something that only the provider that sent it understands: kept, in its wire form, and otherwise passed over.
struct opaque_part {
    json wire = {};
};

/// One piece of a message.
struct part {
    std::variant<text_part, thought_part, call_part, response_part, opaque_part> content = {};

    part() = default;
    part(text_part value) : content(std::move(value)) {}
    part(thought_part value) : content(std::move(value)) {}
    part(call_part value) : content(std::move(value)) {}
    part(response_part value) : content(std::move(value)) {}
    part(opaque_part value) : content(std::move(value)) {}

    /// The alternative `T`, or null.
    template <class T>
    [[nodiscard]] const T* as() const noexcept {
        return std::get_if<T>(&content);
    }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
