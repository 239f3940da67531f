#include "agent/machine/partial_json.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

bool is_part_of_word(char byte) {
    return is_digit(byte) || is_letter(byte) || byte == '+' || byte == '-' || byte == '.';
}

std::string utf8_of(unsigned code) {
    std::string text;
    const auto add = [&](unsigned byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xC0 | (code >> 6));
        add(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        add(0xE0 | (code >> 12));
        add(0x80 | ((code >> 6) & 0x3F));
        add(0x80 | (code & 0x3F));
    } else {
        add(0xF0 | (code >> 18));
        add(0x80 | ((code >> 12) & 0x3F));
        add(0x80 | ((code >> 6) & 0x3F));
        add(0x80 | (code & 0x3F));
    }
    return text;
}

/// Returns the length of the UTF-8 sequence that begins with this byte.
std::size_t sequence_length(char byte) {
    const auto first = static_cast<unsigned char>(byte);
    return first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
}

constexpr std::string_view unknown_character = "\xEF\xBF\xBD";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

bool partial_json::add(std::string_view piece) {
    size_ += piece.size();
    for (const char byte : piece) {
        if (stage_ == stage::done) {
            break;
        }
        take(byte);
    }
    if (!grown_ || size_ - shown_ < size_ / 8) {
        return false;
    }
    grown_ = false;
    shown_ = size_;
    return true;
}

void partial_json::take(char byte) {
    if (stage_ == stage::string) {
        take_quoted(byte);
        return;
    }
    if (stage_ == stage::word) {
        if (is_part_of_word(byte)) {
            word_ += byte;
            return;
        }
        end_word();
    }
    if (stage_ == stage::fence) {
        stage_ = byte == '\n' ? stage::value : stage::fence;
        return;
    }
    const bool is_byte_order_mark = stage_ == stage::value && open_.empty() && byte_order_mark.find(byte) != std::string_view::npos;
    if (is_space(byte) || stage_ == stage::done || is_byte_order_mark) {
        return;
    }
    const bool may_end = stage_ == stage::comma_or_end;
    if (may_end && byte == ',') {
        stage_ = open_.back()->is_object() ? stage::key : stage::value;
    } else if (byte == ']' && (may_end || stage_ == stage::element_or_end)) {
        close(false);
    } else if (byte == '}' && (may_end || stage_ == stage::key_or_end)) {
        close(true);
    } else if (byte == '"' && (stage_ == stage::key || stage_ == stage::key_or_end)) {
        key_.clear();
        text_ = &key_;
        stage_ = stage::string;
    } else if (byte == ':' && stage_ == stage::colon) {
        stage_ = stage::value;
    } else if (stage_ == stage::value || stage_ == stage::element_or_end) {
        begin_value(byte);
    } else {
        stage_ = stage::done;
    }
}

void partial_json::begin_value(char byte) {
    if (byte == '"') {
        if (json* placed = place(std::string())) {
            text_ = placed->get_ptr<json::string_t*>();
            stage_ = stage::string;
        }
    } else if (byte == '{' || byte == '[') {
        const bool object = byte == '{';
        if (open_.size() == max_json_depth) {
            stage_ = stage::done;
        } else if (json* placed = place(object ? json::object() : json::array())) {
            open_.push_back(placed);
            stage_ = object ? stage::key_or_end : stage::element_or_end;
        }
    } else if (is_part_of_word(byte)) {
        word_ = byte;
        stage_ = stage::word;
    } else if (byte == '`' && open_.empty()) {
        stage_ = stage::fence;
    } else {
        stage_ = stage::done;
    }
}

/// Adds a value where the text is now. Returns null if an object has the member already.
json* partial_json::place(json value) {
    grown_ = true;
    if (open_.empty()) {
        root_ = std::move(value);
        return &root_;
    }
    if (open_.back()->is_array()) {
        return &open_.back()->emplace_back(std::move(value));
    }
    auto& members = *open_.back()->get_ptr<json::object_t*>();
    const auto [member, added] = members.emplace(key_, std::move(value));
    if (!added) {
        repeated_ = key_;
        stage_ = stage::done;
        return nullptr;
    }
    return &member->second;
}

void partial_json::close(bool object) {
    if (open_.back()->is_object() != object) {
        stage_ = stage::done;
        return;
    }
    open_.pop_back();
    after_value();
}

void partial_json::end_word() {
    result<json> value = parse_json(std::exchange(word_, {}));
    if (!value) {
        stage_ = stage::done;
    } else if (place(std::move(*value)) != nullptr) {
        after_value();
    }
}

// ---- strings

void partial_json::take_quoted(char byte) {
    if (escaped_ >= 0) {
        take_escaped(byte);
        return;
    }
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '\\') {
        flush_sequence();
        escaped_ = 0;
    } else if (byte == '"') {
        end_string();
    } else if (code < 0x20) {
        stage_ = stage::done;
    } else if (code < 0x80) {
        append({&byte, 1});
    } else {
        if (code >= 0xC0) {
            flush_sequence();
        }
        sequence_ += byte;
        if (sequence_.size() == sequence_length(sequence_.front())) {
            append(repair_utf8(std::exchange(sequence_, {})));
        }
    }
}

void partial_json::take_escaped(char byte) {
    if (escaped_ > 0) {
        const int digit = hex_digit(byte);
        if (digit < 0) {
            stage_ = stage::done;
            return;
        }
        unit_ = unit_ * 16 + static_cast<unsigned>(digit);
        if (++escaped_ < 5) {
            return;
        }
        escaped_ = -1;
        const unsigned high = std::exchange(high_, 0);
        if (unit_ >= 0xDC00 && unit_ <= 0xDFFF) {
            append(high != 0 ? utf8_of(0x10000 + ((high - 0xD800) << 10) + (unit_ - 0xDC00)) : std::string(unknown_character));
            return;
        }
        if (high != 0) {
            append(unknown_character);
        }
        if (unit_ >= 0xD800 && unit_ <= 0xDBFF) {
            high_ = unit_;
        } else {
            append(utf8_of(unit_));
        }
        return;
    }
    if (byte == 'u') {
        escaped_ = 1;
        unit_ = 0;
        return;
    }
    escaped_ = -1;
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view characters = "\"\\/\b\f\n\r\t";
    const std::size_t found = names.find(byte);
    if (found == std::string_view::npos) {
        stage_ = stage::done;
    } else {
        append(characters.substr(found, 1));
    }
}

void partial_json::append(std::string_view text) {
    flush_sequence();
    if (std::exchange(high_, 0) != 0) {
        *text_ += unknown_character;
    }
    *text_ += text;
    grown_ = grown_ || text_ != &key_;
}

/// Ends a character whose last bytes are missing.
void partial_json::flush_sequence() {
    if (!sequence_.empty()) {
        append(repair_utf8(std::exchange(sequence_, {})));
    }
}

void partial_json::end_string() {
    append({});
    if (std::exchange(text_, nullptr) == &key_) {
        stage_ = stage::colon;
    } else {
        after_value();
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
