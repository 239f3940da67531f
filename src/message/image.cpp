#include <pyaichat/message/image.hpp>

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

image::image(std::string mime_type, std::string data)
    : mime_type_(std::move(mime_type)), data_(std::make_shared<const std::string>(std::move(data))) {}

const std::string& image::data() const noexcept {
    static const std::string none;
    return data_ ? *data_ : none;
}

std::string_view image_type(std::string_view data) noexcept {
    struct known_file {
        std::string_view begin;
        std::string_view mime_type;
    };
    static constexpr std::array<known_file, 4> known = {
        {{"\x89PNG\r\n\x1a\n", "image/png"}, {"\xff\xd8\xff", "image/jpeg"}, {"GIF87a", "image/gif"}, {"GIF89a", "image/gif"}}};
    const auto* const found =
        std::find_if(known.begin(), known.end(), [&](const known_file& file) { return data.starts_with(file.begin); });
    if (found != known.end()) {
        return found->mime_type;
    }
    return data.starts_with("RIFF") && data.substr(std::min<std::size_t>(data.size(), 8)).starts_with("WEBP") ? "image/webp" : "";
}

result<void> check(const image& value) {
    const auto refused = [](std::string message, std::string hint) -> failure {
        return {.code = errc::invalid_argument, .message = std::move(message), .hint = std::move(hint)};
    };
    constexpr std::string_view kind = "image/";
    const std::string& type = value.mime_type();
    const bool is_plain =
        std::all_of(type.begin() + static_cast<std::ptrdiff_t>(std::min(type.size(), kind.size())), type.end(),
                    [](char c) { return detail::is_letter(c) || detail::is_digit(c) || c == '.' || c == '+' || c == '-'; });
    if (!type.starts_with(kind) || type.size() == kind.size() || !is_plain) {
        return refused("\"" + detail::one_line(type, 64) + "\" is not the MIME type of an image", "Give a type such as image/png.");
    }
    if (value.data().empty()) {
        return refused("the image has no data", "Give the content of an image file.");
    }
    if (const std::string_view found = image_type(value.data()); !found.empty() && found != type) {
        return refused("the image is declared as " + type + ", but its data is " + std::string(found),
                       "Declare it as " + std::string(found) + ".");
    }
    return {};
}

}  // namespace pyaichat::inline PYAICHAT_ABI
