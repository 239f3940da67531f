#include <pyaichat/core/text.hpp>

#include "fuzz.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace ai = pyaichat;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    const std::string repaired = ai::detail::repair_utf8(text);
    fuzz::must(ai::detail::is_utf8(repaired), "what was repaired is UTF-8");
    fuzz::must(ai::detail::is_utf8(text) == (repaired == text), "only what is broken is repaired");

    const std::size_t bytes = size == 0 ? 0 : data[0];
    const std::string_view prefix = ai::detail::utf8_prefix(repaired, bytes);
    const std::string_view suffix = ai::detail::utf8_suffix(repaired, bytes);
    fuzz::must(prefix.size() <= bytes && ai::detail::is_utf8(prefix) && repaired.starts_with(prefix), "a prefix is whole and short enough");
    fuzz::must(suffix.size() <= bytes && ai::detail::is_utf8(suffix) && repaired.ends_with(suffix), "a suffix is whole and short enough");
    static_cast<void>(ai::detail::utf8_prefix(text, bytes));
    static_cast<void>(ai::detail::utf8_suffix(text, bytes));

    const auto is_control = [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F; };
    for (const std::string& row : {ai::detail::one_line(text, bytes), ai::detail::one_row(text, bytes)}) {
        fuzz::must(row.size() <= bytes && ai::detail::is_utf8(row), "a row is UTF-8 and short enough");
        fuzz::must(std::none_of(row.begin(), row.end(), is_control), "a row has no control characters");
    }

    const std::array<std::string, 3> names = {"get_type", "get_repr", std::string(text.substr(0, 40))};
    const std::string_view nearest = ai::detail::nearest_name(text.substr(0, 60), names);
    fuzz::must(nearest.empty() || std::find(names.begin(), names.end(), nearest) != names.end(), "the nearest name is one of those given");
    return 0;
}
