#include <pyaichat/testing/anthropic_script.hpp>

#include "testing/gemini_emulator/gemini_script_member.hpp"
#include "testing/text_file.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

using script_member = gemini_script_member;

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

anthropic_reply http_reply(const script_member& in) {
    in.allow({"status", "headers", "body"});
    std::vector<http_header> headers;
    if (in.has("headers")) {
        const script_member all = in.field("headers");
        all.expect(all.value().is_object(), "Write an object of header names and values.");
        for (const auto& entry : all.value().items()) {
            headers.push_back({entry.key(), std::string(as_string(entry.value()).value_or(""))});
        }
    }
    return anthropic_reply::http(static_cast<int>(in.field("status").count()), std::move(headers), in.text_or("body", ""));
}

struct reply_maker {
    const char* name;
    anthropic_reply (*make)(const script_member& in);
};

const std::vector<reply_maker>& reply_makers() {
    using in = const script_member&;
    static const std::vector<reply_maker> all = {
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
        {"http", http_reply},
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
    return all;
}

struct reply_changer {
    const char* name;
    anthropic_reply (*change)(anthropic_reply&& reply, const script_member& in);
};

const std::vector<reply_changer>& reply_changers() {
    using reply = anthropic_reply&&;
    using in = const script_member&;
    static const std::vector<reply_changer> all = {
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
    return all;
}

anthropic_reply read_reply(const script_member& entry) {
    std::vector<std::string> known;
    std::string makers;
    for (const reply_maker& maker : reply_makers()) {
        known.emplace_back(maker.name);
        makers += (makers.empty() ? "" : ", ") + known.back();
    }
    for (const reply_changer& changer : reply_changers()) {
        known.emplace_back(changer.name);
    }
    entry.allow(known);
    std::optional<anthropic_reply> out;
    for (const reply_maker& maker : reply_makers()) {
        if (!entry.has(maker.name)) {
            continue;
        }
        if (out) {
            entry.report(std::string("\"") + maker.name + "\" is a second reply in one entry", "Write one entry for each request.");
        }
        out = maker.make(entry.field(maker.name));
    }
    if (!out) {
        entry.report("no reply", "Add a reply: " + makers + ".");
        return {};
    }
    for (const reply_changer& changer : reply_changers()) {
        if (entry.has(changer.name)) {
            out = changer.change(*std::move(out), entry.field(changer.name));
        }
    }
    return *std::move(out);
}

}  // namespace

result<anthropic_script> parse_anthropic_script(std::string_view text) {
    const result<json> document = parse_json(text);
    const json* replies = document ? find_member(*document, "replies") : nullptr;
    if (replies == nullptr || !replies->is_array()) {
        return failure{.code = errc::invalid_argument,
                       .message = document ? "the list \"replies\" is missing" : "invalid JSON: " + document.error().message,
                       .hint = R"(Write an object with a list: {"replies": [{"text": "Hello."}]}.)"};
    }
    std::optional<failure> problem;
    const script_member script(*document, "", problem);
    script.allow({"api_key", "models", "replies", "otherwise"});
    anthropic_script out;
    if (script.has("api_key")) {
        out.service.api_key = script.field("api_key").text();
    }
    if (script.has("models")) {
        out.service.models.clear();
        for (const script_member& model : script.field("models").list()) {
            out.service.models.push_back(model.text());
        }
    }
    for (const script_member& entry : script.field("replies").list()) {
        out.replies.push_back(read_reply(entry));
    }
    if (script.has("otherwise")) {
        out.otherwise = read_reply(script.field("otherwise"));
    }
    return problem ? result<anthropic_script>(*std::move(problem)) : std::move(out);
}

result<anthropic_script> read_anthropic_script(const std::string& path) {
    return read_text_file(path, parse_anthropic_script);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
