#include "agent/repeat_guard.hpp"

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
    if (one.count > 0 && one.last == reply) {
        ++one.count;
    } else {
        one = {.count = 1, .last = reply};
    }
    if (reply.ok() && one.count == noted_) {
        reply.note = "the same call has now given the same result " + std::to_string(noted_) + " times; it will not be run again";
    }
}

capability_reply repeat_guard::refusal() const {
    return reply_error(reply_code::repeated, "this call was made " + std::to_string(noted_) +
                                                 " times with the same result; use that result, or do something else");
}

}  // namespace pyaichat::inline v0::detail
