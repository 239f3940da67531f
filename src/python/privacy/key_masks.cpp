#include "python/privacy/key_masks.hpp"

#include "python/privacy/secret_names.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

struct key_kind {
    std::string_view prefix;
    std::size_t least;      ///< characters after the prefix
    bool distinctive;       ///< the prefix is found inside words too, and needs no digit after it
    std::string_view mark;  ///< what takes its place
};

constexpr std::string_view key_mark = "***(looks like a key)";
constexpr std::string_view token_mark = "***(looks like a token)";
constexpr std::string_view private_key_mark = "***(looks like a private key)";

constexpr std::array<key_kind, 25> key_kinds = {
    {{"AIza", 30, true, key_mark},      {"sk-", 16, false, key_mark},          {"sk_live_", 10, true, key_mark},
     {"sk_test_", 10, true, key_mark},  {"rk_live_", 10, true, key_mark},      {"ghp_", 20, true, token_mark},
     {"gho_", 20, true, token_mark},    {"ghu_", 20, true, token_mark},        {"ghs_", 20, true, token_mark},
     {"ghr_", 20, true, token_mark},    {"github_pat_", 20, true, token_mark}, {"glpat-", 16, true, token_mark},
     {"xoxa-", 10, true, token_mark},   {"xoxb-", 10, true, token_mark},       {"xoxe-", 10, true, token_mark},
     {"xoxp-", 10, true, token_mark},   {"xoxr-", 10, true, token_mark},       {"xoxs-", 10, true, token_mark},
     {"AKIA", 16, false, key_mark},     {"ASIA", 16, false, key_mark},         {"hf_", 30, false, token_mark},
     {"npm_", 30, false, token_mark},   {"ya29.", 20, true, token_mark},       {"eyJ", 16, true, token_mark},
     {"Bearer ", 12, false, token_mark}}};
constexpr std::size_t least_of_a_cut_key = 4;
constexpr std::size_t least_random = 16;
constexpr std::size_t least_random_in_quotes = 8;

/// The characters with which keys begin. Most characters of a text are none of them.
constexpr auto key_beginnings = [] {
    std::array<bool, 256> begins{};
    for (const key_kind& kind : key_kinds) {
        begins[static_cast<unsigned char>(kind.prefix.front())] = true;
    }
    begins['b'] = true;  // `bearer`
    return begins;
}();

bool in_token(char c) {
    return pyaichat::detail::is_letter(c) || pyaichat::detail::is_digit(c) || c == '_' || c == '-';
}

bool has_digit(std::string_view text) {
    return std::any_of(text.begin(), text.end(), pyaichat::detail::is_digit);
}

bool is_random(std::string_view text) {
    return has_digit(text) && std::any_of(text.begin(), text.end(), pyaichat::detail::is_letter);
}

/// Whether no word ends right before `at`. The escape of a `repr` before it (`\n`, `\x1b`, `\u2028`) is not a word.
bool starts_word(std::string_view text, std::size_t at) {
    if (at == 0 || !in_token(text[at - 1])) {
        return true;
    }
    for (const std::size_t length : {2, 4, 6, 10}) {
        if (at >= length && text[at - length] == '\\') {
            const char kind = text[at - length + 1];
            return length == 2 || (length == 4 && kind == 'x') || (length == 6 && kind == 'u') || (length == 10 && kind == 'U');
        }
    }
    return false;
}

class key_scan {
public:
    explicit key_scan(std::string_view text) : text_(text) {}

    std::string run() {
        while (at_ < text_.size()) {
            if (!private_key() && !known_key() && !password_of_address() && !named_value()) {
                ++at_;
            }
        }
        return kept_ == 0 ? std::string(text_) : out_ + std::string(text_.substr(kept_));
    }

private:
    void replace(std::size_t begin, std::size_t end, std::string_view mark) {
        out_ += text_.substr(kept_, begin - kept_);
        out_ += mark;
        kept_ = at_ = end;
    }

    /// From `-----BEGIN ... PRIVATE KEY-----` to the line that ends it, or to the end of the text.
    bool private_key() {
        constexpr std::string_view begin = "-----BEGIN ";
        constexpr std::string_view kind = "PRIVATE KEY";
        if (text_[at_] != '-' || !text_.substr(at_).starts_with(begin)) {
            return false;
        }
        const std::size_t dashes = std::min(text_.find("-----", at_ + begin.size()), text_.size());
        const std::string_view label = text_.substr(at_ + begin.size(), dashes - at_ - begin.size());
        const bool cut = dashes == text_.size() && label.size() < 40;
        if (!cut && label.find(kind) == std::string_view::npos) {
            return false;
        }
        const std::size_t end = text_.find("-----END ", dashes);
        const std::size_t last = end == std::string_view::npos ? end : text_.find("-----", end + 9);
        replace(at_, last == std::string_view::npos ? text_.size() : last + 5, private_key_mark);
        return true;
    }

