#pragma once
#include <pyaichat/core/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Reads a JSON text that arrives in pieces, and has the value as far as it is known. Between two pieces, the value only grows: strings get
/// longer, arrays and objects get more elements. A number or a word such as `true` is part of the value when it is complete. The text may
/// begin with the line that opens a code fence. Reads each byte once. Stops at the first byte that cannot be part of JSON.
class partial_json {
public:
    partial_json() = default;
    partial_json(const partial_json&) = delete;
    partial_json& operator=(const partial_json&) = delete;

    /// Reads the next piece. Returns whether to show the value: it has grown, and the text has grown by an eighth since it was last shown.
    /// All values that are shown are then together not larger than some multiple of the text.
    bool add(std::string_view piece);

    /// Returns the value so far; null if there is none.
    [[nodiscard]] const json& value() const noexcept { return root_; }
    /// Returns the number of bytes so far.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Returns the name of the first member that an object has twice, or an empty text.
    [[nodiscard]] const std::string& repeated_member() const noexcept { return repeated_; }

private:
    enum class stage : unsigned char {
        fence,  ///< in the line that opens the code fence
        value,
        element_or_end,  ///< after `[`
        key,
        key_or_end,  ///< after `{`
        colon,
        comma_or_end,
        string,
        word,  ///< in a number, or in `true`, `false` or `null`
        done,  ///< at the end of the value, or at a byte that cannot be part of JSON
    };

    void take(char byte);
    void take_quoted(char byte);
    void take_escaped(char byte);
    void append(std::string_view text);
    void flush_sequence();
    void end_string();
    void end_word();
    void begin_value(char byte);
    void close(bool object);
    json* place(json value);
    void after_value() { stage_ = open_.empty() ? stage::done : stage::comma_or_end; }

    json root_ = {};
    std::vector<json*> open_ = {};  ///< the arrays and objects that are not closed; the last one alone changes
    stage stage_ = stage::value;
    std::string key_ = {};
    std::string* text_ = nullptr;  ///< the string that is being read: `key_`, or a part of `root_`
    std::string word_ = {};
    std::string sequence_ = {};  ///< the bytes so far of a character that is not ASCII
    int escaped_ = -1;           ///< in an escape: the number of bytes after the backslash
    unsigned unit_ = 0;          ///< of `\uXXXX`, as far as it was read
    unsigned high_ = 0;          ///< a high surrogate that waits for the low one
    std::string repeated_ = {};
    bool grown_ = false;
    std::size_t size_ = 0;
    std::size_t shown_ = 0;  ///< the size when the value was last shown
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
