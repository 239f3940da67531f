#pragma once
#include <pyaichat/message/image.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns whether a service that takes these MIME types takes an image.
template <class MimeTypes>
[[nodiscard]] bool is_taken(const image& value, const MimeTypes& mime_types) {
    return std::find(mime_types.begin(), mime_types.end(), value.mime_type()) != mime_types.end() && check(value);
}

/// Returns the text that the model reads in the place of an image that its service does not take.
[[nodiscard]] inline std::string missing_image_text(const image& value) {
    return "(An image of type " + (value.mime_type().empty() ? "unknown" : value.mime_type()) +
           " was left out here, because it cannot be sent to this model.)";
}

/// Returns the text before an image that a service does not take inside of a reply.
[[nodiscard]] inline std::string reply_image_text(std::string_view name, std::size_t place) {
    return "Image " + std::to_string(place) + " of the reply to `" + std::string(name) + "`:";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
