#include "openai/chat_assembly.hpp"

#include "openai/wire.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

/// Members whose pieces are joined: a refusal, and reasoning under the names of different services.
constexpr std::array<const char*, 3> joined_members = {"refusal", "reasoning_content", "reasoning"};

void append_text(json& object, const char* name, const json& piece) {
    if (const auto text = as_string(piece)) {
        json& whole = object[name];
        whole = std::string(as_string(whole).value_or("")).append(*text);
    }
}

/// Adds a piece of a content that is a list: adjacent texts are joined.
void add_piece(json& pieces, json piece) {
    json* const last = pieces.empty() ? nullptr : &pieces.back();
    if (last != nullptr && string_member(piece, "type") == "text" && string_member(*last, "type") == "text" && piece.size() == 2 &&
        find_member(piece, "text") != nullptr) {
        append_text(*last, "text", piece["text"]);
    } else {
        pieces.push_back(std::move(piece));
    }
}

/// Joins an entry of `reasoning_details` with the earlier one of its index: texts are continued, other members replaced.
void add_detail(json& details, json piece) {
    const auto index = integer_member(piece, "index");
    const auto at = std::find_if(details.begin(), details.end(), [&](const json& one) {
        return index && integer_member(one, "index") == index && string_of(one, "type") == string_of(piece, "type");
    });
    if (at == details.end() || !piece.is_object()) {
        details.push_back(std::move(piece));
        return;
    }
    for (const auto& [name, member] : piece.items()) {
        const bool continued = name == "text" || name == "summary" || name == "data";
        if (continued && member.is_string()) {
            append_text(*at, name.c_str(), member);
        } else if (!member.is_null()) {
            (*at)[name] = member;
        }
    }
}

}  // namespace

void chat_assembly::add_content(choice& into, json& content, const delta_sink& sink) {
    into.has_content = true;
    if (const auto text = as_string(content)) {
        if (into.pieces.empty()) {
            into.text += *text;
        } else if (!text->empty()) {
            add_piece(into.pieces, json::object({{"text", *text}, {"type", "text"}}));
        }
        if (!text->empty()) {
            sink.text(*text);
        }
        return;
    }
    if (!into.text.empty() && into.pieces.empty()) {
        add_piece(into.pieces, json::object({{"text", std::exchange(into.text, {})}, {"type", "text"}}));
    }
    for (json& piece : content) {
        if (const auto text = string_member(piece, "text"); text && !text->empty()) {
            sink.text(*text);
        }
        for (const json& thought : elements_of(piece, "thinking")) {
            sink.thought(string_member(thought, "text").value_or(""));
        }
        add_piece(into.pieces, std::move(piece));
    }
}

void chat_assembly::add_message(choice& into, json& delta, const delta_sink& sink) {
    bool thought = false;
    for (auto member = delta.begin(); member != delta.end(); ++member) {
        const std::string& name = member.key();
        if (member->is_null()) {
            continue;
        }
        if (std::find(joined_members.begin(), joined_members.end(), name) != joined_members.end() && member->is_string()) {
            const std::string_view text = *as_string(*member);
            into.joined[name] += text;
            if (name != "refusal" && !text.empty() && !std::exchange(thought, true)) {
                sink.thought(text);  // some services send the same reasoning under two names
            }
        } else if (name == "content") {
            add_content(into, *member, sink);
        } else if (name == "tool_calls") {
            for (json& call : *member) {
                into.calls.add(std::move(call));
            }
        } else if (name == "reasoning_details" && member->is_array()) {
            for (json& piece : *member) {
                add_detail(into.details, std::move(piece));
            }
        } else {
            into.members[name] = std::move(*member);
        }
    }
}

void chat_assembly::add(json chunk, const delta_sink& sink) {
    for (const char* name : {"id", "model", "object", "usage"}) {
        if (const auto member = chunk.find(name); member != chunk.end() && !member->is_null()) {
            envelope_[name] = std::move(*member);
        }
    }
    json* const choices = member_of_type(chunk, "choices", json::value_t::array);
    if (choices == nullptr) {
        return;
    }
    envelope_["choices"] = json::array();
    static const delta_sink unseen;
    for (json& wire : *choices) {
        if (!wire.is_object()) {
            continue;
        }
        const std::int64_t index = integer_member(wire, "index").value_or(0);
        choice& into = choices_[index];
        const delta_sink& shown = index == choices_.begin()->first ? sink : unseen;
        for (const char* name : {"delta", "message"}) {
            if (json* const delta = member_of_type(wire, name, json::value_t::object)) {
                add_message(into, *delta, shown);
            }
        }
        if (std::string finish = string_of(wire, "finish_reason"); !finish.empty()) {
            into.finish = std::move(finish);
        }
    }
}

bool chat_assembly::unfinished() const noexcept {
    return std::all_of(choices_.begin(), choices_.end(), [](const auto& entry) { return entry.second.finish.empty(); });
}

json chat_assembly::take() {
    json out = std::exchange(envelope_, json::object());
    for (auto& [index, received] : choices_) {
        json message = std::move(received.members);
        if (!received.pieces.empty()) {
            message["content"] = std::move(received.pieces);
        } else if (received.has_content) {
            message["content"] = std::move(received.text);
        }
        for (auto& [name, text] : received.joined) {
            message[name] = std::move(text);
        }
        if (!received.details.empty()) {
            message["reasoning_details"] = std::move(received.details);
        }
        if (!received.calls.empty()) {
            message["tool_calls"] = received.calls.take();
        }
        json whole = json::object({{"index", index}, {"message", std::move(message)}});
        if (!received.finish.empty()) {
            whole["finish_reason"] = std::move(received.finish);
        }
        out["choices"].push_back(std::move(whole));
    }
    choices_.clear();
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
