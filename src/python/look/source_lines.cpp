#include "python/look/source_lines.hpp"

#include "python/look/static_lookup.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

source_lines::source_lines(std::string text, bool complete) : text_(std::move(text)), complete_(complete) {
    for (std::size_t at = 0; at < text_.size();) {
        begins_.push_back(at);
        at = std::min(text_.find('\n', at), text_.size() - 1) + 1;
    }
}

PyObject* source_lines::kept_entries() {
    PyObject* module = find_name(PyImport_GetModuleDict(), "linecache");
    PyObject* cache = module != nullptr && PyModule_Check(module) ? find_name(PyModule_GetDict(module), "cache") : nullptr;
    return cache != nullptr && PyDict_CheckExact(cache) ? cache : nullptr;
}

std::optional<source_lines> source_lines::of_entry(PyObject* entry) {
    // `(size, mtime, lines, file)`
    PyObject* lines = PyTuple_CheckExact(entry) && PyTuple_GET_SIZE(entry) == 4 ? PyTuple_GET_ITEM(entry, 2) : nullptr;
    if (lines == nullptr || !PyList_CheckExact(lines)) {
        return std::nullopt;
    }
    std::string text;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(lines) && text.size() < max_bytes; ++i) {
        PyObject* line = PyList_GET_ITEM(lines, i);
        text += PyUnicode_CheckExact(line) ? to_utf8(line) : "\n";
    }
    const bool complete = text.size() < max_bytes;
    return source_lines(std::move(text), complete);
}

std::optional<source_lines> source_lines::of(const std::string& file) {
    if (file.starts_with('<')) {
        const ref name = to_python(file);
        PyErr_Clear();
        PyObject* entry = name ? find_name(kept_entries(), name.get()) : nullptr;
        return entry != nullptr ? of_entry(entry) : std::nullopt;
    }
    // A function can name any file as its source, so other files are not opened.
    std::error_code error;
    if (!file.ends_with(".py") || file.find('\0') != std::string::npos || !std::filesystem::is_regular_file(file, error)) {
        return std::nullopt;
    }
    std::ifstream stream(file, std::ios::binary);
    std::string text(max_bytes, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    const bool complete = stream.eof();
    return text.empty() ? std::nullopt : std::optional(source_lines(std::move(text), complete));
}

std::string_view source_lines::line(std::size_t number) const {
    if (number == 0 || number > begins_.size()) {
        return {};
    }
    const std::size_t begin = begins_[number - 1];
    std::size_t end = number < begins_.size() ? begins_[number] : text_.size();
    while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) {
        --end;
    }
    return std::string_view(text_).substr(begin, end - begin);
}

std::size_t source_lines::indentation(std::size_t number) const {
    const std::string_view text = line(number);
    return std::min(text.find_first_not_of(" \t"), text.size());
}

std::size_t source_lines::end_of_block(std::size_t first, std::size_t last) const {
    const std::size_t outer = indentation(first);
    std::size_t end = std::max(first, last);
    for (std::size_t at = end + 1; at <= count(); ++at) {
        const std::size_t inner = indentation(at);
        const std::string_view text = line(at).substr(inner);
        if (!text.empty() && inner <= outer && text.front() != '#') {
            break;
        }
        end = !text.empty() && inner > outer ? at : end;
    }
    return std::min(end, std::max<std::size_t>(count(), 1));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
