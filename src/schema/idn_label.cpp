#include "schema/idn_label.hpp"

#include <pyaichat/core/text.hpp>

#include "schema/idn_tables.hpp"
#include "schema/pattern.hpp"
#include "schema/punycode.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::string_view a_label_prefix = "xn--";
constexpr std::size_t longest_label_bytes = 4 * 63;

bool is_ascii_text(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::u32string code_points_of(std::string_view text) {
    std::u32string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xc0) == 0x80) {
            out.back() = (out.back() << 6) | (byte & 0x3fU);
        } else {
            out += byte < 0x80 ? byte : byte < 0xe0 ? byte & 0x1fU : byte < 0xf0 ? byte & 0x0fU : byte & 0x07U;
        }
    }
    return out;
}

std::string utf8_of(std::u32string_view text) {
    std::string out;
    for (const char32_t c : text) {
        if (c < 0x80) {
            out += static_cast<char>(c);
            continue;
        }
        const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        constexpr std::array<unsigned, 4> lead{0, 0xc0, 0xe0, 0xf0};
        out += static_cast<char>(lead[static_cast<std::size_t>(more)] | (c >> (6 * more)));
        for (int i = more - 1; i >= 0; --i) {
            out += static_cast<char>(0x80U | ((c >> (6 * i)) & 0x3fU));
        }
    }
    return out;
}

/// A rule of RFC 5891 and RFC 5892: whether the pattern must, or must not, be found in a U-label.
struct label_rule {
    pattern found;
    bool wanted;
};

const std::vector<label_rule>& label_rules() {
    // Never destroyed: a detached thread may still validate when the process ends.
    static const std::vector<label_rule>& rules = []() -> const std::vector<label_rule>& {
        const std::string viramas(idn_viramas);
        const std::string letters = R"([\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u13a0-\u13f5\-\u00b7\u0375\u05f3\u05f4\u0f0b\u3007)"
                                    R"(\u30fb\u06fd\u06fe\u200c\u200d])";
        const std::string transparent = R"([\p{Mn}\p{Me}]*)";
        const std::array<std::pair<std::string, bool>, 11> sources{{
            {"^" + letters + "+$", true},
            {"[" + std::string(idn_disallowed) + "]", false},
            {R"(^-|-$|^..--|^\p{M})", false},
            {R"((?<!l)\u00b7|\u00b7(?!l))", false},
            {R"(\u0375(?!\p{Script=Greek}))", false},
            {R"((?<!\p{Script=Hebrew})[\u05f3\u05f4])", false},
            {R"(^[^\u30fb]*$|[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}])", true},
            {R"([\u0660-\u0669].*[\u06f0-\u06f9]|[\u06f0-\u06f9].*[\u0660-\u0669])", false},
            {"(?<![" + viramas + R"(])\u200d)", false},
            {R"(^(?:[^\u200c]*(?:[)" + viramas + "]|[" + std::string(idn_joins_next) + "]" + transparent + R"((?=\u200c)" + transparent +
                 "[" + std::string(idn_joins_previous) + R"(]))\u200c)*[^\u200c]*$)",
             true},
            {R"([^\u0000-\u007f])", true},
        }};
        auto& compiled = *new std::vector<label_rule>;
        for (const auto& [source, wanted] : sources) {
            result<pattern> rule = pattern::compile(source);
            PYAICHAT_ASSERT(rule, "the rules of U-labels are patterns");
            compiled.push_back({*std::move(rule), wanted});
        }
        return compiled;
    }();
    return rules;
}

bool is_u_label(std::string_view label) {
    std::uint64_t steps = 100'000;
    return label.size() <= longest_label_bytes && std::all_of(label_rules().begin(), label_rules().end(), [&](const label_rule& rule) {
               return rule.found.found_in(label, steps) == rule.wanted;
           });
}

}  // namespace

bool starts_like_a_label(std::string_view label) noexcept {
    return equals_ignoring_case(label.substr(0, a_label_prefix.size()), a_label_prefix);
}

bool is_a_label(std::string_view label) {
    const std::string encoded = ascii_lower(label.substr(a_label_prefix.size()));
    const auto decoded = from_punycode(encoded);
    return decoded && is_u_label(utf8_of(*decoded)) && punycode_of(*decoded) == encoded;
}

std::string a_label_of(std::string_view label) {
    if (is_ascii_text(label)) {
        return std::string(label);
    }
    if (!is_u_label(label)) {
        return {};
    }
    const std::string encoded = punycode_of(code_points_of(label));
    return encoded.empty() ? std::string() : std::string(a_label_prefix) + encoded;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
