#include "runtime/journal_lines.hpp"

#include "core/fingerprint.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Keys are sorted, so every line begins with this text, 16 hexadecimal digits, and the rest of the record, whose fingerprint they are.
constexpr std::string_view beginning = R"({"checksum":")";
constexpr std::string_view behind_checksum = R"(",)";
constexpr std::size_t checked_from = beginning.size() + 16 + behind_checksum.size();
/// Up to 0.1 lines had no checksum.
constexpr std::string_view old_beginning = R"({"content":{)";

std::string checked_line(std::string_view rest) {
    return std::string(beginning) + hexadecimal(fingerprint(rest)) + std::string(behind_checksum) + std::string(rest);
}

std::optional<journal_record> read_record(std::string_view line, bool& checked) {
    const bool has_checksum = line.starts_with(beginning) && line.size() > checked_from;
    if (has_checksum ? line != checked_line(line.substr(checked_from)) : checked || !line.starts_with(old_beginning)) {
        return std::nullopt;
    }
    checked = has_checksum;
    result<json> value = parse_json(line);
    if (!value || !value->is_object()) {
        return std::nullopt;
    }
    const auto run_id = string_member(*value, "run");
    const auto number = integer_member(*value, "number");
    const auto content = value->find("content");
    if (!run_id || !number || *number < 1 || content == value->end() || !content->is_object()) {
        return std::nullopt;
    }
    return journal_record{.run_id = std::string(*run_id), .number = static_cast<std::uint64_t>(*number), .content = std::move(*content)};
}

/// How much of a text is one JSON object; npos when the text ends before it.
std::size_t object_size(std::string_view text) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quoted && text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            quoted = !quoted;
        } else if (!quoted) {
            depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
            if (depth <= 0) {
                return i + 1;
            }
        }
    }
    return std::string_view::npos;
}

/// Whether the last line, which begins at `offset` in the file, may be a record whose write was interrupted by a crash: the first part of a
/// line, or one in which whole sectors are missing, which read as zeros. Anything else was changed after it had been written.
bool may_be_incomplete(std::string_view line, std::size_t offset) {
    constexpr std::size_t sector = 512;
    const std::size_t zeros = std::min(line.find('\0'), line.size());
    for (const std::string_view known : {beginning, old_beginning}) {
        if (line.substr(0, std::min(zeros, known.size())) == known.substr(0, zeros)) {
            if (zeros == line.size()) {
                const std::size_t whole = object_size(line);
                return !line.ends_with('\n') && (whole == std::string_view::npos || whole == line.size());
            }
            const std::size_t end = std::min(line.find_first_not_of('\0', zeros), line.size());
            const bool to_the_end = end == line.size() || line.substr(end) == "\n";
            return to_the_end || ((zeros == 0 || (offset + zeros) % sector == 0) && (offset + end) % sector == 0);
        }
    }
    return false;
}

}  // namespace

result<std::string> encode_line(const journal_record& record) {
    json line = json::object();
    line["run"] = record.run_id;
    line["number"] = record.number;
    line["content"] = record.content;
    if (nests_deeper_than(line, max_json_depth)) {
        return failure{.code = errc::too_large,
                       .message = "record " + std::to_string(record.number) + " is nested too deep to be read again",
                       .hint = "Use a model, or a capability, that sends flatter JSON."};
    }
    return checked_line(std::string_view(dump_json(line)).substr(1)) + '\n';
}

result<journal_lines> read_lines(std::string_view text) {
    journal_lines read;
    bool checked = false;
    std::unordered_map<std::string, std::size_t> places;  ///< of the runs
    for (std::size_t at = 0, line = 1; at < text.size(); ++line) {
        const std::size_t end = text.find('\n', at);
        const bool last = end == std::string_view::npos || end + 1 == text.size();
        std::optional<journal_record> record;
        if (end != std::string_view::npos) {
            record = read_record(text.substr(at, end - at), checked);
        }
        if (!record) {
            if (last && may_be_incomplete(text.substr(at), at)) {
                break;
            }
            return failure{.code = errc::bad_response,
                           .message = "line " + std::to_string(line) + " is not a journal record, or was changed after it was written",
                           .hint = "Give the path of an unchanged journal, or of a new file."};
        }
        const auto [place, is_new] = places.try_emplace(record->run_id, read.runs.size());
        if (is_new) {
            read.runs.push_back({.run_id = record->run_id});
        }
        journalled_run& run = read.runs[place->second];
        run.records.push_back(std::move(*record));
        read.whole = at = end + 1;
    }
    return read;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
