#include "python/session/session_history.hpp"

#include <pyaichat/core/text.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

std::string ending_text(const outcome& ended) {
    switch (ended.ending) {
        case ending::done: return "done";
        case ending::exited: return "exited";
        case ending::raised: return ended.exception ? "raised " + ended.exception->exc_type : "raised";
        case ending::incomplete: return "incomplete";
        case ending::timeout: return "timeout";
        case ending::busy: return "busy";
        case ending::unavailable: break;
    }
    return "unavailable";
}

}  // namespace

void session_history::add(const std::string& source, std::string file, const outcome& ended, std::chrono::steady_clock::duration took) {
    ++total_;
    entries_.push_back({.file = std::move(file),
                        .source = std::string(pyaichat::detail::utf8_prefix(source, max_text)),
                        .ended = ending_text(ended),
                        .milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(took).count(),
                        .out = std::string(pyaichat::detail::utf8_suffix(ended.out, max_text)),
                        .err = std::string(pyaichat::detail::utf8_suffix(ended.err, max_text))});
    if (entries_.size() > max_entries) {
        entries_.pop_front();
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
