#include "python/privacy/secret_names.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::array<std::string_view, 14> secret_words = {"password",   "passwords", "passwd",      "passphrase",   "passcode",
                                                           "pwd",        "secret",    "secrets",     "token",        "apikey",
                                                           "credential", "creds",     "credentials", "authorization"};
/// `key` and `tokens` are secrets only after one of these words.
constexpr std::array<std::string_view, 11> secret_before_key = {"api",     "access",     "private", "secret", "auth",   "signing",
                                                                "session", "encryption", "master",  "ssh",    "refresh"};
/// A name that ends with one of these words describes a secret and does not hold it.
constexpr std::array<std::string_view, 15> describing_words = {"count", "length", "len",  "size",  "limit", "type",   "types", "name",
                                                               "names", "index",  "file", "field", "url",   "policy", "kind"};

template <std::size_t Size>
bool is_among(const std::array<std::string_view, Size>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Splits at `_`, at digits, and before a capital that follows a small letter.
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words(1);
    char before = '_';
    for (const char c : name) {
        const bool capital = c >= 'A' && c <= 'Z';
        if (!pyaichat::detail::is_letter(c) || (capital && before >= 'a' && before <= 'z')) {
            words.emplace_back();
        }
        if (pyaichat::detail::is_letter(c)) {
            words.back() += capital ? static_cast<char>(c - 'A' + 'a') : c;
        }
        before = c;
    }
    std::erase_if(words, [](const std::string& word) { return word.empty(); });
    return words;
}

}  // namespace

bool says_secret(std::string_view name) {
    if (name.size() > static_cast<std::size_t>(longest_secret_name)) {
        return false;
    }
    const std::vector<std::string> words = words_of(name);
    if (words.empty() || is_among(describing_words, words.back())) {
        return false;
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool plain = is_among(secret_words, words[i]);
        const bool qualified = words[i] == "key" || words[i] == "keys" || words[i] == "tokens";
        if (plain || (qualified && i > 0 && is_among(secret_before_key, words[i - 1]))) {
            return true;
        }
    }
    return false;
}

bool mentions_secret(std::string_view text) {
    return any_name_in(text, [](std::string_view name) { return says_secret(name); });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
