#pragma once
#include "python/python_api.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The lines of a source file or of an entry of the session. Lines are numbered from 1.
class source_lines {
public:
    static constexpr std::size_t max_bytes = std::size_t{4} << 20;

    /// Reads a regular file whose name ends with `.py`, or an entry such as `<session 3>` that `linecache` keeps; runs no user code. Reads
    /// at most `max_bytes`. `nullopt` if there is no such source.
    [[nodiscard]] static std::optional<source_lines> of(const std::string& file);
    /// The latest entry of the session that has such a line, and its name.
    template <class Accept>
    [[nodiscard]] static std::optional<std::pair<std::string, source_lines>> latest_entry(Accept accept);

    [[nodiscard]] std::size_t count() const noexcept { return begins_.size(); }
    /// Whether the whole source was read.
    [[nodiscard]] bool complete() const noexcept { return complete_; }
    /// A line without its end; empty for a number that does not exist.
    [[nodiscard]] std::string_view line(std::size_t number) const;
    /// The number of blanks and tabs before the text of a line.
    [[nodiscard]] std::size_t indentation(std::size_t number) const;
    /// The last line of the block that starts at `first` and has at least the lines up to `last`: it ends before the next line with text
    /// that is not indented deeper than the first one.
    [[nodiscard]] std::size_t end_of_block(std::size_t first, std::size_t last) const;

private:
    explicit source_lines(std::string text, bool complete);
    [[nodiscard]] static PyObject* kept_entries();
    [[nodiscard]] static std::optional<source_lines> of_entry(PyObject* entry);

    std::string text_;
    std::vector<std::size_t> begins_;
    bool complete_;
};

template <class Accept>
std::optional<std::pair<std::string, source_lines>> source_lines::latest_entry(Accept accept) {
    std::optional<std::pair<std::string, source_lines>> latest;
    for (dict_cursor each{kept_entries()}; each.next();) {
        if (PyUnicode_CheckExact(each.key) && PyUnicode_GET_LENGTH(each.key) > 0 && PyUnicode_READ_CHAR(each.key, 0) == '<') {
            if (std::optional<source_lines> lines = of_entry(each.value); lines && accept(*lines)) {
                latest.emplace(to_utf8(each.key), std::move(*lines));
            }
        }
    }
    return latest;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
