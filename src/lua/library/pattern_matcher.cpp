#include "lua/library/pattern_matcher.hpp"

#include "lua/sandbox/guest.hpp"

#include <cctype>
#include <cstring>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// The maximum recursion, which limits the C stack.
constexpr int deepest = 200;

int byte_at(const char* s) noexcept {
    return static_cast<unsigned char>(*s);
}

/// Matches `%a`, `%D` and so on; an uppercase letter is the complement. Any other character matches itself.
bool in_class(int c, int letter) noexcept {
    bool inside = false;
    switch (std::tolower(letter)) {
        case 'a': inside = std::isalpha(c) != 0; break;
        case 'c': inside = std::iscntrl(c) != 0; break;
        case 'd': inside = std::isdigit(c) != 0; break;
        case 'g': inside = std::isgraph(c) != 0; break;
        case 'l': inside = std::islower(c) != 0; break;
        case 'p': inside = std::ispunct(c) != 0; break;
        case 's': inside = std::isspace(c) != 0; break;
        case 'u': inside = std::isupper(c) != 0; break;
        case 'w': inside = std::isalnum(c) != 0; break;
        case 'z': inside = c == 0; break;  // deprecated, but supported
        case 'x': inside = std::isxdigit(c) != 0; break;
        default: return letter == c;
    }
    return std::isupper(letter) != 0 ? !inside : inside;
}

}  // namespace

const char* pattern_matcher::run(const char* s) {
    depth = 0;
    count = 0;
    return match(s, pattern);
}

const char* pattern_matcher::match(const char* s, const char* p) {
    if (++depth > deepest) {
        luaL_error(L, "the pattern is too complex");
    }
    const char* const end = attempt(s, p);
    --depth;
    return end;
}

const char* pattern_matcher::attempt(const char* s, const char* p) {
    while (p != pattern_end) {
        switch (*p) {
            case '(': return capture_from(s, p + 1);
            case ')': return capture_to(s, p + 1);
            case '$':
                if (p + 1 == pattern_end) {
                    return s == text_end ? s : nullptr;
                }
                break;
            case '%':
                if (p + 1 != pattern_end && p[1] == 'b') {
                    s = balanced(s, p + 2);
                    p += 4;
                } else if (p + 1 != pattern_end && p[1] == 'f') {
                    s = frontier(s, p + 2, &p);
                } else if (p + 1 != pattern_end && std::isdigit(byte_at(p + 1)) != 0) {
                    s = again(s, byte_at(p + 1));
                    p += 2;
                } else {
                    break;
                }
                if (s == nullptr) {
                    return nullptr;
                }
                continue;
            default: break;
        }
        const char* const end = item_end(p);
        switch (end != pattern_end ? *end : '\0') {
            case '?':
                if (fits(s, p, end)) {
                    if (const char* const found = match(s + 1, end + 1)) {
                        return found;
                    }
                }
                p = end + 1;
                continue;
            case '*': return longest(s, p, end, 0);
            case '+': return longest(s, p, end, 1);
            case '-': return shortest(s, p, end);
            default: break;
        }
        if (!fits(s, p, end)) {
            return nullptr;
        }
        ++s;
        p = end;
    }
    return s;
}

/// Where the single-character item at `p` ends.
const char* pattern_matcher::item_end(const char* p) const {
    const char first = *p++;
    if (first == '%') {
        if (p == pattern_end) {
            luaL_error(L, "the pattern ends with a single '%%'");
        }
        return p + 1;
    }
    if (first != '[') {
        return p;
    }
    if (p != pattern_end && *p == '^') {
        ++p;
    }
    do {  // a ']' at the beginning is literal
        if (p == pattern_end) {
            luaL_error(L, "the pattern lacks a ']'");
        }
        if (*p++ == '%') {
            ++p;  // a position after the end is detected below
        }
        if (p > pattern_end) {
            luaL_error(L, "the pattern lacks a ']'");
        }
    } while (p == pattern_end || *p != ']');
    return p + 1;
}

bool pattern_matcher::fits(const char* s, const char* p, const char* end) const {
    charge(L, 1);
    if (s >= text_end) {
        return false;
    }
    const int c = byte_at(s);
    switch (*p) {
        case '.': return true;
        case '%': return in_class(c, byte_at(p + 1));
        case '[': return in_set(c, p + 1, end - 1);
        default: return byte_at(p) == c;
    }
}

