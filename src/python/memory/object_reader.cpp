#include "python/memory/object_reader.hpp"

#include "python/look/bounded_text.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

// Larger values can only be garbage, or are not worth reading.
constexpr std::uint64_t max_text_length = std::uint64_t{1} << 40;
constexpr std::uint64_t max_item_count = std::uint64_t{1} << 40;
constexpr std::uint64_t max_read_digits = 256;
constexpr std::size_t max_static_name = 200;
constexpr std::size_t max_head = 64;

constexpr std::uint64_t heap_type_flag = 1UL << 9;       // Py_TPFLAGS_HEAPTYPE
constexpr std::uint64_t type_subclass_flag = 1UL << 31;  // Py_TPFLAGS_TYPE_SUBCLASS

char32_t valid_char(std::uint32_t code) {
    return code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? U'\uFFFD' : static_cast<char32_t>(code);
}

/// A C string, read in pieces because nobody knows where its memory ends.
std::string read_c_string(bounded_memory& memory, address from) {
    std::string text;
    while (text.size() < max_static_name) {
        // Pieces that do not cross a border of 16 bytes do not cross one of a page.
        std::vector<char> piece(16 - from % 16);
        if (!memory.load_all(from, piece)) {
            break;
        }
        const auto end = std::find(piece.begin(), piece.end(), '\0');
        text.append(piece.begin(), end);
        if (end != piece.end()) {
            return text;
        }
        from += piece.size();
    }
    return {};
}

template <class T>
T number_in(std::span<const std::byte> bytes, std::size_t at) {
    T value{};
    if (at <= bytes.size() && bytes.size() - at >= sizeof value) {
        std::memcpy(&value, bytes.data() + at, sizeof value);
    }
    return value;
}

bool is_plain_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

}  // namespace

std::string remote_type::qualified() const {
    return module == "builtins" || module == "__main__" || module == "?" ? name : module + "." + name;
}

address object_reader::type_of(address object) const {
    std::array<std::byte, max_head> head = {};
    const std::size_t at = layout().object.type;
    const bool done =
        object != 0 && memory_.read_head(object, std::span(head).first(std::min(at + sizeof(address), head.size())), layout().object.type);
    return done ? number_in<address>(head, at) : 0;
}

bool object_reader::is_type(address object) {
    return (read_type_of(object).flags & type_subclass_flag) != 0;
}

const remote_type& object_reader::read_type(address type) {
    if (const auto found = types_.find(type); found != types_.end()) {
        return found->second;
    }
    remote_type read;
    const memory_layout::type_members& at = layout().type;
    const auto flags = type == 0 ? std::nullopt : memory_.load<std::uint64_t>(type + at.flags);
    if (flags) {
        read.flags = *flags;
        read.basic_size = memory_.load<std::int64_t>(type + at.basic_size).value_or(0);
        read.dict_offset = memory_.load<std::int64_t>(type + at.dict_offset).value_or(0);
        read.dict = pointer_at(type + at.dict);
        if ((*flags & heap_type_flag) != 0) {
            read.cached_keys = pointer_at(type + at.cached_keys);
            read.name = read_text(pointer_at(type + at.qualified_name)).value_or("?");
            read.module = read_text(find_entry(read.dict, "__module__")).value_or("?");
        } else if (const std::string full = read_c_string(memory_, pointer_at(type + at.name)); is_plain_name(full)) {
            const std::size_t dot = full.rfind('.');
            read.name = dot == std::string::npos ? full : full.substr(dot + 1);
            read.module = dot == std::string::npos ? "builtins" : full.substr(0, dot);
        }
    }
    if (read.name == "?") {
        memory_.doubt();
    }
    return types_.emplace(type, std::move(read)).first->second;
}

std::optional<remote_text> object_reader::find_text(address object) const {
    const memory_layout::text_members& at = layout().text;
    // One read for the whole head: most reads are of names.
    std::array<std::byte, max_head> head = {};
    const std::size_t size = std::min<std::size_t>(at.state + sizeof(std::uint32_t), head.size());
    if (object == 0 || known().text == 0 || !memory_.read_head(object, std::span(head).first(size), layout().object.type) ||
        number_in<address>(head, layout().object.type) != known().text) {
        return std::nullopt;
    }
    const auto length = number_in<std::uint64_t>(head, at.length);
    const auto state = number_in<std::uint32_t>(head, at.state);
    // Two bits for interning, three for the size of a character, one each for compact and ASCII.
    const std::uint32_t kind = state >> 2 & 7;
    const bool compact = (state >> 5 & 1) != 0;
    const bool ascii = (state >> 6 & 1) != 0;
    if (length > max_text_length || (kind != 1 && kind != 2 && kind != 4)) {
        return std::nullopt;
    }
    const address data = !compact ? pointer_at(object + at.data_pointer) : object + (ascii ? at.ascii_data : at.compact_data);
    return remote_text{.length = length, .char_size = static_cast<std::uint8_t>(kind), .data = data};
}

