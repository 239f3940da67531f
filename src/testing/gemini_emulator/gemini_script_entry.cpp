#include "testing/emulation/script_member.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

using member = script_member;

struct status_error {
    int code = 500;
    std::string status = {};
    std::string message = {};
};

status_error error_of(const member& in) {
    in.allow({"code", "status", "message", "details"});
    return {static_cast<int>(in.field("code").count()), in.field("status").text(), in.field("message").text()};
}

std::vector<http_header> headers_of(const member& in) {
    std::vector<http_header> out;
    if (!in.value().is_object()) {
        in.report("invalid value", "Write an object of header names and values.");
        return out;
    }
    for (const auto& entry : in.value().items()) {
        out.push_back({entry.key(), in.field(entry.key().c_str()).text()});
    }
    return out;
}

std::vector<std::string> texts_of(const member& in) {
    std::vector<std::string> out;
    for (const member& element : in.list()) {
        out.push_back(element.text());
    }
    return out;
}

std::vector<gemini_call> calls_of(const member& in) {
    std::vector<gemini_call> out;
    for (const member& call : in.list()) {
        call.allow({"id", "name", "args"});
        out.push_back({call.text_or("id", ""), call.field("name").text(), call.field("args").value()});
    }
    return out;
}

/// The finish reason and message, from a text or from an object with both.
std::pair<std::string, std::string> finish_of(const member& in) {
    if (!in.value().is_object()) {
        return {in.text(), ""};
    }
    in.allow({"reason", "message"});
    return {in.field("reason").text(), in.text_or("message", "")};
}

struct maker {
    const char* name;
    gemini_reply (*make)(const member& in, const std::string& signature);
    bool takes_signature = false;
};

const std::vector<maker>& makers() {
    using in = const member&;
    using signature = const std::string&;
    static const std::vector<maker> all = {
        {"text", [](in it, signature signed_by) { return gemini_reply::text(it.text(), signed_by); }, true},
        {"deltas", [](in it, signature signed_by) { return gemini_reply::deltas(texts_of(it), signed_by); }, true},
        {"calls", [](in it, signature signed_by) { return gemini_reply::calls(calls_of(it), signed_by); }, true},
        {"parts", [](in it, signature) { return gemini_reply::parts(it.value()); }},
        {"finish",
         [](in it, signature) {
             const auto [reason, message] = finish_of(it);
             return gemini_reply::finish(reason, message);
         }},
        {"prompt_block", [](in it, signature) { return gemini_reply::prompt_block(it.text()); }},
        {"error",
         [](in it, signature) {
             const status_error error = error_of(it);
             return gemini_reply::error(error.code, error.status, error.message,
                                        it.has("details") ? it.field("details").value() : json::array());
         }},
        {"rate_limit",
         [](in it, signature) {
             it.allow({"retry_delay", "quota_id"});
             const std::string delay = it.text_or("retry_delay", "");
             return it.has("quota_id") ? gemini_reply::rate_limit(delay, it.field("quota_id").text()) : gemini_reply::rate_limit(delay);
         }},
        {"rate_limit_in_text", [](in it, signature) { return gemini_reply::rate_limit_in_text(it.text()); }},
        {"daily_quota", [](in it, signature) { return it.flag(), gemini_reply::daily_quota(); }},
        {"overloaded", [](in it, signature) { return it.flag(), gemini_reply::overloaded(); }},
        {"html_error", [](in it, signature) { return gemini_reply::html_error(static_cast<int>(it.count())); }},
        {"document", [](in it, signature) { return gemini_reply::document(it.value()); }},
        {"documents",
         [](in it, signature) {
             std::vector<json> documents;
             for (const member& element : it.list()) {
                 documents.push_back(element.value());
             }
             it.expect(!documents.empty(), "Write a list with at least one document.");
             return gemini_reply::documents(std::move(documents));
         }},
        {"http",
         [](in it, signature) {
             it.allow({"status", "headers", "body"});
             return gemini_reply::http(static_cast<int>(it.field("status").count()),
                                       it.has("headers") ? headers_of(it.field("headers")) : std::vector<http_header>(),
                                       it.text_or("body", ""));
         }},
        {"raw", [](in it, signature) { return gemini_reply::raw(it.text()); }},
        {"hang", [](in it, signature) { return it.flag(), gemini_reply::hang(); }},
        {"reset", [](in it, signature) { return it.flag(), gemini_reply::reset(); }},
    };
    return all;
}

struct changer {
    const char* name;
    gemini_reply (*change)(gemini_reply&& reply, const member& in);
};

