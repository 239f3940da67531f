#include "agent/machine/shorten_reply.hpp"

#include "message/value_depth.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

std::size_t envelope_size(const capability_reply& reply) {
    return dump_json(reply.envelope()).size();
}

/// Returns an upper limit of the value's size as JSON, without serializing it. The depth was checked before.
std::size_t size_bound(const json& value) {
    constexpr std::size_t longest_escape = 6;
    constexpr std::size_t longest_number = 32;
    if (const auto* text = value.get_ptr<const json::string_t*>()) {
        return longest_escape * text->size() + 3;
    }
    const auto* bytes = value.get_ptr<const json::binary_t*>();  // written as a list of numbers
    std::size_t sum = bytes != nullptr ? 64 + 4 * bytes->size() : longest_number;
    if (const auto* elements = value.get_ptr<const json::array_t*>()) {
        for (const json& element : *elements) {
            sum += size_bound(element);
        }
    } else if (const auto* members = value.get_ptr<const json::object_t*>()) {
        for (const auto& [key, member] : *members) {
            sum += longest_escape * key.size() + 4 + size_bound(member);
        }
    }
    return sum;
}

/// Returns true if the envelope fits by a quick estimate, as most do.
bool surely_fits(const capability_reply& reply, std::size_t bytes) {
    constexpr std::size_t frame = 256;
    return size_bound(reply.result) + size_bound(reply.details) + size_bound(reply.truncated) +
               6 * (reply.message.size() + reply.note.size()) + frame <=
           bytes;
}

/// Repairs the UTF-8 of the names. Names that become equal are numbered, so no member is lost.
void repair_names(json::object_t& members) {
    std::size_t number = 0;
    for (auto at = members.begin(); at != members.end();) {
        const auto next = std::next(at);
        if (!is_utf8(at->first)) {
            auto member = members.extract(at);
            const std::string repaired = repair_utf8(member.key());
            member.key() = repaired;
            while (members.count(member.key()) != 0) {
                member.key() = repaired + "_" + std::to_string(++number);
            }
            members.insert(std::move(member));
        }
        at = next;
    }
}

void repair(std::string& text) {
    if (!is_utf8(text)) {
        text = repair_utf8(text);
    }
}

/// Changes a value to the value that JSON preserves. The depth was checked before.
void repair(json& value) {
    if (auto* text = value.get_ptr<json::string_t*>()) {
        repair(*text);
    } else if (const auto* number = value.get_ptr<const json::number_float_t*>()) {
        if (!std::isfinite(*number)) {
            value = nullptr;
        }
    } else if (value.is_binary()) {
        value = parse_json(dump_json(value)).value_or(nullptr);
    } else if (auto* elements = value.get_ptr<json::array_t*>()) {
        for (json& element : *elements) {
            repair(element);
        }
    } else if (auto* members = value.get_ptr<json::object_t*>()) {
        for (auto& [name, member] : *members) {
            repair(member);
        }
        repair_names(*members);
    }
}

/// Returns the number of bytes of a character in a JSON text.
std::size_t written_size(char c) {
    switch (c) {
        case '"':
        case '\\':
        case '\b':
        case '\f':
        case '\n':
        case '\r':
        case '\t': return 2;
        default: return static_cast<unsigned char>(c) < 0x20 ? 6 : 1;
    }
}

/// Returns how many of these characters fit into `bytes` of a JSON text.
template <class Iterator>
std::size_t count_within(Iterator at, Iterator end, std::size_t bytes) {
    std::size_t count = 0;
    for (std::size_t left = bytes; at != end && written_size(*at) <= left; ++at, ++count) {
        left -= written_size(*at);
    }
    return count;
}

/// Returns the beginning and the end of a text, which together fit into `bytes` of a JSON text.
std::string head_and_tail(std::string_view text, std::size_t bytes) {
    const std::string_view head = utf8_prefix(text, count_within(text.begin(), text.end(), bytes - bytes / 3));
    const std::string_view rest = text.substr(head.size());
    const std::string_view tail = utf8_suffix(rest, count_within(rest.rbegin(), rest.rend(), bytes / 3));
    return std::string(head) + "\n[...]\n" + std::string(tail);
}

}  // namespace

void bound_depth(capability_reply& reply) {
    // The envelope adds a level, and the object of an error another one.
    const auto is_deep = [](const json& value, std::size_t levels) { return nests_deeper_than(value, max_value_depth - levels); };
    if (is_deep(reply.result, 1) || is_deep(reply.details, 2) || is_deep(reply.truncated, 1)) {
        reply = reply_error(reply_code::internal, "the result nests deeper than " + std::to_string(max_value_depth) +
                                                      " levels and cannot be sent; ask for a part of it");
    }
}

bool normalise(json& arguments) {
    if (nests_deeper_than(arguments, max_value_depth)) {
        return false;
    }
    repair(arguments);
    return true;
}

void normalise(capability_reply& reply) {
    bound_depth(reply);
    repair(reply.result);
    repair(reply.details);
    repair(reply.truncated);
    repair(reply.message);
    repair(reply.note);
}

void shorten_reply(capability_reply& reply, std::size_t bytes) {
    const auto cut_before = integer_member(reply.truncated, "bytes");  // from a source that relays a shortened reply
    reply.truncated = nullptr;
    if (cut_before) {
        reply.truncated["bytes"] = *cut_before;
    }
    if (bytes == 0 || surely_fits(reply, bytes) || envelope_size(reply) <= bytes) {
        return;
    }
    constexpr std::size_t share_of_the_note = 4;
    reply.note = std::string(utf8_prefix(reply.note, bytes / share_of_the_note));
    if (envelope_size(reply) <= bytes) {
        return;
    }
    if (reply.ok()) {
        // What was cut before is a text already.
        const auto whole_text = cut_before ? string_member(reply.result, "text") : as_string(reply.result);
        const std::string text = whole_text ? std::string(*whole_text) : dump_json(reply.result);
        reply.result = json::object({{"text", head_and_tail("", 0)}});
        const auto lost_before = static_cast<std::size_t>(std::max<std::int64_t>(cut_before.value_or(0), 0));
        reply.truncated = json::object({{"bytes", lost_before + text.size()}});
        const std::size_t frame = envelope_size(reply);
        const std::size_t room = bytes - std::min(bytes, frame);
        std::string kept = head_and_tail(text, room);
        reply.truncated["bytes"] = lost_before + text.size() - std::min(text.size(), kept.size() - head_and_tail("", 0).size());
        reply.result["text"] = std::move(kept);
        return;
    }
    reply.details = nullptr;
    reply.truncated = nullptr;
    const std::string text = std::exchange(reply.message, "...");
    const std::size_t frame = envelope_size(reply);
    const std::size_t room = bytes - std::min(bytes, frame);
    reply.message = std::string(utf8_prefix(text, count_within(text.begin(), text.end(), room))) + "...";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