std::optional<std::vector<char32_t>> object_reader::read_chars(const remote_text& text, std::size_t max_chars) const {
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(text.length, max_chars));
    std::vector<std::byte> bytes(count * text.char_size);
    if (!memory_.load_all(text.data, bytes)) {
        return std::nullopt;
    }
    std::vector<char32_t> chars(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t code = 0;
        std::memcpy(&code, bytes.data() + i * text.char_size, text.char_size);  // little-endian, as are all systems with a reader
        chars[i] = static_cast<char32_t>(code);
    }
    return chars;
}

std::optional<std::string> object_reader::read_text(address object, std::size_t max_chars) const {
    const std::optional<remote_text> text = find_text(object);
    const auto chars = text ? read_chars(*text, max_chars) : std::nullopt;
    if (!chars) {
        return std::nullopt;
    }
    std::string utf8;
    for (const char32_t each : *chars) {
        append_utf8(utf8, valid_char(each));
    }
    return utf8;
}

bool object_reader::is_text(address object, std::string_view text) const {
    const std::optional<remote_text> found = find_text(object);
    // A code point has one to four bytes of UTF-8.
    if (!found || found->length > text.size() || found->length < text.size() / 4) {
        return false;
    }
    return read_text(object, text.size()) == text;
}

std::optional<remote_integer> object_reader::read_integer(address object) const {
    const memory_layout::integer_members& at = layout().integer;
    remote_integer read;
    if (at.has_tag) {
        const auto tag = memory_.load<std::uint64_t>(object + at.tag);
        if (!tag) {
            return std::nullopt;
        }
        read.negative = (*tag & 3) == 2;
        read.digit_count = (*tag & 3) == 1 ? 0 : *tag >> 3;
    } else {
        const auto size = memory_.load<std::int64_t>(object + layout().object.count);
        if (!size) {
            return std::nullopt;
        }
        read.negative = *size < 0;
        read.digit_count = *size < 0 ? ~static_cast<std::uint64_t>(*size) + 1 : static_cast<std::uint64_t>(*size);
    }
    if (read.digit_count > max_item_count) {
        return std::nullopt;
    }
    const auto top = read.digit_count == 0
                         ? std::optional<std::uint32_t>(0)
                         : memory_.load<std::uint32_t>(object + at.digits + (read.digit_count - 1) * sizeof(std::uint32_t));
    if (!top) {
        return std::nullopt;
    }
    read.top_digit = *top;
    if (read.digit_count <= max_read_digits) {
        read.digits.resize(static_cast<std::size_t>(read.digit_count));
        if (!memory_.load_all(object + at.digits, read.digits)) {
            return std::nullopt;
        }
        const std::uint32_t mask = (std::uint32_t{1} << at.digit_bits) - 1;
        if (std::any_of(read.digits.begin(), read.digits.end(), [&](std::uint32_t digit) { return digit > mask; })) {
            return std::nullopt;
        }
    }
    return read;
}

std::optional<std::int64_t> object_reader::read_int64(address object) const {
    if (type_of(object) != known().integer) {
        return std::nullopt;
    }
    const auto integer = read_integer(object);
    if (!integer || integer->digits.size() != integer->digit_count || integer->digits.size() * layout().integer.digit_bits > 62 + 28) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    for (std::size_t i = integer->digits.size(); i-- > 0;) {
        if (value >> (63 - layout().integer.digit_bits) != 0) {
            return std::nullopt;
        }
        value = value << layout().integer.digit_bits | integer->digits[i];
    }
    return integer->negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
}

std::optional<std::string> object_reader::builtin_name(address object) const {
    const address type = type_of(object);
    if (type != 0 && type == known().builtin) {
        std::string name = read_c_string(memory_, pointer_at(pointer_at(object + layout().builtin_definition)));
        return is_plain_name(name) ? std::optional(std::move(name)) : std::nullopt;
    }
    return type != 0 && type == known().method_descriptor ? read_text(pointer_at(object + layout().descriptor_name)) : std::nullopt;
}

std::optional<remote_items> object_reader::find_items(address object) const {
    const address type = type_of(object);
    const bool list = type == known().list;
    if (type == 0 || (!list && type != known().tuple)) {
        return std::nullopt;
    }
    const auto count = memory_.load<std::uint64_t>(object + layout().object.count);
    const auto first = list ? memory_.load<address>(object + layout().list_items) : std::optional(object + layout().tuple_items);
    if (!count || !first || *count > max_item_count) {
        return std::nullopt;
    }
    return remote_items{.count = *count, .first = *first};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
