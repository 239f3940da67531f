#include "testing/anthropic_emulator/anthropic_renderer.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

json delta_event(std::size_t index, json delta) {
    return {{"type", "content_block_delta"}, {"index", index}, {"delta", std::move(delta)}};
}

/// Appends a text in two deltas, so that a reader has to join them.
void append_deltas(std::vector<json>& out, std::size_t index, const char* type, const char* member, std::string_view text) {
    const std::size_t half = detail::utf8_prefix(text, text.size() / 2).size();
    for (const std::string_view piece : {text.substr(0, half), text.substr(half)}) {
        out.push_back(delta_event(index, {{"type", type}, {member, std::string(piece)}}));
    }
}

}  // namespace

json anthropic_renderer::message(bool begun) const {
    json out = {{"id", "msg_emulated"},
                {"type", "message"},
                {"role", "assistant"},
                {"model", model_},
                {"content", begun ? json::array() : reply_.content_},
                {"stop_reason", begun ? json() : json(reply_.stop_reason_)},
                {"stop_sequence", nullptr},
                {"stop_details", begun ? json() : reply_.stop_details_},
                {"usage", reply_.usage_}};
    if (begun && out["usage"].contains("output_tokens")) {
        out["usage"]["output_tokens"] = 1;
    }
    return out;
}

void anthropic_renderer::append_block(std::vector<json>& out, const json& block, std::size_t index) const {
    json start = block;
    std::vector<json> deltas;
    const std::string_view type = string_member(block, "type").value_or("");
    if (type == "text") {
        start["text"] = "";
        append_deltas(deltas, index, "text_delta", "text", string_member(block, "text").value_or(""));
    } else if (type == "thinking") {
        start["thinking"] = "";
        start["signature"] = "";
        append_deltas(deltas, index, "thinking_delta", "thinking", string_member(block, "thinking").value_or(""));
        deltas.push_back(delta_event(index, {{"type", "signature_delta"}, {"signature", string_member(block, "signature").value_or("")}}));
    } else if (type == "tool_use" && !reply_.whole_input_) {
        start["input"] = json::object();
        const json* input = find_member(block, "input");
        deltas.push_back(delta_event(index, {{"type", "input_json_delta"}, {"partial_json", ""}}));
        if (input != nullptr && !input->empty()) {
            append_deltas(deltas, index, "input_json_delta", "partial_json", dump_json(*input));
        }
    }
    out.push_back({{"type", "content_block_start"}, {"index", index}, {"content_block", std::move(start)}});
    for (json& delta : deltas) {
        if (reply_.pings_) {
            out.push_back({{"type", "ping"}});
        }
        out.push_back(std::move(delta));
    }
    out.push_back({{"type", "content_block_stop"}, {"index", index}});
}

std::vector<json> anthropic_renderer::events() const {
    if (reply_.form_ == anthropic_reply::form::events) {
        return reply_.events_;
    }
    std::vector<json> out = {{{"type", "message_start"}, {"message", message(true)}}};
    for (std::size_t i = 0; i < reply_.content_.size(); ++i) {
        append_block(out, reply_.content_[i], i);
    }
    if (!reply_.late_error_.is_null()) {
        out.push_back(reply_.late_error_);
        return out;
    }
    out.push_back({{"type", "message_delta"},
                   {"delta", {{"stop_reason", reply_.stop_reason_}, {"stop_sequence", nullptr}, {"stop_details", reply_.stop_details_}}},
                   {"usage", reply_.usage_}});
    if (reply_.message_stop_) {
        out.push_back({{"type", "message_stop"}});
    }
    return out;
}

loopback_reply anthropic_renderer::wire() const {
    loopback_reply out;
    out.delay = reply_.delay_;
    out.piece = reply_.piece_;
    switch (reply_.form_) {
        case anthropic_reply::form::hang: out.then = loopback_reply::ending::hang; return out;
        case anthropic_reply::form::reset: out.then = loopback_reply::ending::reset; return out;
        case anthropic_reply::form::body: out.bytes = http_message(reply_.status_, reply_.headers_, reply_.body_); return out;
        default: break;
    }
    if (!streamed_) {
        out.bytes = http_message(200, {{"Content-Type", "application/json"}, {"request-id", "req_emulated"}}, dump_json(message(false)));
        return out;
    }
    std::vector<json> all = events();
    const bool cut = reply_.event_limit_ < all.size();
    all.resize(std::min(all.size(), reply_.event_limit_));
    std::string body;
    for (const json& event : all) {
        const std::string text =
            "event: " + std::string(string_member(event, "type").value_or("message")) + "\ndata: " + dump_json(event) + "\n\n";
        constexpr std::string_view digits = "0123456789abcdef";
        std::string size;
        for (std::size_t rest = text.size(); rest > 0; rest /= 16) {
            size.insert(size.begin(), digits[rest % 16]);
        }
        body += size + "\r\n" + text + "\r\n";
    }
    out.bytes =
        http_head(
            200, {{"Content-Type", "text/event-stream; charset=utf-8"}, {"request-id", "req_emulated"}, {"Transfer-Encoding", "chunked"}}) +
        body + (cut ? "" : "0\r\n\r\n");
    out.then = cut ? loopback_reply::ending::close : loopback_reply::ending::keep;
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
