#include "testing/openai_emulator/openai_renderer.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

json usage() {
    json out = json::object();
    out["prompt_tokens"] = 21;
    out["completion_tokens"] = 9;
    out["total_tokens"] = 30;
    return out;
}

json envelope(const json& request, const char* object) {
    json out = json::object();
    out["id"] = "chatcmpl-1";
    out["object"] = object;
    out["created"] = 1'763'700'000;
    out["model"] = std::string(string_member(request, "model").value_or("emulated"));
    return out;
}

void add_members(json& into, const json& more) {
    for (const auto& [name, member] : more.items()) {
        into[name] = member;
    }
}

}  // namespace

json openai_renderer::call_delta(std::size_t index, const std::string& arguments, bool first) const {
    const openai_call& call = reply_.calls_[index];
    json out = json::object();
    out["function"] = json::object();
    out["function"]["arguments"] = arguments;
    if (first) {
        out["function"]["name"] = call.name;
        out["id"] = call.id;
        out["type"] = "function";
        if (index == 0) {
            add_members(out, reply_.call_members_);
        }
    }
    return out;
}

json openai_renderer::message() const {
    json out = json::object();
    out["role"] = "assistant";
    out["content"] = nullptr;
    out["refusal"] = nullptr;
    if (!reply_.pieces_.empty()) {
        std::string text;
        for (const std::string& piece : reply_.pieces_) {
            text += piece;
        }
        out["content"] = std::move(text);
    }
    if (!reply_.reasoning_.empty()) {
        out["reasoning_content"] = reply_.reasoning_;
    }
    for (std::size_t i = 0; i < reply_.calls_.size(); ++i) {
        out["tool_calls"].push_back(call_delta(i, reply_.calls_[i].arguments, true));
    }
    add_members(out, reply_.members_);
    return out;
}

json openai_renderer::whole() const {
    json choice = json::object();
    choice["index"] = 0;
    choice["message"] = message();
    choice["finish_reason"] = reply_.finish_ ? json(*reply_.finish_) : json();
    json out = envelope(request_, "chat.completion");
    out["choices"] = json::array({std::move(choice)});
    out["usage"] = usage();
    return out;
}

std::string openai_renderer::events() const {
    std::string out;
    const auto add = [&](const json& chunk) { out += "data: " + dump_json(chunk) + "\n\n"; };
    const auto add_delta = [&](json delta, json finish = {}) {
        json choice = json::object();
        choice["index"] = 0;
        choice["delta"] = std::move(delta);
        choice["finish_reason"] = std::move(finish);
        json chunk = envelope(request_, "chat.completion.chunk");
        chunk["choices"] = json::array({std::move(choice)});
        add(chunk);
    };
    const auto member = [](const char* name, json value) {
        json delta = json::object();
        delta[name] = std::move(value);
        return delta;
    };
    json first = member("role", "assistant");
    first["content"] = nullptr;
    add_members(first, reply_.members_);
    add_delta(std::move(first));
    if (!reply_.reasoning_.empty()) {
        add_delta(member("reasoning_content", reply_.reasoning_));
    }
    for (const std::string& piece : reply_.pieces_) {
        add_delta(member("content", piece));
    }
    for (std::size_t i = 0; i < reply_.calls_.size(); ++i) {
        const std::string& arguments = reply_.calls_[i].arguments;
        const std::size_t half = arguments.size() / 2;
        for (const bool begins : {true, false}) {
            json delta = call_delta(i, begins ? arguments.substr(0, half) : arguments.substr(half), begins);
            if (reply_.index_) {
                delta["index"] = i;
            }
            add_delta(member("tool_calls", json::array({std::move(delta)})));
        }
    }
    if (!reply_.late_error_.is_null()) {
        add(reply_.late_error_);
        return out;
    }
    if (reply_.finish_) {
        add_delta(json::object(), *reply_.finish_);
    }
    const json* options = find_member(request_, "stream_options");
    if (options != nullptr && bool_member(*options, "include_usage").value_or(false)) {
        json chunk = envelope(request_, "chat.completion.chunk");
        chunk["choices"] = json::array();
        chunk["usage"] = usage();
        add(chunk);
    }
    return reply_.done_ ? out + "data: [DONE]\n\n" : out;
}

loopback_reply openai_renderer::wire() const {
    const bool streamed = bool_member(request_, "stream").value_or(false);
    return wire_of(reply_, streamed, [&] { return streamed ? events() : dump_json(whole()); });
}

loopback_reply openai_renderer::wire_of(const openai_reply& reply, bool streamed, const std::function<std::string()>& content) {
    loopback_reply out;
    out.delay = reply.delay_;
    out.piece = reply.piece_;
    if (reply.hangs_) {
        out.then = loopback_reply::ending::hang;
        return out;
    }
    std::vector<http_header> headers = reply.headers_;
    std::string body = reply.body_;
    if (reply.status_ == 0) {
        headers.push_back({"Content-Type", streamed ? "text/event-stream; charset=utf-8" : "application/json"});
        body = content();
    }
    out.bytes = http_message(reply.status_ == 0 ? 200 : reply.status_, headers, body);
    if (reply.body_limit_ && *reply.body_limit_ < body.size()) {
        out.bytes.resize(out.bytes.size() - (body.size() - *reply.body_limit_));
        out.then = loopback_reply::ending::close;
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
