#include "testing/cassettes/cassette_difference.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/schema/decode.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::size_t max_value_length = 120;

std::string short_text(const json* value) {
    return value == nullptr ? "nothing" : detail::one_line(dump_json(*value), max_value_length);
}

/// `parse_json` has limited the recursion depth.
void compare(const json* recorded, const json* sent, const std::string& place, cassette_difference& found) {
    const bool both = recorded != nullptr && sent != nullptr;
    if (both && recorded->is_object() && sent->is_object()) {
        for (const auto& entry : recorded->items()) {
            compare(&entry.value(), find_member(*sent, entry.key()), place + "/" + detail::pointer_token(entry.key()), found);
        }
        for (const auto& entry : sent->items()) {
            if (!recorded->contains(entry.key())) {
                compare(nullptr, &entry.value(), place + "/" + detail::pointer_token(entry.key()), found);
            }
        }
    } else if (both && recorded->is_array() && sent->is_array()) {
        for (std::size_t index = 0; index < std::max(recorded->size(), sent->size()); ++index) {
            compare(index < recorded->size() ? &(*recorded)[index] : nullptr, index < sent->size() ? &(*sent)[index] : nullptr,
                    place + "/" + std::to_string(index), found);
        }
    } else if ((!both || *recorded != *sent) && found.count++ == 0) {
        found.place = place;
        found.recorded = short_text(recorded);
        found.sent = short_text(sent);
    }
}

}  // namespace

cassette_difference compare_json(const json& recorded, const json& sent) {
    cassette_difference found;
    compare(&recorded, &sent, "", found);
    return found;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
