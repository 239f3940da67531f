#pragma once
#include <pyaichat/agent/limits.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The images of a run, or of a part of it.
struct image_count {
    std::size_t in_message = 0;  ///< images in the message that is being built
    std::size_t bytes = 0;       ///< of all images of the run
};

/// Returns why an image cannot be sent, for a sentence that names it; empty if it can. Counts the image if it can.
[[nodiscard]] std::string image_fault(const image& value, const limits& bounds, image_count& before);

/// Fails with `invalid_argument` for the first image of a question that cannot be sent.
[[nodiscard]] result<void> check_images(std::span<const image> images, const limits& bounds, image_count& before);

/// Leaves out the images of a reply that cannot be sent, each whole, with a remark for the model in `note`. An error has no images.
void bound_images(capability_reply& reply, const limits& bounds, image_count& before);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
