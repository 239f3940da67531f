#pragma once
#include "core/base64.hpp"

#include <pyaichat/message/image.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// What is wrong with the data of an image in a request.
enum class image_fault : unsigned char { none, not_base64, empty, other_type };

/// Checks an image in base64. PNG, JPEG, GIF and WebP are known by their first bytes; the service cannot decode other bytes.
[[nodiscard]] inline image_fault fault_of_image(std::string_view mime_type, std::string_view base64) {
    const std::optional<std::string> bytes = detail::decode_base64(base64);
    if (!bytes) {
        return image_fault::not_base64;
    }
    if (bytes->empty()) {
        return image_fault::empty;
    }
    const bool has_known_beginning =
        mime_type == "image/png" || mime_type == "image/jpeg" || mime_type == "image/gif" || mime_type == "image/webp";
    return has_known_beginning && image_type(*bytes) != mime_type ? image_fault::other_type : image_fault::none;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
