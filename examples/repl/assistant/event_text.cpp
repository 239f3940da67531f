#include "assistant/event_text.hpp"

#include "assistant/json_report.hpp"
#include "terminal/screen.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/message/capability_call.hpp>

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace repl {

namespace {

constexpr std::size_t longest_call = 100;
constexpr std::size_t longest_text = 100;

std::string shortened(std::string_view text) {
    return ai::detail::one_line(text, longest_text);
}

/// The text of a trace line after the event's name.
struct describe_data {
    std::string operator()(const ai::run_started& data) const { return shortened(data.question); }
    std::string operator()(const ai::step_started& data) const { return std::to_string(data.step); }
    std::string operator()(const ai::text_delta& data) const { return shortened(data.text); }
    std::string operator()(const ai::thought_delta& data) const { return shortened(data.text); }
    std::string operator()(const ai::step_withdrawn& data) const { return shortened(data.why); }
    std::string operator()(const ai::partial_value& data) const { return shortened(ai::dump_json(data.value)); }
    std::string operator()(const ai::calls_proposed& data) const {
        std::string line;
        for (const ai::call_part& one : data.calls) {
            line += (line.empty() ? "" : ", ") + ai::describe_call(one.name, one.arguments);
        }
        return shortened(line);
    }
    std::string operator()(const ai::call_denied& data) const { return numbered(data.call, data.name, data.arguments) + said(data.reply); }
    std::string operator()(const ai::call_started& data) const { return numbered(data.call, data.name, data.arguments); }
    std::string operator()(const ai::call_output& data) const { return "#" + std::to_string(data.call) + " " + shortened(data.text); }
    std::string operator()(const ai::call_finished& data) const {
        return numbered(data.call, data.name, data.arguments) + " " + say_time(data.took) + said(data.reply);
    }
    std::string operator()(const ai::retry_scheduled& data) const {
        return std::to_string(data.retry) + " in " + ai::describe(data.delay) + ": " + say_retry_reason(data.why);
    }
    std::string operator()(const ai::usage_updated& data) const {
        return std::to_string(data.usage.input_tokens) + " tokens in, " + std::to_string(data.usage.output_tokens) + " out" +
               (data.cost && *data.cost > ai::money{} ? ", " + to_string(*data.cost) : "");
    }
    std::string operator()(const ai::step_finished& data) const { return std::to_string(data.step); }
    std::string operator()(const ai::run_finished& data) const { return std::string(to_string(data.reason)); }

private:
    static std::string numbered(std::uint64_t number, const std::string& name, const ai::json& arguments) {
        return "#" + std::to_string(number) + " " + ai::detail::one_line(ai::describe_call(name, arguments), longest_call);
    }
    static std::string said(const ai::capability_reply& reply) {
        return reply.ok() ? " -> " + shortened(ai::dump_json(reply.result))
                          : " -> " + std::string(to_string(reply.code)) + ": " + shortened(reply.message);
    }
};

}  // namespace

std::string say_call(const std::string& name, const ai::json& arguments) {
    return "· " + printable(ai::detail::one_line(ai::describe_call(name, arguments), longest_call));
}

std::string say_time(ai::duration took) {
    const double ms = milliseconds(took);
    char text[32];
    std::snprintf(text, sizeof text, ms < 1000 ? "%.1f ms" : "%.2f s", ms < 1000 ? ms : ms / 1000);
    return text;
}

std::string say_error(const ai::capability_reply& reply) {
    return reply.ok() ? std::string() : " " + std::string(to_string(reply.code));
}

std::string say_end(const ai::capability_reply& reply) {
    const ai::json& end = reply.ok() ? reply.result : reply.details;
    std::string text;
    if (const auto code = ai::integer_member(end, "exit_code"); code && *code != 0) {
        text = " exit " + std::to_string(*code);
    } else if (const auto signal = ai::string_member(end, "signal")) {
        text = " " + printable(*signal);
    }
    return text + (ai::bool_member(end, "left_running").value_or(false) ? " (it left a process running)" : "");
}

std::string without_styles(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t escape = std::min(text.find('\x1B'), text.size());
        out += text.substr(0, escape);
        const std::size_t end = text.find('m', escape);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return out;
}

std::string say_retry_reason(const std::string& code) {
    if (code == to_string(ai::errc::connection_failed)) {
        return "the connection failed";
    }
    if (code == to_string(ai::errc::rate_limited)) {
        return "the service asks for a delay";
    }
    if (code == to_string(ai::errc::unavailable)) {
        return "the service is unavailable";
    }
    std::string words = ai::detail::one_line(code, longest_text);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string trace_of(const std::vector<ai::event>& events) {
    std::string lines;
    for (const ai::event& one : events) {
        char begin[64];
        std::snprintf(begin, sizeof begin, "%10.1f ms  %-17s", milliseconds(one.time - events.front().time),
                      std::string(event_name(one)).c_str());
        lines += begin + std::visit(describe_data{}, one.data) + "\n";
    }
    return printable(lines);
}

}  // namespace repl
