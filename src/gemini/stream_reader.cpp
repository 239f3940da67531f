#include "gemini/stream_reader.hpp"

#include "gemini/wire.hpp"

#include <pyaichat/gemini/codec.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

bool is_thought(const json& part) {
    return bool_member(part, "thought").value_or(false);
}

/// Whether a part has only text. Such parts may be joined.
bool is_plain_text(const json& part) {
    return string_member(part, "text") && part.size() == (bool_member(part, "thought") ? 2u : 1u);
}

void show(const json& part, const delta_sink& sink) {
    const auto text = string_member(part, "text");
    if (!text || text->empty() || find_member(part, "functionCall") != nullptr) {
        return;
    }
    if (is_thought(part)) {
        sink.thought(*text);
    } else {
        sink.text(*text);
    }
}

void append_part(json& parts, json part) {
    if (!is_plain_text(part)) {
        parts.push_back(std::move(part));
        return;
    }
    const std::string_view text = *string_member(part, "text");
    if (text.empty()) {
        return;
    }
    if (!parts.empty() && is_plain_text(parts.back()) && is_thought(parts.back()) == is_thought(part)) {
        parts.back()["text"].get_ptr<json::string_t*>()->append(text);
    } else {
        parts.push_back(std::move(part));
    }
}

/// Moves the members of `from` to `into`, except one and those that are null.
void move_members(json& into, json& from, std::string_view except) {
    auto* const source = from.get_ptr<json::object_t*>();
    if (source == nullptr) {
        return;
    }
    auto& target = *into.get_ptr<json::object_t*>();
    for (auto member = source->begin(); member != source->end();) {
        const auto moved = member++;
        if (moved->first != except && !moved->second.is_null()) {
            auto [place, inserted, node] = target.insert(source->extract(moved));
            if (!inserted) {
                place->second = std::move(node.mapped());
            }
        }
    }
}

}  // namespace

void stream_assembly::add(json chunk, const delta_sink& sink) {
    move_members(envelope_, chunk, "candidates");
    json* const candidates = member_of_type(chunk, "candidates", json::value_t::array);
    if (candidates == nullptr) {
        return;
    }
    std::int64_t position = 0;
    for (json& wire : *candidates) {
        // The service omits an index of zero. Without any index, candidates are identified by their order.
        const std::int64_t index = integer_of(wire, "index").value_or(position++);
        candidate_parts& into = candidates_[index];
        if (!wire.is_object()) {
            continue;
        }
        move_members(into.members, wire, "content");
        json* const content = member_of_type(wire, "content", json::value_t::object);
        if (content == nullptr) {
            continue;
        }
        if (into.content.is_null()) {
            into.content = json::object();
        }
        move_members(into.content, *content, "parts");
        if (json* const parts = member_of_type(*content, "parts", json::value_t::array)) {
            for (json& part : *parts) {
                if (index == 0) {
                    show(part, sink);
                }
                append_part(into.parts, std::move(part));
            }
        }
    }
}

bool stream_assembly::interrupted() const noexcept {
    const json* feedback = find_member(envelope_, "promptFeedback");
    const bool blocked = feedback != nullptr && find_member(*feedback, "blockReason") != nullptr;
    const auto is_open = [blocked](const auto& entry) {
        const candidate_parts& received = entry.second;
        return string_member(received.members, "finishReason").value_or("").empty() && !(blocked && received.parts.empty());
    };
    return !candidates_.empty() && std::all_of(candidates_.begin(), candidates_.end(), is_open);
}

json stream_assembly::take() {
    json out = std::exchange(envelope_, json::object());
    for (auto& [index, received] : candidates_) {
        json& whole = out["candidates"].emplace_back(std::move(received.members));
        if (!received.content.is_null()) {
            whole["content"] = std::move(received.content);
            if (!received.parts.empty()) {
                whole["content"]["parts"] = std::move(received.parts);
            }
        }
    }
    candidates_.clear();
    return out;
}

stream_reader::stream_reader(const delta_sink& sink, std::string writer, const advice& names, std::size_t max_bytes, json_budget budget)
    : sink_(sink),
      writer_(std::move(writer)),
      names_(names),
      stream_(
          max_bytes, names.secret, [this](json chunk, std::string_view) { return take_chunk(std::move(chunk)); },
          [this](const json& document) {
              const json* error = error_member(document);
              return error != nullptr ? std::optional<failure>(decode_error_member(*error, names_)) : std::nullopt;
          },
          lone_surrogates::replaced, std::move(budget)) {}

std::optional<failure> stream_reader::take_chunk(json chunk) {
    if (const json* error = error_member(chunk)) {
        return decode_error_member(*error, names_);
    }
    if (!chunk.is_object()) {
        return stream_.unreadable("the JSON is not a GenerateContentResponse", dump_json(chunk));
    }
    chunks_.add(std::move(chunk), sink_);
    return std::nullopt;
}

result<model_response> stream_reader::finish() {
    if (const result<void> ended = stream_.finish(); !ended) {
        return ended.error();
    }
    if (!stream_.whole() && chunks_.interrupted()) {
        return net::interruption("the stream ended without a finish reason");
    }
    return decode_response(chunks_.take(), writer_);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
