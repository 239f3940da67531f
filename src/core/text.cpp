#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// The length of the UTF-8 sequence at the start of `text`; 0 if it is not valid. See Unicode table 3-7.
std::size_t sequence_length(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto continues = [&](std::size_t i, unsigned char low = 0x80, unsigned char high = 0xBF) {
        return i < text.size() && byte(i) >= low && byte(i) <= high;
    };
    const unsigned char lead = byte(0);
    if (lead < 0x80) {
        return 1;
    }
    if (lead >= 0xC2 && lead <= 0xDF) {
        return continues(1) ? 2 : 0;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        const unsigned char low = lead == 0xE0 ? 0xA0 : 0x80;
        const unsigned char high = lead == 0xED ? 0x9F : 0xBF;
        return continues(1, low, high) && continues(2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const unsigned char low = lead == 0xF0 ? 0x90 : 0x80;
        const unsigned char high = lead == 0xF4 ? 0x8F : 0xBF;
        return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

/// The length of the valid prefix. Checks ASCII eight bytes at a time.
std::size_t valid_length(std::string_view text) noexcept {
    std::size_t at = 0;
    while (at < text.size()) {
        std::uint64_t eight = 0;
        if (text.size() - at >= sizeof eight) {
            std::memcpy(&eight, text.data() + at, sizeof eight);
            if ((eight & 0x8080808080808080U) == 0) {
                at += sizeof eight;
                continue;
            }
        }
        const std::size_t length = sequence_length(text.substr(at));
        if (length == 0) {
            break;
        }
        at += length;
    }
    return at;
}

bool is_continuation(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

bool is_control(char byte) noexcept {
    return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F;
}

std::string cut(std::string text, std::size_t bytes) {
    constexpr std::string_view ellipsis = "...";
    if (text.size() <= bytes) {
        return text;
    }
    if (bytes <= ellipsis.size()) {
        return std::string(utf8_prefix(text, bytes));
    }
    return std::string(utf8_prefix(text, bytes - ellipsis.size())).append(ellipsis);
}

char lower(char byte) noexcept {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substitute = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substitute, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
    return valid_length(text) == text.size();
}

std::string repair_utf8(std::string_view text) {
    std::string repaired;
    repaired.reserve(text.size());
    for (;;) {
        const std::size_t valid = valid_length(text);
        repaired.append(text.substr(0, valid));
        text.remove_prefix(valid);
        if (text.empty()) {
            break;
        }
        repaired.append(replacement);
        text.remove_prefix(1);
        while (!text.empty() && is_continuation(text.front())) {
            text.remove_prefix(1);
        }
    }
    return repaired;
}

bool is_space(char byte) noexcept {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

std::string_view trimmed(std::string_view text) noexcept {
    while (!text.empty() && is_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::string percent_decoded(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0) {
            plain += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
            i += 2;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

std::string ascii_lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view utf8_prefix(std::string_view text, std::size_t bytes) noexcept {
    if (text.size() <= bytes) {
        return text;
    }
    while (bytes > 0 && is_continuation(text[bytes])) {
        --bytes;
    }
    return text.substr(0, bytes);
}

std::string_view utf8_suffix(std::string_view text, std::size_t bytes) noexcept {
    if (text.size() <= bytes) {
        return text;
    }
    std::size_t from = text.size() - bytes;
    while (from < text.size() && is_continuation(text[from])) {
        ++from;
    }
    return text.substr(from);
}

std::string one_line(std::string_view text, std::size_t bytes) {
    std::string line;
    bool gap = false;
    for (const char byte : text) {
        if (is_space(byte)) {
            gap = !line.empty();
            continue;
        }
        if (is_control(byte)) {
            continue;
        }
        if (std::exchange(gap, false)) {
            line.push_back(' ');
        }
        line.push_back(byte);
        if (line.size() > bytes) {
            break;
        }
    }
    return cut(repair_utf8(line), bytes);
}

std::string one_row(std::string_view text, std::size_t bytes) {
    // A few bytes more than are kept, so that `cut` sees that the text was longer.
    std::string row = repair_utf8(utf8_prefix(text, bytes + 4));
    std::replace_if(row.begin(), row.end(), is_control, ' ');
    return cut(std::move(row), bytes);
}

std::string counted(std::int64_t count, std::string_view noun) {
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

bool is_blank(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), is_space);
}

std::string_view nearest_name(std::string_view name, std::span<const std::string> candidates) {
    // A typo changes about a third of the letters at most. Long names are skipped because the comparison takes quadratic time.
    constexpr std::size_t longest = 128;
    std::string_view nearest;
    std::size_t best = name.size() / 3 + 2;
    for (const std::string& candidate : candidates) {
        if (name.empty() || name.size() > longest || candidate.size() > longest) {
            continue;
        }
        const bool contains = name.size() >= 3 && (candidate.find(name) != std::string::npos ||
                                                   (candidate.size() >= 3 && name.find(candidate) != std::string_view::npos));
        const std::size_t distance = contains ? 1 : edit_distance(name, candidate);
        if (distance < best) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
