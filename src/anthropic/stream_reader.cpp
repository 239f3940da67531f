#include "anthropic/stream_reader.hpp"

#include "anthropic/wire.hpp"
#include "core/surrogates.hpp"
#include "net/service_access.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

namespace {

/// Overwrites the members of `into` with those of `from` that are not null. Counts and the stop reason are cumulative.
void overwrite(json& into, json& from) {
    for (auto member = from.begin(); member != from.end(); ++member) {
        if (!member->is_null()) {
            into[member.key()] = std::move(*member);
        }
    }
}

void append_text(json& block, const char* name, std::string_view piece) {
    json& text = block[name];
    if (!text.is_string()) {
        text = "";
    }
    text.get_ptr<json::string_t*>()->append(piece);
}

}  // namespace

void stream_assembly::show(delta_sink::kind what, std::string_view piece, const delta_sink& sink) {
    if (!piece.empty()) {
        shown_ = true;
        sink(what, detail::replace_surrogates(std::string(piece)));
    }
}

void stream_assembly::begin(json& event, const delta_sink& sink) {
    if (begun_) {  // a gateway has sent the request again
        if (shown_) {
            sink.restart();
        }
        *this = {};
    }
    begun_ = true;
    json* const message = member_of_type(event, "message", json::value_t::object);
    if (message == nullptr) {
        return;
    }
    message->erase("content");  // empty: the blocks follow
    overwrite(envelope_, *message);
}

void stream_assembly::begin_block(json& event, const delta_sink& sink) {
    json* const block = member_of_type(event, "content_block", json::value_t::object);
    if (block == nullptr) {
        return;
    }
    show(delta_sink::kind::text, string_member(*block, "type") == "text" ? string_member(*block, "text").value_or("") : "", sink);
    show(delta_sink::kind::thought, string_member(*block, "type") == "thinking" ? string_member(*block, "thinking").value_or("") : "",
         sink);
    places_[integer_member(event, "index").value_or(static_cast<std::int64_t>(blocks_.size()))] = blocks_.size();
    blocks_.push_back({.block = std::move(*block)});
}

stream_assembly::open_block& stream_assembly::block_for(std::int64_t index, std::string_view type) {
    const auto place = places_.find(index);
    if (place != places_.end()) {
        return blocks_[place->second];
    }
    places_[index] = blocks_.size();  // its start was not sent
    return blocks_.emplace_back(open_block{.block = {{"type", type}}});
}

void stream_assembly::add_delta(const json& event, const delta_sink& sink) {
    const json* const delta = find_member(event, "delta");
    if (delta == nullptr) {
        return;
    }
    const std::string_view type = string_member(*delta, "type").value_or("");
    const std::int64_t last = blocks_.empty() ? 0 : static_cast<std::int64_t>(blocks_.size()) - 1;
    const std::int64_t index = integer_member(event, "index").value_or(last);
    if (type == "text_delta") {
        const std::string_view piece = string_member(*delta, "text").value_or("");
        append_text(block_for(index, "text").block, "text", piece);
        show(delta_sink::kind::text, piece, sink);
    } else if (type == "thinking_delta") {
        const std::string_view piece = string_member(*delta, "thinking").value_or("");
        append_text(block_for(index, "thinking").block, "thinking", piece);
        show(delta_sink::kind::thought, piece, sink);
    } else if (type == "signature_delta") {
        block_for(index, "thinking").block["signature"] = string_of(*delta, "signature");  // sent whole, once (wire document, section 7)
    } else if (type == "input_json_delta") {
        block_for(index, "tool_use").input += string_member(*delta, "partial_json").value_or("");
    }
}

void stream_assembly::end_block(open_block& ended) {
    if (std::exchange(ended.closed, true) || detail::is_blank(ended.input)) {
        return;
    }
    // As a value that is not an object, text that is not JSON makes the call malformed.
    result<json> input = net::parse_arguments(ended.input);
    ended.block["input"] = input && input->is_object() ? *std::move(input) : json(std::move(ended.input));
}

void stream_assembly::add(json event, std::string_view type, const delta_sink& sink) {
    if (ended_) {
        return;
    }
    if (type == "message_start") {
        begin(event, sink);
    } else if (type == "content_block_start") {
        begin_block(event, sink);
    } else if (type == "content_block_delta") {
        add_delta(event, sink);
    } else if (type == "content_block_stop") {
        const auto place = places_.find(integer_member(event, "index").value_or(-1));
        if (place != places_.end()) {
            end_block(blocks_[place->second]);
        }
    } else if (type == "message_delta") {
        if (json* delta = member_of_type(event, "delta", json::value_t::object)) {
            overwrite(envelope_, *delta);
        }
        if (json* usage = member_of_type(event, "usage", json::value_t::object)) {
            json& total = envelope_["usage"];
            total = total.is_object() ? std::move(total) : json::object();
            overwrite(total, *usage);
        }
    } else if (type == "message_stop") {
        ended_ = true;
    }
}

bool stream_assembly::interrupted() const noexcept {
    return !ended_ && string_member(envelope_, "stop_reason").value_or("").empty();
}

json stream_assembly::take() {
    json out = std::exchange(envelope_, json::object());
    json& content = out["content"] = json::array();
    for (open_block& received : blocks_) {
        end_block(received);
        content.push_back(std::move(received.block));
    }
    *this = {};
    return out;
}

stream_reader::stream_reader(const delta_sink& sink, origin from, const advice& hints, std::size_t max_bytes, json_budget budget)
    : sink_(sink),
      from_(std::move(from)),
      hints_(hints),
      stream_(
          max_bytes, hints.names.secret, [this](json event, std::string_view type) { return take_event(std::move(event), type); },
          [this](const json& document) {
              return is_error(document) ? std::optional<failure>(decode_error_document(document, hints_)) : std::nullopt;
          },
          lone_surrogates::kept, std::move(budget)) {}

std::optional<failure> stream_reader::take_event(json event, std::string_view type) {
    if (is_error(event) || type == "error") {
        return decode_error_document(event, hints_);
    }
    if (!event.is_object()) {
        return stream_.unreadable("the JSON is not an event of a message", dump_json(event));
    }
    const std::string name = event.contains("type") ? string_of(event, "type") : std::string(type);
    if (name == "message") {
        whole_ = std::move(event);
    } else {
        assembly_.add(std::move(event), name, sink_);
    }
    return std::nullopt;
}

result<model_response> stream_reader::outcome() {
    if (const result<void> ended = stream_.finish(); !ended) {
        return ended.error();
    }
    if (whole_) {
        result<model_response> response = decode_response(*std::move(whole_), from_);
        if (response) {
            sink_.text(response->candidates.front().content.text());
        }
        return response;
    }
    if (assembly_.interrupted()) {
        return net::interruption("the stream ended without a stop reason");
    }
    return decode_response(assembly_.take(), from_);
}

result<model_response> stream_reader::finish() {
    result<model_response> response = outcome();
    if (!response && assembly_.has_shown()) {
        sink_.restart();
    }
    return response;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
