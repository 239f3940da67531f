#include "assistant/session_file.hpp"

#include "terminal/whole_file.hpp"

#include <pyaichat/core/text.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace repl {

namespace {

constexpr const char* format_key = "pyaichat_session";
constexpr int format_version = 1;

ai::failure damaged(const std::string& what) {
    return {.code = ai::errc::bad_response, .message = "the file is damaged: " + what};
}

ai::failure not_written(const std::string& path) {
    return {.code = ai::errc::unavailable, .message = "cannot write " + path + ": " + std::strerror(errno)};
}

bool is_identifier(std::string_view name) {
    return !name.empty() && !ai::detail::is_digit(name.front()) && std::all_of(name.begin(), name.end(), [](char c) {
        return ai::detail::is_letter(c) || ai::detail::is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
    });
}

/// The name becomes a part of a Python statement, and so do the digits: nothing else may be in them.
bool is_usable(const saved_variable& variable) {
    return is_identifier(variable.name) && !variable.pickled.empty() && variable.pickled.size() % 2 == 0 &&
           std::all_of(variable.pickled.begin(), variable.pickled.end(), [](char c) { return ai::detail::hex_digit(c) >= 0; });
}

bool write_everything(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t wrote = ::write(descriptor, text.data(), text.size());
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return ::fsync(descriptor) == 0;
}

}  // namespace

std::string session_text(const session_file& session) {
    ai::json variables = ai::json::array();
    for (const saved_variable& each : session.variables) {
        variables.push_back(ai::json::object({{"name", each.name}, {"pickle", each.pickled}}));
    }
    ai::json document = ai::json::object();
    document[format_key] = format_version;
    document["entries"] = session.entries;
    document["conversation"] = session.conversation;
    document["variables"] = std::move(variables);
    return ai::dump_json(document) + "\n";
}

ai::result<session_file> parse_session(std::string_view text) {
    const auto document = ai::parse_json(text);
    if (!document) {
        return damaged("it is not JSON");
    }
    const auto version = ai::integer_member(*document, format_key);
    if (!version) {
        return ai::failure{.code = ai::errc::bad_response, .message = "the file is not a session that /save wrote"};
    }
    if (*version != format_version) {
        return ai::failure{.code = ai::errc::bad_response,
                           .message = "the file has the format " + std::to_string(*version) + ", but this build reads only the format " +
                                      std::to_string(format_version)};
    }
    session_file session;
    const ai::json* entries = ai::find_member(*document, "entries");
    const ai::json* variables = ai::find_member(*document, "variables");
    const ai::json* conversation = ai::find_member(*document, "conversation");
    if (entries == nullptr || !entries->is_array() || variables == nullptr || !variables->is_array() || conversation == nullptr) {
        return damaged("a part is missing");
    }
    for (const ai::json& each : *entries) {
        const auto entry = ai::as_string(each);
        if (!entry) {
            return damaged("an entry is not a text");
        }
        session.entries.emplace_back(*entry);
    }
    for (const ai::json& each : *variables) {
        saved_variable variable{.name = std::string(ai::string_member(each, "name").value_or("")),
                                .pickled = std::string(ai::string_member(each, "pickle").value_or(""))};
        if (!is_usable(variable)) {
            return damaged("a variable has no valid name or value");
        }
        session.variables.push_back(std::move(variable));
    }
    session.conversation = *conversation;
    return session;
}

namespace {

/// Nothing but a session is replaced: a typing error must not cost another file.
ai::result<void> check_replaceable(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::symlink_status(path, error))) {
        return {};
    }
    if (!std::filesystem::is_regular_file(path, error)) {
        return ai::failure{.code = ai::errc::invalid_argument, .message = path + " was not replaced: it is not a regular file"};
    }
    const auto text = read_whole_file(path);
    if (!text) {
        return ai::failure{.code = text.error().code, .message = path + " was not replaced: " + text.error().message};
    }
    if (!text->empty() && !parse_session(*text)) {
        return ai::failure{.code = ai::errc::not_allowed,
                           .message = path + " was not replaced: it is not a session that /save wrote; choose another name"};
    }
    return {};
}

}  // namespace

ai::result<void> write_session_file(const std::string& named, const session_file& session) {
    if (auto replaceable = check_replaceable(named); !replaceable) {
        return replaceable;
    }
    std::error_code error;
    const std::filesystem::path target = std::filesystem::canonical(named, error);  // a link stays, and its file is replaced
    const std::string path = error ? named : target.string();
    const std::string temporary = path + ".part";
    ::unlink(temporary.c_str());
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
        return not_written(path);
    }
    const bool wrote = write_everything(file, session_text(session));
    const bool closed = ::close(file) == 0;
    if (!wrote || !closed || ::rename(temporary.c_str(), path.c_str()) != 0) {
        const ai::failure why = not_written(path);
        ::unlink(temporary.c_str());
        return why;
    }
    return {};
}

ai::result<session_file> read_session_file(const std::string& path) {
    std::error_code error;
    if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {  // a pipe may never end
        return ai::failure{.code = ai::errc::invalid_argument, .message = "cannot read " + path + ": it is not a regular file"};
    }
    const auto text = read_whole_file(path);
    if (!text) {
        return text.error();
    }
    auto session = parse_session(*text);
    if (!session) {
        return ai::failure{.code = session.error().code, .message = path + ": " + session.error().message};
    }
    return session;
}

}  // namespace repl
