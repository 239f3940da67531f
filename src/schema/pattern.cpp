#include "schema/pattern.hpp"

#include "schema/ecma_pattern.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::size_t longest_pattern = 16 * 1024;
/// The backtracking limit of the first search, and its growth. PCRE2 does not report the number of backtracks, so a search is charged with
/// the limit under which it ended.
constexpr std::uint32_t first_limit = 64;
constexpr std::uint32_t limit_growth = 4;
constexpr std::uint32_t last_limit = 64U << 20;

}  // namespace

result<pattern> pattern::compile(std::string_view text) {
    const auto refuse = [](std::string why) {
        return failure{.code = errc::invalid_argument, .message = std::move(why), .hint = "Use a regular expression of ECMA-262."};
    };
    if (text.size() > longest_pattern) {
        return refuse("it is longer than " + std::to_string(longest_pattern) + " bytes");
    }
    const result<std::string> translated = pcre_from_ecma(text);
    if (!translated) {
        return translated.error();
    }
    // No just-in-time compilation: it needs writable and executable memory.
    constexpr std::uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF |
                                      PCRE2_ALLOW_EMPTY_CLASS | PCRE2_NEVER_BACKSLASH_C;
    int error = 0;
    std::size_t offset = 0;
    pcre2_code* const compiled =
        pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated->data()), translated->size(), options, &error, &offset, nullptr);
    if (compiled == nullptr) {
        std::array<PCRE2_UCHAR, 200> message{};
        pcre2_get_error_message(error, message.data(), message.size());
        return refuse(reinterpret_cast<const char*>(message.data()));
    }
    return pattern(std::shared_ptr<const pcre2_code>(compiled, &pcre2_code_free));
}

std::size_t pattern::size() const noexcept {
    std::size_t bytes = 0;
    static_cast<void>(pcre2_pattern_info(code_.get(), PCRE2_INFO_SIZE, &bytes));
    return bytes;
}

std::optional<bool> pattern::found_in(std::string_view text, std::uint64_t& steps) const {
    const std::unique_ptr<pcre2_match_data, void (*)(pcre2_match_data*)> data(pcre2_match_data_create(1, nullptr), &pcre2_match_data_free);
    const std::unique_ptr<pcre2_match_context, void (*)(pcre2_match_context*)> context(pcre2_match_context_create(nullptr),
                                                                                       &pcre2_match_context_free);
    if (data == nullptr || context == nullptr) {
        return std::nullopt;
    }
    // Between two backtracks the engine may scan the whole text, at about 64 characters per step.
    const std::uint64_t reading = 1 + text.size() / 64;
    for (std::uint32_t limit = first_limit;; limit *= limit_growth) {
        const std::uint64_t charge = (limit == first_limit ? 1 : limit / 4) * reading;
        if (charge > steps || limit > last_limit) {
            steps = 0;
            return std::nullopt;
        }
        steps -= charge;
        pcre2_set_match_limit(context.get(), limit);
        const int found = pcre2_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0, 0, data.get(), context.get());
        if (found >= 0 || found == PCRE2_ERROR_NOMATCH) {
            return found >= 0;
        }
        if (found != PCRE2_ERROR_MATCHLIMIT) {
            steps = 0;
            return std::nullopt;
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
