#include "openai/responses_assembly.hpp"

#include "openai/wire.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

std::optional<json> responses_assembly::finish(json response) {
    if (const json* error = find_member(response, "error"); error != nullptr && error->is_object()) {
        json document = json::object();
        document["error"] = *error;
        return document;
    }
    response_ = std::move(response);
    complete_ = true;
    return std::nullopt;
}

std::optional<json> responses_assembly::add(json event, const delta_sink& sink) {
    const std::string type = string_of(event, "type");
    const std::int64_t index = integer_member(event, "output_index").value_or(0);
    if (string_member(event, "object") == "response") {
        return finish(std::move(event));
    }
    if (type == "error") {
        return event;
    }
    if (type == "response.completed" || type == "response.incomplete" || type == "response.failed") {
        json* const response = member_of_type(event, "response", json::value_t::object);
        json whole = response != nullptr ? std::move(*response) : json::object();
        if (string_of(whole, "status").empty()) {
            whole["status"] = type.substr(type.find('.') + 1);
        }
        return finish(std::move(whole));
    }
    const std::string_view delta = string_member(event, "delta").value_or("");
    if (type == "response.output_item.added") {
        const json* item = find_member(event, "item");
        if (item != nullptr && string_member(*item, "phase") == "commentary") {
            commentary_.insert(index);
        }
    } else if (type == "response.output_item.done") {
        if (json* const item = member_of_type(event, "item", json::value_t::object)) {
            const auto next = items_.empty() ? 0 : items_.rbegin()->first + 1;
            items_[integer_member(event, "output_index").value_or(next)] = std::move(*item);
        }
    } else if (type == "response.output_text.delta" && !delta.empty()) {
        if (commentary_.contains(index)) {
            sink.thought(delta);
        } else {
            sink.text(delta);
        }
    } else if ((type == "response.reasoning_summary_text.delta" || type == "response.reasoning_text.delta") && !delta.empty()) {
        sink.thought(delta);
    }
    return std::nullopt;
}

json responses_assembly::take() {
    json out = std::exchange(response_, {});
    if (out.is_object() && elements_of(out, "output").empty() && !items_.empty()) {
        json& output = out["output"] = json::array();
        for (auto& [index, item] : items_) {
            output.push_back(std::move(item));
        }
    }
    *this = {};
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
