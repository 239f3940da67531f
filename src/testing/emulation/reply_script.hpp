#pragma once
/// What the scripts of emulators share: a JSON document with a list of entries, each of which makes one reply.
#include "testing/emulation/script_member.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A member of an entry that makes the reply.
template <class Reply>
struct reply_maker {
    const char* name;
    Reply (*make)(const script_member& in);
};

/// A member of an entry that changes the reply.
template <class Reply>
struct reply_changer {
    const char* name;
    Reply (*change)(Reply&& reply, const script_member& in);
};

/// A member of the script that changes the service.
template <class Service>
struct service_member {
    const char* name;
    void (*set)(Service& service, const script_member& in);
};

/// The members that scripts for a service may have.
template <class Service, class Reply>
struct script_grammar {
    std::vector<service_member<Service>> service;
    std::vector<reply_maker<Reply>> makers;
    std::vector<reply_changer<Reply>> changers;
};

/// Returns the texts of a list.
[[nodiscard]] inline std::vector<std::string> script_texts(const script_member& in) {
    std::vector<std::string> out;
    for (const script_member& one : in.list()) {
        out.push_back(one.text());
    }
    return out;
}

/// Makes a reply from `status`, `headers` and `body`.
template <class Reply>
[[nodiscard]] Reply script_http_reply(const script_member& in) {
    in.allow({"status", "headers", "body"});
    std::vector<http_header> headers;
    if (in.has("headers")) {
        const script_member all = in.field("headers");
        all.expect(all.value().is_object(), "Write an object of header names and values.");
        for (const auto& entry : all.value().items()) {
            headers.push_back({entry.key(), std::string(as_string(entry.value()).value_or(""))});
        }
    }
    return Reply::http(static_cast<int>(in.field("status").count()), std::move(headers), in.text_or("body", ""));
}

/// Reads one entry. The result is not valid if the entry has a problem.
template <class Service, class Reply>
[[nodiscard]] Reply read_reply(const script_member& entry, const script_grammar<Service, Reply>& grammar) {
    std::vector<std::string> known;
    std::string makers;
    for (const auto& maker : grammar.makers) {
        known.emplace_back(maker.name);
        makers += (makers.empty() ? "" : ", ") + known.back();
    }
    for (const auto& changer : grammar.changers) {
        known.emplace_back(changer.name);
    }
    entry.allow(known);
    std::optional<Reply> out;
    for (const auto& maker : grammar.makers) {
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
    for (const auto& changer : grammar.changers) {
        if (entry.has(changer.name)) {
            out = changer.change(*std::move(out), entry.field(changer.name));
        }
    }
    return *std::move(out);
}

/// Parses a script: `replies`, `otherwise`, and the members of the service.
template <class Script, class Service, class Reply>
[[nodiscard]] result<Script> parse_reply_script(std::string_view text, const script_grammar<Service, Reply>& grammar) {
    const result<json> document = parse_json(text);
    const json* replies = document ? find_member(*document, "replies") : nullptr;
    if (replies == nullptr || !replies->is_array()) {
        return failure{.code = errc::invalid_argument,
                       .message = document ? "the list \"replies\" is missing" : "invalid JSON: " + document.error().message,
                       .hint = R"(Write an object with a list: {"replies": [{"text": "Hello."}]}.)"};
    }
    std::optional<failure> problem;
    const script_member script(*document, "", problem);
    std::vector<std::string> known = {"replies", "otherwise"};
    for (const auto& member : grammar.service) {
        known.emplace_back(member.name);
    }
    script.allow(known);
    Script out;
    for (const auto& member : grammar.service) {
        if (script.has(member.name)) {
            member.set(out.service, script.field(member.name));
        }
    }
    for (const script_member& entry : script.field("replies").list()) {
        out.replies.push_back(read_reply(entry, grammar));
    }
    if (script.has("otherwise")) {
        out.otherwise = read_reply(script.field("otherwise"), grammar);
    }
    return problem ? result<Script>(*std::move(problem)) : std::move(out);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
