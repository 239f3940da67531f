#include "terminal/key_reader.hpp"

#include "terminal/interrupts.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

namespace repl {

namespace {

constexpr int burst_gap_ms = 15;  // longer than the gaps in a burst of bytes, shorter than the gaps between typed keys
constexpr const char* paste_begins = "\033[200~";
constexpr const char* paste_ends = "\033[201~";

}  // namespace

key_reader::status key_reader::fill(waiting how) {
    for (;;) {
        std::array<pollfd, 2> ready = {pollfd{.fd = descriptor_, .events = POLLIN, .revents = 0},
                                       pollfd{.fd = interrupts::wake_descriptor(), .events = POLLIN, .revents = 0}};
        const int count = ::poll(ready.data(), ready.size(), how == waiting::briefly ? burst_gap_ms : -1);
        if (count == 0) {
            return status::key;  // timeout
        }
        if (ready[1].revents != 0 || count < 0) {
            if (how == waiting::forever) {
                return status::interrupted;
            }
            return status::key;
        }
        std::array<char, 4096> chunk;
        const ssize_t got = ::read(descriptor_, chunk.data(), chunk.size());
        if (got > 0) {
            bytes_.append(chunk.data(), static_cast<std::size_t>(got));
            return status::key;
        }
        if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
            return status::closed;
        }
    }
}

/// Removes the mark from the front of the bytes. Returns whether it was there. Waits briefly for the rest of a partial mark.
bool key_reader::skip_mark(const char* mark) {
    const std::string_view whole = mark;
    while (bytes_.size() < whole.size() && whole.starts_with(bytes_)) {
        const std::size_t before = bytes_.size();
        if (fill(waiting::briefly) != status::key || bytes_.size() == before) {
            return false;
        }
    }
    if (!bytes_.starts_with(whole)) {
        return false;
    }
    bytes_.erase(0, whole.size());
    return true;
}

/// Decodes the character that begins with `first`. Returns U+FFFD for invalid UTF-8.
wchar_t key_reader::decode(unsigned char first) {
    if (first < 0x80) {
        return static_cast<wchar_t>(first);
    }
    const int more = (first & 0xE0U) == 0xC0 ? 1 : (first & 0xF0U) == 0xE0 ? 2 : (first & 0xF8U) == 0xF0 ? 3 : 0;
    if (more == 0) {
        return L'\uFFFD';
    }
    unsigned int value = first & (0x3FU >> more);
    for (int at = 0; at < more; ++at) {
        if (bytes_.empty() && (fill(waiting::briefly) != status::key || bytes_.empty())) {
            return L'\uFFFD';
        }
        const auto next = static_cast<unsigned char>(bytes_.front());
        if ((next & 0xC0U) != 0x80) {
            return L'\uFFFD';
        }
        bytes_.erase(0, 1);
        value = (value << 6U) | (next & 0x3FU);
    }
    const bool valid = value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
    return valid ? static_cast<wchar_t>(value) : L'\uFFFD';
}

key_reader::status key_reader::next(wchar_t& key) {
    for (;;) {
        if (bytes_.empty()) {
            if (const status got = fill(waiting::forever); got != status::key) {
                // If the end mark of a paste is missing, later keys must not count as pasted.
                in_paste_ = false;
                return got;
            }
            continue;
        }
        if (bytes_.front() == '\033' && skip_mark(in_paste_ ? paste_ends : paste_begins)) {
            in_paste_ = !in_paste_;
            after_return_ = false;
            continue;
        }
        const auto first = static_cast<unsigned char>(bytes_.front());
        bytes_.erase(0, 1);
        last_pasted_ = in_paste_;
        if (!in_paste_) {
            if (first == '\t' && bytes_.empty()) {
                static_cast<void>(fill(waiting::briefly));
            }
            last_pasted_ = first == '\t' && !bytes_.empty();
            key = decode(first);
            return status::key;
        }
        const bool second_half = first == '\n' && after_return_;
        after_return_ = first == '\r';
        if (second_half || (first < 0x20 && first != '\t' && first != '\n' && first != '\r') || first == 0x7f) {
            continue;
        }
        key = first == '\r' ? L'\n' : decode(first);
        return status::key;
    }
}

}  // namespace repl
