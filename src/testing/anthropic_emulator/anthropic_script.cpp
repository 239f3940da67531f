#include <pyaichat/testing/anthropic_script.hpp>

#include "testing/emulation/reply_script.hpp"
#include "testing/text_file.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

struct typed_error {
    std::string type = {};
    std::string message = {};
};

typed_error typed_error_of(const script_member& in) {
    return {in.field("type").text(), in.text_or("message", "")};
}

std::vector<anthropic_call> script_calls(const script_member& in) {
    std::vector<anthropic_call> out;
    for (const script_member& call : in.list()) {
        call.allow({"id", "name", "input"});
        out.push_back(
            {call.text_or("id", ""), call.field("name").text(), call.has("input") ? call.field("input").value() : json::object()});
    }
    return out;
}

std::vector<reply_maker<anthropic_reply>> reply_makers() {
    using in = const script_member&;
    return {
        {"text", [](in it) { return anthropic_reply::text(it.text()); }},
        {"calls", [](in it) { return anthropic_reply::calls(script_calls(it)); }},
        {"content",
         [](in it) { return it.expect(it.value().is_array(), "Write a list of blocks."), anthropic_reply::content(it.value()); }},
        {"error",
         [](in it) {
             it.allow({"status", "type", "message", "details"});
             const typed_error error = typed_error_of(it);
             return anthropic_reply::error(static_cast<int>(it.field("status").count()), error.type, error.message,
                                           it.field("details").value());
         }},
        {"rate_limit", [](in it) { return anthropic_reply::rate_limit(it.text()); }},
        {"spend_limit", [](in it) { return it.flag(), anthropic_reply::spend_limit(); }},
        {"overloaded", [](in it) { return it.flag(), anthropic_reply::overloaded(); }},
        {"http", script_http_reply<anthropic_reply>},
        {"events",
         [](in it) {
             std::vector<json> events;
             for (const script_member& event : it.list()) {
                 events.push_back(event.value());
             }
             return anthropic_reply::events(std::move(events));
         }},
        {"hang", [](in it) { return it.flag(), anthropic_reply::hang(); }},
        {"reset", [](in it) { return it.flag(), anthropic_reply::reset(); }},
    };
}

std::vector<reply_changer<anthropic_reply>> reply_changers() {
    using reply = anthropic_reply&&;
    using in = const script_member&;
    return {
        {"thinking",
         [](reply it, in value) {
             value.allow({"thinking", "signature"});
             return std::move(it).thinking(value.text_or("thinking", ""), value.field("signature").text());
         }},
        {"redacted_thinking", [](reply it, in value) { return std::move(it).redacted_thinking(value.text()); }},
        {"stopping",
         [](reply it, in value) {
             value.allow({"reason", "details"});
             return std::move(it).stopping(value.field("reason").text(), value.field("details").value());
         }},
        {"usage", [](reply it, in value) { return std::move(it).usage(value.value()); }},
        {"with_pings", [](reply it, in value) { return value.flag(), std::move(it).with_pings(); }},
        {"with_whole_input", [](reply it, in value) { return value.flag(), std::move(it).with_whole_input(); }},
        {"without_message_stop", [](reply it, in value) { return value.flag(), std::move(it).without_message_stop(); }},
        {"then_error",
         [](reply it, in value) {
             value.allow({"type", "message"});
             const typed_error error = typed_error_of(value);
             return std::move(it).then_error(error.type, error.message);
         }},
        {"cut_after", [](reply it, in value) { return std::move(it).cut_after(value.count()); }},
        {"never_streamed", [](reply it, in value) { return value.flag(), std::move(it).never_streamed(); }},
        {"after", [](reply it, in value) { return std::move(it).after(value.time()); }},
        {"byte_by_byte", [](reply it, in value) { return value.flag(), std::move(it).byte_by_byte(); }},
    };
}

}  // namespace

result<anthropic_script> parse_anthropic_script(std::string_view text) {
    static const script_grammar<anthropic_service, anthropic_reply> grammar = {
        .service = {{"api_key", [](anthropic_service& service, const script_member& in) { service.api_key = in.text(); }},
                    {"models", [](anthropic_service& service, const script_member& in) { service.models = script_texts(in); }}},
        .makers = reply_makers(),
        .changers = reply_changers()};
    return parse_reply_script<anthropic_script>(text, grammar);
}

result<anthropic_script> read_anthropic_script(const std::string& path) {
    return read_text_file(path, parse_anthropic_script);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
