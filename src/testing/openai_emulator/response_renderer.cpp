#include "testing/openai_emulator/response_renderer.hpp"

#include "testing/openai_emulator/openai_renderer.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

json usage_of_response() {
    return json::object({{"input_tokens", 21},
                         {"input_tokens_details", json::object({{"cached_tokens", 0}})},
                         {"output_tokens", 9},
                         {"output_tokens_details", json::object({{"reasoning_tokens", 0}})},
                         {"total_tokens", 30}});
}

std::string joined(const std::vector<std::string>& pieces) {
    std::string out;
    for (const std::string& piece : pieces) {
        out += piece;
    }
    return out;
}

/// The events of a stream.
class event_writer {
public:
    /// Adds an event. `members` may be empty.
    void add(const char* type, json members) {
        members["type"] = type;
        members["sequence_number"] = number_++;
        text_ += std::string("event: ") + type + "\ndata: " + dump_json(members) + "\n\n";
    }

    /// Adds the events of one finished item.
    void add_item(std::size_t index, const json& item, const std::vector<std::string>& pieces) {
        const std::string type(string_member(item, "type").value_or(""));
        json begun = item;
        const auto part = [&](const char* event, json members) {
            members["output_index"] = index;
            members["item_id"] = std::string(string_member(item, "id").value_or(""));
            add(event, std::move(members));
        };
        if (type == "message") {
            begun["content"] = json::array();
        } else if (type == "function_call") {
            begun["arguments"] = "";
        } else if (type == "reasoning") {
            begun["summary"] = json::array();
        }
        if (find_member(item, "status") != nullptr) {
            begun["status"] = "in_progress";
        }
        add("response.output_item.added", json::object({{"output_index", index}, {"item", begun}}));
        if (type == "function_call") {
            const std::string arguments(string_member(item, "arguments").value_or(""));
            part("response.function_call_arguments.delta", json::object({{"delta", arguments.substr(0, arguments.size() / 2)}}));
            part("response.function_call_arguments.delta", json::object({{"delta", arguments.substr(arguments.size() / 2)}}));
            part("response.function_call_arguments.done", json::object({{"arguments", arguments}}));
        } else if (type == "reasoning") {
            add_texts(item, "summary", "response.reasoning_summary_text.delta", {}, part);
        } else if (type == "message") {
            add_texts(item, "content", "response.output_text.delta", pieces, part);
        }
        add("response.output_item.done", json::object({{"output_index", index}, {"item", item}}));
    }

    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    /// Adds deltas for the texts of a list. `pieces` replaces the text if there are any.
    template <class Part>
    void add_texts(const json& item, const char* list, const char* event, const std::vector<std::string>& pieces, const Part& part) {
        const json* all = find_member(item, list);
        for (std::size_t at = 0; all != nullptr && at < all->size(); ++at) {
            const json& one = (*all)[at];
            const bool refusal = string_member(one, "type") == "refusal";
            const std::string whole(string_member(one, refusal ? "refusal" : "text").value_or(""));
            for (const std::string& piece : pieces.empty() ? std::vector<std::string>{whole} : pieces) {
                part(refusal ? "response.refusal.delta" : event, json::object({{"content_index", at}, {"delta", piece}}));
            }
        }
    }

    std::string text_ = {};
    int number_ = 0;
};

}  // namespace

json response_renderer::reasoning_item(const std::string& id) const {
    json out = json::object({{"type", "reasoning"}, {"id", id}, {"summary", json::array()}});
    if (!reply_.reasoning_.empty()) {
        out["summary"].push_back(json::object({{"type", "summary_text"}, {"text", reply_.reasoning_}}));
    }
    const json* include = find_member(request_, "include");
    if (include != nullptr && std::find(include->begin(), include->end(), json("reasoning.encrypted_content")) != include->end()) {
        out["encrypted_content"] = "encrypted " + id;
    }
    return out;
}

json response_renderer::message_item(const std::string& id) const {
    json out = json::object({{"type", "message"}, {"id", id}, {"status", "completed"}, {"role", "assistant"}});
    out["content"] =
        json::array({json::object({{"type", "output_text"}, {"text", joined(reply_.pieces_)}, {"annotations", json::array()}})});
    out.update(reply_.members_);
    return out;
}

bool response_renderer::has_output() const {
    return reply_.status_ == 0 && !reply_.hangs_;
}

json response_renderer::output() const {
    if (!reply_.output_.is_null()) {
        return reply_.output_;
    }
    json out = json::array();
    const auto id = [&](const char* kind) { return kind + number_ + "_" + std::to_string(out.size()); };
    if (!reply_.reasoning_.empty()) {
        out.push_back(reasoning_item(id("rs_")));
    }
    if (!reply_.pieces_.empty()) {
        out.push_back(message_item(id("msg_")));
    }
    for (std::size_t i = 0; i < reply_.calls_.size(); ++i) {
        const openai_call& call = reply_.calls_[i];
        json item = json::object({{"type", "function_call"},
                                  {"id", id("fc_")},
                                  {"call_id", call.id},
                                  {"name", call.name},
                                  {"arguments", call.arguments},
                                  {"status", "completed"}});
        if (i == 0) {
            item.update(reply_.call_members_);
        }
        out.push_back(std::move(item));
    }
    return out;
}

json response_renderer::response(const char* status) const {
    json out = json::object({{"id", id()}, {"object", "response"}, {"created_at", 1'763'700'000}, {"status", status}});
    out["error"] = nullptr;
    out["incomplete_details"] = nullptr;
    out["model"] = std::string(string_member(request_, "model").value_or("emulated"));
    out["output"] = json::array();
    out["usage"] = nullptr;
    return out;
}

json response_renderer::finished() const {
    const std::string reason = reply_.finish_.value_or("");
    const bool cut = reason == "length" || reason == "content_filter";
    json out = response(cut ? "incomplete" : reply_.finish_ ? "completed" : "in_progress");
    if (cut) {
        out["incomplete_details"] = json::object({{"reason", reason == "length" ? "max_output_tokens" : reason}});
    }
    out["output"] = output();
    out["usage"] = usage_of_response();
    return out;
}

std::string response_renderer::events() const {
    event_writer out;
    out.add("response.created", json::object({{"response", response("in_progress")}}));
    out.add("response.in_progress", json::object({{"response", response("in_progress")}}));
    const json items = output();
    for (std::size_t i = 0; i < items.size(); ++i) {
        out.add_item(i, items[i], reply_.pieces_);
    }
    if (!reply_.late_error_.is_null()) {
        const json& error = reply_.late_error_["error"];
        out.add("error", json::object({{"code", error["code"]}, {"message", error["message"]}, {"param", nullptr}}));
        return out.take();
    }
    if (reply_.finish_) {
        const json whole = finished();
        const std::string type = "response." + std::string(*string_member(whole, "status"));
        out.add(type.c_str(), json::object({{"response", whole}}));
    }
    return out.take();
}

loopback_reply response_renderer::wire() const {
    const bool streamed = bool_member(request_, "stream").value_or(false);
    return openai_renderer::wire_of(reply_, streamed, [&] { return streamed ? events() : dump_json(finished()); });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
