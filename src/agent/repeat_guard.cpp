#include "agent/repeat_guard.hpp"

#include "agent/fingerprint.hpp"

namespace pyaichat::inline v0::detail {

repeat_guard::repetition& repeat_guard::of(const call_part& call) {
    return seen_[call.name + "\n" + dump_json(call.arguments)];
}

repeat_guard::ruling repeat_guard::before(const call_part& call) {
    if (noted_ == 0) {
        return ruling::run;
    }
    int& count = of(call).count;
    if (count < noted_) {
        return ruling::run;
    }
    return count++ == noted_ ? ruling::refuse : ruling::end;
}

void repeat_guard::after(const call_part& call, capability_reply& reply) {
    if (noted_ == 0) {
        return;
    }
    repetition& one = of(call);
    const std::uint64_t now = fingerprint(dump_json(reply.envelope()));
    if (one.count > 0 && one.last == now) {
        ++one.count;
    } else {
        one = {.count = 1, .last = now};
    }
    if (reply.ok() && one.count == noted_) {
        reply.note = "the same call has now given the same result " + std::to_string(noted_) + " times; it will not be run again";
    }
}

capability_reply repeat_guard::refusal() const {
    return reply_error(reply_code::repeated, "this call was made " + std::to_string(noted_) +
                                                 " times with the same result; use that result, or do something else");
}

json repeat_guard::snapshot() const {
    json out = json::array();
    for (const auto& [call, seen] : seen_) {
        json entry = json::object();
        entry["call"] = call;
        entry["count"] = seen.count;
        entry["last"] = hexadecimal(seen.last);
        out.push_back(std::move(entry));
    }
    return out;
}

void repeat_guard::restore(const json_fields& from, std::string_view key) {
    from.each(key, [&](const json_fields& entry) {
        repetition& one = seen_[entry.text("call")];
        one.count = entry.count("count");
        if (!read_hexadecimal(entry.text("last"), one.last)) {
            entry.report("last", "is no fingerprint");
        }
    });
}

}  // namespace pyaichat::inline v0::detail
