#include "lua/host/plugin_source.hpp"

#include "lua/manifest/plain_text.hpp"
#include "lua/sandbox/lua_api.hpp"

#include <algorithm>
#include <fstream>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// At the end of a block, the compiler removes the jumps from a list one by one. This takes quadratic time and cannot be interrupted.
constexpr int most_jumps = 4000;

/// The line of the first jump over the limit, or 0. Words in comments and strings count too: only Lua's own lexer can tell them apart
/// exactly, and a mistake would let jumps through.
int line_of_excess_jump(std::string_view text) {
    int jumps = 0;
    int line = 1;
    for (auto at = text.begin(); at != text.end();) {
        const auto end = std::find_if_not(at, text.end(), is_word);
        const std::string_view word(at, end);
        if ((word == "goto" || word == "break") && ++jumps > most_jumps) {
            return line;
        }
        line += *at == '\n' ? 1 : 0;
        at = word.empty() ? at + 1 : end;
    }
    return 0;
}

}  // namespace

result<std::string_view> text_to_compile(const plugin_source& source) {
    if (source.text.size() > max_source) {
        return failure{.code = errc::too_large,
                       .message = source.file + ":1: the file has more than 256 KiB",
                       .hint = "Split the plugin, or move its data out of the code."};
    }
    std::string_view text = source.text;
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    if (text.starts_with('#')) {
        text.remove_prefix(std::min(text.find('\n'), text.size()));  // `#!/usr/bin/env lua`; the line end stays, for the line numbers
    }
    if (text.starts_with(LUA_SIGNATURE[0]) || text.starts_with(std::string("\n") + LUA_SIGNATURE[0])) {
        return mistake(source.file, 1, "the file is compiled Lua", "Provide the plugin as source text.");
    }
    if (const int line = line_of_excess_jump(text); line != 0) {
        return mistake(source.file, line, "the file has more than " + std::to_string(most_jumps) + " `goto` and `break`",
                       "Split the plugin, or use fewer jumps.");
    }
    return text;
}

failure mistake(std::string_view file, int line, const std::string& what, std::string change) {
    return {.code = errc::invalid_argument,
            .message = std::string(file) + ":" + std::to_string(std::max(line, 1)) + ": " + what,
            .hint = std::move(change)};
}

result<plugin_source> read_plugin_file(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        return failure{
            .code = errc::not_found, .message = shown_path(path) + ": the file does not exist", .hint = "Check the path of the plugin."};
    }
    std::ifstream file(path, std::ios::binary);
    plugin_source source{.file = shown_path(path), .text = std::string(max_source + 1, '\0')};
    file.read(source.text.data(), static_cast<std::streamsize>(source.text.size()));
    if (file.bad() || (!file.eof() && file.fail())) {
        return failure{
            .code = errc::not_found, .message = shown_path(path) + ": the file cannot be read", .hint = "Check its permissions."};
    }
    source.text.resize(static_cast<std::size_t>(file.gcount()));
    return source;
}

result<std::vector<std::string>> plugin_files_in(const std::string& folder) {
    std::error_code error;
    std::vector<std::string> found;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().extension() == ".lua") {
            found.push_back(at->path().string());
        }
    }
    if (error) {
        return failure{.code = errc::not_found,
                       .message = shown_path(folder) + ": the folder cannot be read",
                       .hint = "Check the path of the folder."};
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::filesystem::file_time_type written_at(const std::string& path) {
    std::error_code error;
    const std::filesystem::file_time_type written = std::filesystem::last_write_time(path, error);
    return error ? std::filesystem::file_time_type() : written;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
