#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/image.hpp>

#include <string>
#include <variant>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Plain text, from a person, the host or the model.
struct text_part {
    std::string text = {};
};

/// A summary of the model's thinking. Never part of an answer.
struct thought_part {
    std::string text = {};
};

/// A function call as the model sent it. It may be invalid: the loop validates it.
struct call_part {
    std::string id = {};              ///< empty if the service sent none
    std::string name = {};            ///< empty if it is missing or not a string
    json arguments = json::object();  ///< as sent; an empty object if missing
};

/// The reply to the call with the same `id` and `name`.
struct response_part {
    std::string id = {};
    std::string name = {};
    json response = json::object();  ///< `capability_reply::envelope()`, or imported JSON
    std::vector<image> images = {};  ///< `capability_reply::images`
};

/// A part that only its provider understands. It is kept in its wire form and otherwise ignored.
struct opaque_part {
    json wire = {};
};

/// A picture from the host. A provider whose service does not take it sends a text in its place.
struct image_part {
    pyaichat::image image = {};
};

/// One piece of a message.
struct part {
    std::variant<text_part, thought_part, call_part, response_part, opaque_part, image_part> content = {};

    part() = default;
    part(text_part value) : content(std::move(value)) {}
    part(thought_part value) : content(std::move(value)) {}
    part(call_part value) : content(std::move(value)) {}
    part(response_part value) : content(std::move(value)) {}
    part(opaque_part value) : content(std::move(value)) {}
    part(image_part value) : content(std::move(value)) {}

    /// Returns the content if it is a `T`, else null.
    template <class T>
    [[nodiscard]] const T* as() const noexcept {
        return std::get_if<T>(&content);
    }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
