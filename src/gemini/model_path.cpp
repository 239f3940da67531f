#include "gemini/model_path.hpp"

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

constexpr std::string_view prefix = "models/";
constexpr std::string_view tuned = "tunedModels/";

}  // namespace

std::string model_name(std::string_view model) {
    while (model.starts_with('/') || model.starts_with(prefix)) {
        model.remove_prefix(model.starts_with('/') ? 1 : prefix.size());
    }
    return std::string(model.starts_with(tuned) ? "" : prefix) + std::string(model);
}

std::string url_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
            std::string_view("-._~").find(c) != std::string_view::npos) {
            out += c;
        } else {
            constexpr std::string_view digits = "0123456789ABCDEF";
            out += {'%', digits[byte >> 4U], digits[byte & 15U]};
        }
    }
    return out;
}

std::string model_path(std::string_view model) {
    const std::string name = model_name(model);
    const std::size_t slash = name.find('/') + 1;
    return "/" + name.substr(0, slash) + url_escaped(std::string_view(name).substr(slash));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
