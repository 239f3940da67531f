#include "agent/machine/repeat_guard.hpp"

#include "core/fingerprint.hpp"

#include <bit>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Adds a value to the hash `mark`, without serializing it. Ignores levels that are too deep to be sent.
void add(std::uint64_t& mark, const json& value, std::size_t depth = 0) {
    mark = fingerprint(std::string_view(value.type_name()), mark);
    if (const auto* text = value.get_ptr<const json::string_t*>()) {
        mark = fingerprint(*text, mark);
    } else if (const auto* whole = value.get_ptr<const json::number_unsigned_t*>()) {
        mark = fingerprint_of_bits(*whole, mark);
    } else if (const auto* negative = value.get_ptr<const json::number_integer_t*>()) {
        mark = fingerprint_of_bits(static_cast<std::uint64_t>(*negative), mark);
    } else if (const auto* number = value.get_ptr<const json::number_float_t*>()) {
        mark = fingerprint_of_bits(std::bit_cast<std::uint64_t>(*number), mark);
    } else if (const auto* flag = value.get_ptr<const json::boolean_t*>()) {
        mark = fingerprint(*flag ? "true" : "false", mark);
    } else if (!value.is_structured()) {
        mark = fingerprint(value.is_null() ? "null" : dump_json(value), mark);
    } else if (depth < max_json_depth) {
        for (auto member = value.begin(); member != value.end(); ++member) {
            if (value.is_object()) {
                mark = fingerprint(member.key(), mark);
            }
            add(mark, *member, depth + 1);
        }
        mark = fingerprint("end", mark);
    }
}

}  // namespace

repeat_guard::repetition& repeat_guard::of(const call_part& call) {
    return seen_[call.name + "\n" + dump_json(call.arguments)];
}

repeat_guard::ruling repeat_guard::before(const call_part& call) {
    if (noted_ == 0) {
        return ruling::run;
    }
    asked_call_ = &call;
    asked_ = &of(call);
    int& count = asked_->count;
    if (count < noted_) {
        return ruling::run;
    }
    return count++ == noted_ ? ruling::refuse : ruling::end;
}

void repeat_guard::after(const call_part& call, capability_reply& reply) {
    if (noted_ == 0) {
        return;
    }
    repetition& entry = asked_call_ == &call ? *asked_ : of(call);
    asked_call_ = nullptr;
    std::uint64_t now = fingerprint(reply.message, fingerprint(to_string(reply.code)));
    add(now, reply.result);
    add(now, reply.details);
    for (const image& picture : reply.images) {
        now = fingerprint(picture.data(), now);
    }
    if (entry.count > 0 && entry.last == now) {
        ++entry.count;
    } else {
        entry = {.count = 1, .last = now};
    }
    if (entry.count == noted_) {
        reply.note += (reply.note.empty() ? "" : "; ") + ("the same call has now given the same result " + std::to_string(noted_)) +
                      " times; it will not be run again";
    }
}

capability_reply repeat_guard::refusal() const {
    return reply_error(reply_code::repeated, "this call was made " + std::to_string(noted_) +
                                                 " times with the same result; use that result, or do something else");
}

std::vector<repeat_guard::stored> repeat_guard::snapshot() const {
    std::vector<stored> all;
    for (const auto& [call, seen] : seen_) {
        all.push_back({.call = call, .count = seen.count, .last = hexadecimal(seen.last)});
    }
    return all;
}

bool repeat_guard::restore(const std::vector<stored>& from) {
    for (const stored& entry : from) {
        repetition& seen = seen_[entry.call];
        seen.count = entry.count;
        if (entry.count < 0 || entry.count > 1'000'000 || !read_hexadecimal(entry.last, seen.last)) {
            return false;
        }
    }
    return true;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
