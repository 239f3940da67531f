#include "openai/call_ids.hpp"

#include "core/fingerprint.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

constexpr std::size_t short_id_length = 9;
constexpr std::size_t longest_id = 40;

/// Nine letters or digits that depend on the seed alone.
std::string nine_characters(std::string_view seed) {
    constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::uint64_t number = detail::fingerprint(seed);
    std::string out;
    for (std::size_t i = 0; i < short_id_length; ++i) {
        out += digits[number % digits.size()];
        number /= digits.size();
    }
    return out;
}

}  // namespace

std::string made_up_id(std::string_view seed) {
    return "call_" + nine_characters(seed);
}

void call_ids::begin_message() {
    if (!in_conversation_) {
        used_.clear();
    }
}

bool call_ids::acceptable(std::string_view id, bool own) const {
    const bool plain = std::all_of(id.begin(), id.end(), [](char c) { return detail::is_letter(c) || detail::is_digit(c); });
    if (style_ == openai_call_ids::nine) {
        return plain && id.size() == short_id_length;
    }
    const bool safe =
        std::all_of(id.begin(), id.end(), [](char c) { return detail::is_letter(c) || detail::is_digit(c) || c == '_' || c == '-'; });
    return !id.empty() && (own || (safe && id.size() <= longest_id));
}

std::string call_ids::take(std::string_view id, bool own) {
    ++count_;
    std::string chosen(id);
    for (std::size_t attempt = 0; !acceptable(chosen, own) || used_.contains(chosen); ++attempt) {
        // The place of the call distinguishes equal ids; the attempt, equal fingerprints.
        const std::string seed = std::string(id) + "/" + std::to_string(count_) + "/" + std::to_string(attempt);
        chosen = style_ == openai_call_ids::nine ? nine_characters(seed) : made_up_id(seed);
    }
    used_.insert(chosen);
    return chosen;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
