#include "testing/gemini_emulator/gemini_renderer.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr int prompt_tokens = 120;
constexpr int output_tokens = 32;
constexpr int thought_tokens = 58;

json unknown_value() {
    json out = json::object();
    out["since"] = "tomorrow";
    out["list"] = json::array({1, nullptr, "x"});
    return out;
}

bool is_plain_text(const json& part) {
    return part.is_object() && part.size() == 1 && string_member(part, "text").has_value();
}

/// Running totals, as the service sends them: a client that adds them up gets a wrong sum.
json usage_of_chunk(std::size_t number, std::size_t count) {
    const int answered = output_tokens * static_cast<int>(number + 1) / static_cast<int>(count);
    json out = json::object();
    out["promptTokenCount"] = prompt_tokens;
    out["candidatesTokenCount"] = answered;
    out["thoughtsTokenCount"] = thought_tokens;
    out["totalTokenCount"] = prompt_tokens + answered + thought_tokens;
    return out;
}

json content_of(json parts) {
    json out = json::object();
    out["parts"] = std::move(parts);
    out["role"] = "model";
    return out;
}

/// The candidate of a last chunk without parts of its own.
json closing_candidate(gemini_last_chunk form) {
    json out = json::object();
    switch (form) {
        case gemini_last_chunk::empty_text: {
            json part = json::object();
            part["text"] = "";
            out["content"] = content_of(json::array());
            out["content"]["parts"].push_back(std::move(part));
            break;
        }
        case gemini_last_chunk::empty_part:
            out["content"] = content_of(json::array());
            out["content"]["parts"].push_back(json::object());
            break;
        case gemini_last_chunk::role_only: out["content"]["role"] = "model"; break;
        case gemini_last_chunk::empty_content: out["content"] = json::object(); break;
        case gemini_last_chunk::with_content:
        case gemini_last_chunk::no_content: break;
    }
    return out;
}

void drop_call_ids(json& document) {
    json* candidates = document.is_object() && document.contains("candidates") ? &document["candidates"] : nullptr;
    for (std::size_t index = 0; candidates != nullptr && candidates->is_array() && index < candidates->size(); ++index) {
        json& candidate = (*candidates)[index];
        if (!candidate.is_object() || find_member(candidate, "content") == nullptr ||
            find_member(candidate["content"], "parts") == nullptr || !candidate["content"]["parts"].is_array()) {
            continue;
        }
        for (json& part : candidate["content"]["parts"]) {
            if (find_member(part, "functionCall") != nullptr && part["functionCall"].is_object()) {
                part["functionCall"].erase("id");
            }
        }
    }
}

}  // namespace

json gemini_renderer::chunk(json candidate, bool last, std::size_t number, std::size_t count) const {
    const bool finished = last || reply_.finish_on_every_chunk_;
    if (finished && reply_.finish_reason_ && !(options_.streamed && reply_.late_error_)) {
        candidate["finishReason"] = *reply_.finish_reason_;
        if (!reply_.finish_message_.empty()) {
            candidate["finishMessage"] = reply_.finish_message_;
        }
    }
    candidate["index"] = 0;
    json body = json::object();
    json usage = usage_of_chunk(number, count);
    if (!reply_.prompt_feedback_.is_null()) {
        body["promptFeedback"] = reply_.prompt_feedback_;
    } else if (!reply_.without_candidates_) {
        if (reply_.unknown_members_) {
            candidate["emulatedExtra"] = unknown_value();
            if (const json* parts = candidate.contains("content") ? find_member(candidate["content"], "parts") : nullptr;
                parts != nullptr && parts->is_array()) {
                for (json& part : candidate["content"]["parts"]) {
                    // Clients return parts unchanged, and the service accepts `partMetadata`, although few clients know it.
                    if (part.is_object()) {
                        part["partMetadata"] = unknown_value();
                    }
                }
            }
        }
        body["candidates"] = json::array();
        body["candidates"].push_back(std::move(candidate));
    }
    if (last && reply_.usage_) {
        usage = *reply_.usage_;
    }
    if (reply_.unknown_members_) {
        body["emulatedExtra"] = unknown_value();
    }
    if (reply_.unknown_members_ && usage.is_object()) {
        usage["emulatedExtra"] = unknown_value();
    }
    if (!usage.is_null() && !(reply_.usage_ && reply_.usage_->is_null())) {
        body["usageMetadata"] = std::move(usage);
    }
    body["modelVersion"] = options_.model;
    body["responseId"] = "emulated";
    return body;
}

json gemini_renderer::whole_content() const {
    json merged = json::array();
    for (const json& step : reply_.steps_) {
        if (!step.is_array()) {
            return content_of(step);  // malformed on purpose by the test
        }
        for (const json& part : step) {
            if (!merged.empty() && is_plain_text(merged.back()) && is_plain_text(part)) {
                merged.back()["text"] = std::string(*string_member(merged.back(), "text")) + std::string(*string_member(part, "text"));
            } else {
                merged.push_back(part);
            }
        }
    }
    if (reply_.last_chunk_ == gemini_last_chunk::empty_part) {
        merged.push_back(json::object());
    }
    return merged.empty() ? json() : content_of(std::move(merged));
}

std::vector<json> gemini_renderer::content_chunks() const {
    std::vector<json> candidates;
    if (!options_.streamed) {
        json content = whole_content();
        json candidate = content.is_null() ? closing_candidate(reply_.last_chunk_) : json::object();
        if (!content.is_null()) {
            candidate["content"] = std::move(content);
        }
        candidates.push_back(std::move(candidate));
    } else {
        for (const json& step : reply_.steps_) {
            if (!reply_.chunk_per_part_ || !step.is_array()) {
                candidates.emplace_back(json::object())["content"] = content_of(step);
                continue;
            }
            for (const json& part : step) {
                json parts = json::array();
                parts.push_back(part);
                candidates.emplace_back(json::object())["content"] = content_of(std::move(parts));
            }
        }
        if (candidates.empty() || reply_.last_chunk_ != gemini_last_chunk::with_content) {
            candidates.push_back(closing_candidate(reply_.last_chunk_));
        }
    }
    std::vector<json> out;
    for (std::size_t index = 0; index < candidates.size(); ++index) {
        out.push_back(chunk(std::move(candidates[index]), index + 1 == candidates.size(), index, candidates.size()));
    }
    return out;
}

std::vector<json> gemini_renderer::documents() const {
    std::vector<json> out = reply_.form_ == gemini_reply::form::content ? content_chunks() : reply_.documents_;
    if (reply_.form_ == gemini_reply::form::body) {
        if (result<json> parsed = parse_json(reply_.body_)) {
            out.push_back(std::move(*parsed));
        }
    }
    if (!options_.streamed && out.size() > 1) {
        out.erase(out.begin(), out.end() - 1);
    }
    if (!options_.call_ids) {
        std::for_each(out.begin(), out.end(), drop_call_ids);
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
