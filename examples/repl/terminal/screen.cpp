#include "terminal/screen.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace repl {

namespace {

constexpr std::size_t longest_line = 4096;  // of an unfinished line, for the prompt behind it

/// Returns false and sets `errno` if the text could not be written completely.
bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written > 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            pollfd ready{.fd = descriptor, .events = POLLOUT, .revents = 0};
            ::poll(&ready, 1, 1000);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/// U+202A to U+202E and U+2066 to U+2069.
bool is_direction_control(std::string_view text) {
    return text.size() >= 3 && ((text.starts_with("\xE2\x80") && text[2] >= '\xAA' && text[2] <= '\xAE') ||
                                (text.starts_with("\xE2\x81") && text[2] >= '\xA6' && text[2] <= '\xA9'));
}

}  // namespace

screen::screen(settings chosen) : settings_(chosen), terminal_(::isatty(1) == 1) {
    if (settings_.for_machines) {
        report_descriptor_ = ::fcntl(1, F_DUPFD_CLOEXEC, 3);
        ::dup2(2, 1);
    }
}

screen::~screen() {
    for (const int descriptor : {report_descriptor_ > 2 ? report_descriptor_ : -1, wake_[0], wake_[1]}) {
        if (descriptor >= 0) {
            ::close(descriptor);
        }
    }
}

void screen::put(std::string_view text) {
    if (text.empty()) {
        return;
    }
    erase_status();
    write_output(1, text);
    line_open_ = text.back() != '\n';
    if (const std::size_t end = text.rfind('\n'); end != std::string_view::npos) {
        last_line_.clear();
        text.remove_prefix(end + 1);
    }
    last_line_.append(text.substr(0, longest_line - std::min(longest_line, last_line_.size())));
}

void screen::write_output(int descriptor, std::string_view text) {
    if (!write_all(descriptor, text) && !lost_output_) {
        lost_output_ = true;
        write_all(2, std::string("pyaichat: standard output cannot be written: ") + std::strerror(errno) + "\n");
    }
}

bool screen::lost_output() {
    const std::lock_guard lock(mutex_);
    return lost_output_;
}

void screen::out(std::string_view text) {
    std::unique_lock lock(mutex_);
    if (holding_) {
        keep(text, lock);
    } else {
        put(text);
    }
}

void screen::err(std::string_view text) {
    std::unique_lock lock(mutex_);
    if (holding_ && ::isatty(2) == 1) {
        keep(text, lock);
        return;
    }
    erase_status();
    if (line_open_ && terminal_ && !holding_) {
        put("\n");
    }
    write_all(2, text);
}

void screen::notice(std::string_view line) {
    std::unique_lock lock(mutex_);
    const bool dim = settings_.color && terminal_;
    const std::string text = (dim ? "\033[2m" : "") + std::string(line) + (dim ? "\033[0m" : "") + "\n";
    if (holding_) {
        keep(held_.empty() || held_.ends_with('\n') ? text : "\n" + text, lock);
        return;
    }
    if (line_open_) {
        put("\n");
    }
    put(text);
}

void screen::fresh_line() {
    const std::lock_guard lock(mutex_);
    if (line_open_ && !holding_) {
        put("\n");
    }
}

std::string screen::take_open_line() {
    const std::lock_guard lock(mutex_);
    line_open_ = false;
    return printable(std::exchange(last_line_, {}));
}

void screen::status(std::string_view line) {
    const std::lock_guard lock(mutex_);
    const char* name = std::getenv("TERM");
    const bool moves_cursor = is_terminal() && name != nullptr && *name != '\0' && std::strcmp(name, "dumb") != 0;
    if (!moves_cursor || holding_ || line_open_ || line == status_) {
        return;
    }
    erase_status();
    if (!line.empty()) {
        write_all(1, (is_styled() ? "\033[2m" : "") + std::string(line) + (is_styled() ? "\033[0m" : ""));
    }
    status_ = line;
}

void screen::erase_status() {
    if (!status_.empty()) {
        write_all(1, "\r\033[K");
        status_.clear();
    }
}

std::size_t screen::columns() const noexcept {
    winsize size{};
    return is_terminal() && ::ioctl(1, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void screen::report(std::string_view line) {
    const std::lock_guard lock(mutex_);
    write_output(report_descriptor_, std::string(line) + "\n");
}

std::string printable_json(const pyaichat::json& value) {
    const std::string text = pyaichat::dump_json(value);
    std::string out;
    out.reserve(text.size());
    const auto escape = [&](unsigned code_point) {
        std::array<char, 8> escaped{};
        std::snprintf(escaped.data(), escaped.size(), "\\u%04x", code_point);
        out += escaped.data();
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = [&](std::size_t ahead) { return static_cast<unsigned char>(at + ahead < text.size() ? text[at + ahead] : '\0'); };
        if (byte(0) == 0x7F) {
            escape(0x7F);
        } else if (byte(0) == 0xC2 && (byte(1) & 0xE0U) == 0x80) {
            escape(byte(1));
            ++at;
        } else if (is_direction_control(std::string_view(text).substr(at))) {
            escape((byte(0) & 0x0FU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU));
            at += 2;
        } else {
            out += text[at];
        }
    }
    return out;
}

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const bool next_is_c1 = byte == 0xC2 && at + 1 < text.size() && (static_cast<unsigned char>(text[at + 1]) & 0xE0U) == 0x80;
        if (next_is_c1) {
            ++at;  // U+0080 to U+009F: the eight-bit controls
        } else if (is_direction_control(text.substr(at))) {
            at += 2;
        } else if (byte == '\n' || byte == '\t' || (byte >= 0x20 && byte != 0x7f)) {
            out += text[at];
        }
    }
    return out;
}

}  // namespace repl
