// The journal's lines: what is read is written again as it was read, whatever else stands in the file, and cutting off a half record is
// stable.
#include "runtime/journal_lines.hpp"
#include "fuzz.hpp"

namespace ai = pyaichat;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    const ai::result<ai::detail::journal_lines> read = ai::detail::read_lines(text);
    if (!read) {
        return 0;
    }
    fuzz::must(read->whole <= size, "no more is whole than there is");
    const ai::result<ai::detail::journal_lines> cut = ai::detail::read_lines(text.substr(0, read->whole));
    fuzz::must(cut && cut->whole == read->whole && cut->runs.size() == read->runs.size(), "what is whole stays so");
    for (const ai::journalled_run& run : read->runs) {
        for (const ai::journal_record& record : run.records) {
            const ai::result<std::string> line = ai::detail::encode_line(record);
            fuzz::must(line.has_value(), "what was read can be written");
            const ai::result<ai::detail::journal_lines> again = ai::detail::read_lines(*line);
            fuzz::must(again && again->runs.size() == 1 && again->runs[0].records[0].content == record.content, "and read again");
        }
    }
    return 0;
}