bool pattern_matcher::in_set(int c, const char* p, const char* closing) const {
    charge(L, 1 + static_cast<std::uint64_t>(closing - p) / 8);
    const bool positive = *p != '^';
    if (!positive) {
        ++p;
    }
    for (; p < closing; ++p) {
        if (*p == '%') {
            ++p;
            if (in_class(c, byte_at(p))) {
                return positive;
            }
        } else if (p + 2 < closing && p[1] == '-') {
            if (byte_at(p) <= c && c <= byte_at(p + 2)) {
                return positive;
            }
            p += 2;
        } else if (byte_at(p) == c) {
            return positive;
        }
    }
    return !positive;
}

const char* pattern_matcher::longest(const char* s, const char* p, const char* end, std::ptrdiff_t least) {
    std::ptrdiff_t taken = 0;
    while (fits(s + taken, p, end)) {
        ++taken;
    }
    for (; taken >= least; --taken) {
        charge(L, 1);
        if (const char* const found = match(s + taken, end + 1)) {
            return found;
        }
    }
    return nullptr;
}

const char* pattern_matcher::shortest(const char* s, const char* p, const char* end) {
    for (;; ++s) {
        if (const char* const found = match(s, end + 1)) {
            return found;
        }
        if (!fits(s, p, end)) {
            return nullptr;
        }
    }
}

const char* pattern_matcher::capture_from(const char* s, const char* p) {
    if (count == most_captures) {
        luaL_error(L, "the pattern has too many captures");
    }
    const bool is_position = p != pattern_end && *p == ')';
    captures[count++] = {s, is_position ? position : open};
    const char* const found = match(s, is_position ? p + 1 : p);
    if (found == nullptr) {
        --count;
    }
    return found;
}

const char* pattern_matcher::capture_to(const char* s, const char* p) {
    int index = count - 1;
    while (index >= 0 && captures[index].length != open) {
        --index;
    }
    if (index < 0) {
        luaL_error(L, "the pattern closes a capture that is not open");
    }
    captures[index].length = s - captures[index].start;
    const char* const found = match(s, p);
    if (found == nullptr) {
        captures[index].length = open;
    }
    return found;
}

const char* pattern_matcher::balanced(const char* s, const char* p) const {
    if (pattern_end - p < 2) {
        luaL_error(L, "'%%b' in a pattern needs two characters");
    }
    if (s == text_end || *s != p[0]) {
        return nullptr;
    }
    std::ptrdiff_t nesting = 1;
    for (++s; s != text_end; ++s) {
        charge(L, 1);
        if (*s == p[1]) {
            if (--nesting == 0) {
                return s + 1;
            }
        } else if (*s == p[0]) {
            ++nesting;
        }
    }
    return nullptr;
}

const char* pattern_matcher::frontier(const char* s, const char* p, const char** after) const {
    if (p == pattern_end || *p != '[') {
        luaL_error(L, "'%%f' in a pattern needs a set");
    }
    const char* const end = item_end(p);
    *after = end;
    const int before = s == text ? 0 : byte_at(s - 1);
    const int here = s == text_end ? 0 : byte_at(s);
    return !in_set(before, p + 1, end - 1) && in_set(here, p + 1, end - 1) ? s : nullptr;
}

const char* pattern_matcher::again(const char* s, int digit) const {
    const int index = digit - '1';
    if (index < 0 || index >= count || captures[index].length == open) {
        luaL_error(L, "the pattern refers to capture %%%d, which does not exist", digit - '0');
    }
    const std::ptrdiff_t length = captures[index].length == position ? 0 : captures[index].length;
    charge(L, 1 + static_cast<std::uint64_t>(length) / 16);
    const bool same = text_end - s >= length && std::memcmp(captures[index].start, s, static_cast<std::size_t>(length)) == 0;
    return same ? s + length : nullptr;
}

void pattern_matcher::push_capture(int index, const char* s, const char* e) const {
    if (index >= count) {
        if (index != 0) {
            luaL_error(L, "there is no capture %%%d", index + 1);
        }
        lua_pushlstring(L, s, static_cast<std::size_t>(e - s));
        return;
    }
    const capture& found = captures[index];
    if (found.length == open) {
        luaL_error(L, "the pattern does not close a capture");
    } else if (found.length == position) {
        lua_pushinteger(L, found.start - text + 1);
    } else {
        lua_pushlstring(L, found.start, static_cast<std::size_t>(found.length));
    }
}

int pattern_matcher::push_captures(const char* s, const char* e) const {
    const int pushed = count == 0 && s != nullptr ? 1 : count;
    luaL_checkstack(L, pushed, "too many captures");
    charge(L, static_cast<std::uint64_t>(pushed));
    for (int i = 0; i < pushed; ++i) {
        push_capture(i, s, e);
    }
    return pushed;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
