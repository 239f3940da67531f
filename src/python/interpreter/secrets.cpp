#include "python/interpreter/secrets.hpp"

#include "python/python_api.hpp"

#include <array>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::array<std::string_view, 22> secret_words = {
    "APIKEY", "APIKEYS",  "AUTHORIZATION", "BEARER",     "COOKIE", "CREDENTIAL", "CREDENTIALS", "CREDS",     "KEY",   "KEYS",   "PASS",
    "PASSWD", "PASSWORD", "PASSWORDS",     "PASSPHRASE", "PWD",    "SECRET",     "SECRETS",     "SECRETKEY", "TOKEN", "TOKENS", "PASSCODE"};

/// Names of variables that have a word of the list, but hold no secret: the current folder and the one before it.
constexpr std::array<std::string_view, 2> public_names = {"PWD", "OLDPWD"};

constexpr char upper(char c) noexcept {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

bool same_word(std::string_view text, std::string_view word) noexcept {
    if (text.size() != word.size()) {
        return false;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (upper(text[i]) != word[i]) {
            return false;
        }
    }
    return true;
}

bool is_word_character(char c) noexcept {
    return upper(c) >= 'A' && upper(c) <= 'Z';
}

void remove_secrets_from(PyObject* variables) {
    std::vector<ref> secret;
    for (dict_cursor each{variables}; each.next();) {
        if (PyBytes_CheckExact(each.key) &&
            names_secret({PyBytes_AS_STRING(each.key), static_cast<std::size_t>(PyBytes_GET_SIZE(each.key))})) {
            secret.push_back(ref::share(each.key));
        }
    }
    for (const ref& name : secret) {
        if (PyDict_DelItem(variables, name.get()) != 0) {
            PyErr_Clear();
        }
    }
}

}  // namespace

bool names_secret(std::string_view variable) noexcept {
    for (const std::string_view name : public_names) {
        if (variable == name) {
            return false;
        }
    }
    for (std::size_t at = 0; at < variable.size();) {
        std::size_t end = at;
        while (end < variable.size() && is_word_character(variable[end])) {
            ++end;
        }
        for (const std::string_view word : secret_words) {
            if (same_word(variable.substr(at, end - at), word)) {
                return true;
            }
        }
        at = end + 1;
    }
    return false;
}

void remove_secrets_from_python() {
    // `os.environ` keeps its values in the dict of `posix.environ` or in a copy of it.
    const ref posix = ref::steal(PyImport_ImportModule("posix"));
    const ref first = posix ? ref::steal(PyObject_GetAttrString(posix.get(), "environ")) : ref();
    PyErr_Clear();
    const ref os = ref::steal(PyImport_ImportModule("os"));
    const ref mapping = os ? ref::steal(PyObject_GetAttrString(os.get(), "environ")) : ref();
    const ref second = mapping ? ref::steal(PyObject_GetAttrString(mapping.get(), "_data")) : ref();
    PyErr_Clear();
    remove_secrets_from(first.get());
    remove_secrets_from(second.get());
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
