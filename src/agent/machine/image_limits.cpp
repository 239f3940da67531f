#include "agent/machine/image_limits.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

std::string image_fault(const image& value, const limits& bounds, image_count& before) {
    if (const result<void> valid = pyaichat::check(value); !valid) {
        return valid.error().message;
    }
    const std::size_t bytes = value.data().size();
    if (bounds.max_image_bytes != 0 && bytes > bounds.max_image_bytes) {
        return "it has " + std::to_string(bytes) + " bytes, and the limit is " + std::to_string(bounds.max_image_bytes) +
               " (max_image_bytes)";
    }
    if (bounds.max_images != 0 && std::cmp_greater_equal(before.in_message, bounds.max_images)) {
        return "a message has at most " + std::to_string(bounds.max_images) + " images (max_images)";
    }
    const std::size_t total = bounds.max_image_bytes_total;
    if (total != 0 && bytes > total - std::min(total, before.bytes)) {
        return "the images of the run have at most " + std::to_string(total) + " bytes (max_image_bytes_total)";
    }
    ++before.in_message;
    before.bytes += bytes;
    return {};
}

result<void> check_images(std::span<const image> images, const limits& bounds, image_count& before) {
    for (std::size_t i = 0; i < images.size(); ++i) {
        if (const std::string fault = image_fault(images[i], bounds, before); !fault.empty()) {
            return failure{.code = errc::invalid_argument,
                           .message = "image " + std::to_string(i + 1) + " of the question cannot be sent: " + fault,
                           .hint = "Ask with other images, or raise the limit."};
        }
    }
    return {};
}

void bound_images(capability_reply& reply, const limits& bounds, image_count& before) {
    if (!reply.ok()) {
        reply.images.clear();
        return;
    }
    std::size_t place = 0;
    std::erase_if(reply.images, [&](const image& value) {
        ++place;
        const std::string fault = image_fault(value, bounds, before);
        if (!fault.empty()) {
            reply.note += (reply.note.empty() ? "" : "; ") + ("image " + std::to_string(place) + " of the reply was left out: ") + fault;
        }
        return !fault.empty();
    });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