    [[nodiscard]] std::size_t token_end(std::size_t at, std::string_view more) const {
        while (at < text_.size() && (in_token(text_[at]) || more.find(text_[at]) != std::string_view::npos)) {
            ++at;
        }
        return at;
    }

    /// Whether the text was cut at `end`.
    [[nodiscard]] bool cut_at(std::size_t end) const { return end == text_.size() || text_.substr(end).starts_with("..."); }

    bool known_key() {
        if (!key_beginnings[static_cast<unsigned char>(text_[at_])]) {
            return false;
        }
        const std::string_view rest = text_.substr(at_);
        for (const key_kind& kind : key_kinds) {
            const bool fits = kind.prefix == "Bearer "
                                  ? pyaichat::detail::equals_ignoring_case(rest.substr(0, kind.prefix.size()), kind.prefix)
                                  : rest.starts_with(kind.prefix);
            if (!fits || (!kind.distinctive && !starts_word(text_, at_))) {
                continue;
            }
            const std::size_t body = at_ + kind.prefix.size();
            std::size_t end = token_end(body, kind.prefix == "eyJ" || kind.prefix == "Bearer " || kind.prefix == "ya29." ? ".~+/=" : "");
            while (end > body && text_[end - 1] == '.') {
                --end;  // the end of a sentence, or `...`
            }
            const std::string_view found = text_.substr(body, end - body);
            const bool whole = found.size() >= kind.least && (kind.distinctive || has_digit(found));
            const bool beginning = cut_at(end) && found.size() >= least_of_a_cut_key && (kind.distinctive || has_digit(found));
            if (whole || beginning) {
                replace(kind.prefix == "Bearer " ? body : at_, end, kind.mark);
                return true;
            }
        }
        return false;
    }

    /// `scheme://user:password@host`
    bool password_of_address() {
        constexpr std::string_view begin = "://";
        constexpr std::size_t longest = 256;
        if (text_[at_] != ':' || !text_.substr(at_).starts_with(begin)) {
            return false;
        }
        const std::string_view rest = text_.substr(at_ + begin.size(), longest);
        const std::string_view authority = rest.substr(0, rest.find_first_of("/ \t\n'\"<>"));
        const std::size_t host = authority.rfind('@');
        const std::size_t colon = authority.find(':');
        if (host == std::string_view::npos || colon >= host || colon + 1 == host || authority.substr(colon + 1).starts_with("***")) {
            return false;
        }
        const std::size_t password = at_ + begin.size() + colon + 1;
        replace(password, at_ + begin.size() + host, key_mark);
        return true;
    }

    /// A name that says secret, `=` or `:`, and a random text: `password=Xk29fjs84hf8s3kd`, `'api_key': 'x8Fj2...'`, `d["token"] =
    /// ("...")`, `key: str = "..."`, `setattr(c, "password", "...")`.
    bool named_value() {
        if (!in_token(text_[at_]) || text_[at_] == '-' || (at_ > 0 && in_token(text_[at_ - 1]) && !starts_word(text_, at_))) {
            return false;
        }
        std::size_t end = at_;
        while (end < text_.size() && in_token(text_[end])) {
            ++end;
        }
        std::size_t value = end;
        const auto skip = [&](std::string_view characters) {
            const std::size_t begin = value;
            while (value < text_.size() && value - begin < 6 && characters.find(text_[value]) != std::string_view::npos) {
                ++value;
            }
            return value > begin;
        };
        const bool named_in_quotes = skip("'\"\\ ])") && text_[end] != ' ';
        if (!skip(named_in_quotes ? ":=," : ":=") ||
            !mentions_secret(text_.substr(at_, std::min<std::size_t>(end - at_, longest_secret_name)))) {
            return false;
        }
        skip(" ");
        if (const std::size_t type = token_end(value, "[]."); type > value && text_.substr(type).starts_with(" = ")) {
            value = type + 3;  // an annotation
        }
        const std::size_t unquoted = value;
        skip("(brfu");  // as in (b'...')
        const bool quoted = skip("'\"\\");
        value = quoted ? value : unquoted;
        const std::size_t value_end = token_end(value, "+/=.~!@#$%^&*");
        const std::string_view found = text_.substr(value, value_end - value);
        if (found.size() < (quoted ? least_random_in_quotes : least_random) || !is_random(found) || found.starts_with("***")) {
            return false;
        }
        replace(value, value_end, key_mark);
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t kept_ = 0;  ///< the text before it is in `out_`
    std::string out_;
};

}  // namespace

std::string mask_keys(std::string_view text) {
    return key_scan(text).run();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
