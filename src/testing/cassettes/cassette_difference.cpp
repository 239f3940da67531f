#include "testing/cassettes/cassette_difference.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::size_t max_value_length = 120;

std::string short_text(const json* value) {
    return value == nullptr ? "nothing" : detail::one_line(dump_json(*value), max_value_length);
}

std::string escaped(std::string_view name) {
    std::string out;
    for (const char c : name) {
        out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    }
    return out;
}

/// `parse_json` has limited the recursion depth.
class comparison {
public:
    cassette_difference found;

    void compare(const json* recorded, const json* sent, const std::string& place) {
        if (recorded != nullptr && sent != nullptr) {
            if (recorded->is_object() && sent->is_object()) {
                return compare_members(*recorded, *sent, place);
            }
            if (recorded->is_array() && sent->is_array()) {
                return compare_elements(*recorded, *sent, place);
            }
            if (*recorded == *sent) {
                return;
            }
        }
        if (found.count++ == 0) {
            found.place = place;
            found.recorded = short_text(recorded);
            found.sent = short_text(sent);
        }
    }

private:
    void compare_members(const json& recorded, const json& sent, const std::string& place) {
        for (const auto& entry : recorded.items()) {
            compare(&entry.value(), find_member(sent, entry.key()), place + "/" + escaped(entry.key()));
        }
        for (const auto& entry : sent.items()) {
            if (find_member(recorded, entry.key()) == nullptr) {
                compare(nullptr, &entry.value(), place + "/" + escaped(entry.key()));
            }
        }
    }

    void compare_elements(const json& recorded, const json& sent, const std::string& place) {
        for (std::size_t index = 0; index < std::max(recorded.size(), sent.size()); ++index) {
            compare(index < recorded.size() ? &recorded[index] : nullptr, index < sent.size() ? &sent[index] : nullptr,
                    place + "/" + std::to_string(index));
        }
    }
};

}  // namespace

cassette_difference compare_json(const json& recorded, const json& sent) {
    comparison out;
    out.compare(&recorded, &sent, "");
    return std::move(out.found);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
