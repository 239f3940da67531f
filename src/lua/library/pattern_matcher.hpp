#pragma once
#include "lua/sandbox/lua_api.hpp"

#include <cstddef>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Matches a Lua pattern (reference manual, section 6.4.1) at a position of a text. Charges every step to the plugin's budget, which ends
/// exponential patterns. A malformed pattern raises a Lua error. Plain data, because Lua errors skip its frames.
struct pattern_matcher {
    static constexpr int most_captures = 32;
    static constexpr std::ptrdiff_t open = -1;      ///< the capture has not been closed
    static constexpr std::ptrdiff_t position = -2;  ///< `()`: captures its position
    struct capture {
        const char* start;
        std::ptrdiff_t length;
    };

    /// If `may_anchor`, a `^` at the beginning of the pattern is an anchor: the caller matches only once.
    pattern_matcher(lua_State* state, std::string_view subject, std::string_view whole_pattern, bool may_anchor) noexcept
        : L(state),
          text(subject.data()),
          text_end(text + subject.size()),
          anchored(may_anchor && whole_pattern.starts_with('^')),
          pattern(whole_pattern.data() + (anchored ? 1 : 0)),
          pattern_end(whole_pattern.data() + whole_pattern.size()) {}

    lua_State* L;
    const char* text;
    const char* text_end;
    bool anchored;
    const char* pattern;
    const char* pattern_end;
    int depth = 0;
    int count = 0;
    capture captures[most_captures];

    /// Matches the pattern at `s`. Returns the end of the match, or null. Clears earlier captures. May raise.
    const char* run(const char* s);

    /// Pushes capture `index`. In a pattern without captures, capture 0 is the whole match [s, e). May raise.
    void push_capture(int index, const char* s, const char* e) const;
    /// Pushes all captures (without captures, the whole match unless `s` is null) and returns their number. May raise.
    int push_captures(const char* s, const char* e) const;

private:
    const char* match(const char* s, const char* p);
    const char* attempt(const char* s, const char* p);
    const char* item_end(const char* p) const;
    [[nodiscard]] bool fits(const char* s, const char* p, const char* end) const;
    [[nodiscard]] bool in_set(int c, const char* p, const char* closing) const;
    const char* longest(const char* s, const char* p, const char* end, std::ptrdiff_t least);
    const char* shortest(const char* s, const char* p, const char* end);
    const char* capture_from(const char* s, const char* p);
    const char* capture_to(const char* s, const char* p);
    const char* balanced(const char* s, const char* p) const;
    const char* frontier(const char* s, const char* p, const char** after) const;
    const char* again(const char* s, int digit) const;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
