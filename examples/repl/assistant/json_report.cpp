#include "assistant/json_report.hpp"

#include "terminal/screen.hpp"

#include <cmath>

namespace repl {

namespace {

ai::json call_entry(const std::string& name, const ai::capability_reply& reply, ai::duration took) {
    ai::json out = ai::json::object();
    out["name"] = name;
    out["ok"] = reply.ok();
    out["code"] = std::string(to_string(reply.code));
    out["ms"] = milliseconds(took);
    return out;
}

}  // namespace

double milliseconds(ai::duration span) noexcept {
    return std::round(std::chrono::duration<double, std::micro>(span).count()) / 1000;
}

ai::json in_dollars(std::optional<ai::money> amount) {
    return amount ? ai::json(static_cast<double>(amount->micro_dollars) / 1e6) : ai::json();
}

std::string json_report(const ai::answer& reply, ai::duration took) {
    ai::json calls = ai::json::array();
    for (const ai::event& event : reply.events) {
        if (const auto* finished = event.as<ai::call_finished>()) {
            calls.push_back(call_entry(finished->name, finished->reply, finished->took));
        } else if (const auto* denied = event.as<ai::call_denied>()) {
            calls.push_back(call_entry(denied->name, denied->reply, {}));
        }
    }
    ai::json error;
    if (reply.error) {
        error = ai::json::object();
        error["code"] = std::string(to_string(reply.error->code));
        error["message"] = reply.error->message;
    }
    ai::json usage = ai::json::object();
    usage["input_tokens"] = reply.usage.input_tokens;
    usage["output_tokens"] = reply.usage.output_tokens;

    ai::json out = ai::json::object();
    out["answer"] = reply.text;
    out["reason"] = std::string(to_string(reply.reason));
    out["degraded"] = reply.degraded();
    out["error"] = std::move(error);
    out["steps"] = reply.steps;
    out["calls"] = std::move(calls);
    out["usage"] = std::move(usage);
    out["cost_dollars"] = in_dollars(reply.cost);
    out["ms"] = milliseconds(took);
    return printable_json(out);
}

}  // namespace repl