const std::vector<changer>& changers() {
    using reply = gemini_reply&&;
    using in = const member&;
    static const std::vector<changer> all = {
        {"thinking", [](reply it, in value) { return std::move(it).thinking(value.text()); }},
        {"and_part", [](reply it, in value) { return std::move(it).and_part(value.value()); }},
        {"finishing",
         [](reply it, in value) {
             const auto [reason, message] = finish_of(value);
             return std::move(it).finishing(reason, message);
         }},
        {"without_finish", [](reply it, in value) { return value.flag(), std::move(it).without_finish(); }},
        {"finish_on_every_chunk", [](reply it, in value) { return value.flag(), std::move(it).finish_on_every_chunk(); }},
        {"chunk_per_part", [](reply it, in value) { return value.flag(), std::move(it).chunk_per_part(); }},
        {"last_chunk", [](reply it, in value) { return std::move(it).last_chunk(value.enumerator<gemini_last_chunk>()); }},
        {"with_unknown_members", [](reply it, in value) { return value.flag(), std::move(it).with_unknown_members(); }},
        {"without_candidates", [](reply it, in value) { return value.flag(), std::move(it).without_candidates(); }},
        {"usage", [](reply it, in value) { return std::move(it).usage(value.value()); }},
        {"then_error",
         [](reply it, in value) {
             const status_error error = error_of(value);
             return std::move(it).then_error(error.code, error.status, error.message);
         }},
        {"then_bare_error",
         [](reply it, in value) {
             const status_error error = error_of(value);
             return std::move(it).then_bare_error(error.code, error.status, error.message);
         }},
        {"line_end",
         [](reply it, in value) {
             const std::vector<std::string> ends = {"\r\n", "\n", "\r"};
             return std::move(it).line_end(ends[value.choice(ends)]);
         }},
        {"without_last_blank_line", [](reply it, in value) { return value.flag(), std::move(it).without_last_blank_line(); }},
        {"chunk_pause", [](reply it, in value) { return std::move(it).chunk_pause(value.time()); }},
        {"only_for", [](reply it, in value) { return std::move(it).only_for(value.enumerator<gemini_method>()); }},
        {"header",
         [](reply it, in value) {
             for (const http_header& header : headers_of(value)) {
                 it = std::move(it).header(header.name, header.value);
             }
             return std::move(it);
         }},
        {"in_array", [](reply it, in value) { return value.flag(), std::move(it).in_array(); }},
        {"padded_by", [](reply it, in value) { return std::move(it).padded_by(value.count()); }},
        {"after", [](reply it, in value) { return std::move(it).after(value.time()); }},
        {"dripping",
         [](reply it, in value) {
             value.allow({"bytes", "pause"});
             return std::move(it).dripping(value.field("bytes").count(), value.field("pause").time());
         }},
        {"byte_by_byte", [](reply it, in value) { return value.flag(), std::move(it).byte_by_byte(); }},
        {"cut_after", [](reply it, in value) { return std::move(it).cut_after(value.count()); }},
        {"reset_after", [](reply it, in value) { return std::move(it).reset_after(value.count()); }},
        {"stall_after", [](reply it, in value) { return std::move(it).stall_after(value.count()); }},
        {"then_close", [](reply it, in value) { return value.flag(), std::move(it).then_close(); }},
    };
    return all;
}

std::vector<std::string> all_names() {
    std::vector<std::string> out = {"signature"};
    for (const maker& entry : makers()) {
        out.emplace_back(entry.name);
    }
    for (const changer& entry : changers()) {
        out.emplace_back(entry.name);
    }
    return out;
}

}  // namespace

gemini_reply read_gemini_reply(const script_member& entry) {
    entry.allow(all_names());
    std::optional<gemini_reply> out;
    for (const maker& maker : makers()) {
        if (!entry.has(maker.name)) {
            continue;
        }
        if (out) {
            entry.report(std::string("\"") + maker.name + "\" is a second reply in one entry", "Write one entry for each request.");
        }
        if (entry.has("signature") && !maker.takes_signature) {
            entry.field("signature")
                .report("not allowed here", "Use signature with text, deltas or calls. For other replies, write it into a part.");
        }
        out = maker.make(entry.field(maker.name), entry.text_or("signature", ""));
    }
    if (!out) {
        entry.report("no reply",
                     "Add a reply: text, deltas, calls, parts, finish, prompt_block, error, rate_limit, rate_limit_in_text, "
                     "daily_quota, overloaded, html_error, document, documents, http, raw, hang or reset.");
        return {};
    }
    for (const changer& changer : changers()) {
        if (entry.has(changer.name)) {
            out = changer.change(*std::move(out), entry.field(changer.name));
        }
    }
    return *std::move(out);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
