#include "agent/machine/partial_json.hpp"

#include <pyaichat/core/text.hpp>

#include "fuzz.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace ai = pyaichat;
using ai::json;

namespace {

bool has_grown(const json& earlier, const json& later) {
    if (earlier.is_null() || earlier == later) {
        return true;
    }
    if (earlier.is_string() && later.is_string()) {
        return ai::as_string(later)->starts_with(*ai::as_string(earlier));
    }
    if (earlier.is_array() && later.is_array()) {
        return earlier.size() <= later.size() && std::equal(earlier.begin(), earlier.end(), later.begin(), has_grown);
    }
    if (!earlier.is_object() || !later.is_object()) {
        return false;
    }
    for (auto member = earlier.begin(); member != earlier.end(); ++member) {
        const json* value = ai::find_member(later, member.key());
        if (value == nullptr || !has_grown(*member, *value)) {
            return false;
        }
    }
    return true;
}

}  // namespace

/// The value only grows, is the same in whatever pieces, and is at last what the parser reads.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::size_t piece = 1 + data[0] % 7;
    const std::string_view text = fuzz::text_of(data + 1, size - 1);
    ai::detail::partial_json pieces;
    json before;
    for (std::size_t at = 0; at < text.size(); at += piece) {
        pieces.add(text.substr(at, piece));
        if (size < 2000) {  // a comparison takes the time of the whole value
            fuzz::must(has_grown(before, pieces.value()), "a value only grows");
            fuzz::must(ai::detail::is_utf8(ai::dump_json(pieces.value())), "a value is valid JSON");
            before = pieces.value();
        }
    }
    ai::detail::partial_json whole;
    whole.add(text);
    fuzz::must(whole.value() == pieces.value(), "pieces do not matter");
    fuzz::must(whole.repeated_member() == pieces.repeated_member(), "nor for members that are there twice");
    const ai::result<json> parsed = ai::parse_json(text);
    if (parsed && whole.repeated_member().empty() && ai::detail::is_utf8(text)) {
        whole.add(" ");  // ends a number
        fuzz::must(whole.value() == *parsed, "at last, the value is what the parser reads");
    }
    return 0;
}
