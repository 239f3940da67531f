#pragma once
#include <pyaichat/core/result.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// A picture: the content of an image file. Immutable, and cheap to copy, because copies share the bytes.
class image {
public:
    image() = default;
    /// `mime_type` is "image/png", for example. `data` is the content of the file, not base64. `check` says whether both fit.
    image(std::string mime_type, std::string data);

    [[nodiscard]] const std::string& mime_type() const noexcept { return mime_type_; }
    [[nodiscard]] const std::string& data() const noexcept;

    friend bool operator==(const image& a, const image& b) noexcept { return a.mime_type_ == b.mime_type_ && a.data() == b.data(); }

private:
    std::string mime_type_ = {};
    std::shared_ptr<const std::string> data_ = {};
};

/// Returns the MIME type of a PNG, JPEG, GIF or WebP file by its first bytes, or an empty text for other files. Thread-safe.
[[nodiscard]] std::string_view image_type(std::string_view data) noexcept;

/// Fails with `invalid_argument` if the MIME type does not begin with `image/`, if there are no bytes, or if the bytes are those of a PNG,
/// JPEG, GIF or WebP file and the MIME type is another one. Does not decode the picture. Thread-safe.
[[nodiscard]] result<void> check(const image& value);

}  // namespace pyaichat::inline PYAICHAT_ABI
