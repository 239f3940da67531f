#include "runtime/journal_lines.hpp"

#include <algorithm>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Keys are sorted, so every line begins with this text.
constexpr std::string_view beginning = R"({"content":{)";

std::optional<journal_record> read_record(std::string_view line) {
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

/// Whether the last line may be a record whose write was interrupted by a crash. A missing block reads as zeros.
bool may_be_incomplete(std::string_view line) {
    const std::string_view known = line.substr(0, std::min(line.find('\0'), beginning.size()));
    return beginning.substr(0, known.size()) == known;
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
    return dump_json(line) + '\n';
}

result<journal_lines> read_lines(std::string_view text) {
    journal_lines read;
    for (std::size_t at = 0, line = 1; at < text.size(); ++line) {
        const std::size_t end = text.find('\n', at);
        const bool last = end == std::string_view::npos || end + 1 == text.size();
        std::optional<journal_record> record;
        if (end != std::string_view::npos) {
            record = read_record(text.substr(at, end - at));
        }
        if (!record) {
            const std::string_view rest = text.substr(at);
            // A complete line of JSON that is not a record was not cut off but changed.
            if (last && may_be_incomplete(rest) && !(rest.ends_with('\n') && parse_json(rest))) {
                break;
            }
            return failure{.code = errc::bad_response,
                           .message = "line " + std::to_string(line) + " is not a journal record",
                           .hint = "Give the path of an unchanged journal, or of a new file."};
        }
        const auto same = [&](const journalled_run& run) { return run.run_id == record->run_id; };
        const auto found = std::find_if(read.runs.rbegin(), read.runs.rend(), same);
        journalled_run& run = found != read.runs.rend() ? *found : read.runs.emplace_back(journalled_run{.run_id = record->run_id});
        run.records.push_back(std::move(*record));
        read.whole = at = end + 1;
    }
    return read;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
