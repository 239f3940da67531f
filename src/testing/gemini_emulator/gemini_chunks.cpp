#include "testing/gemini_emulator/gemini_renderer.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr int prompt_tokens = 120;
constexpr int output_tokens = 32;
constexpr int thought_tokens = 58;

json unknown_value() {
    return {{"since", "tomorrow"}, {"list", json::array({1, nullptr, "x"})}};
}

bool is_plain_text(const json& part) {
    return part.is_object() && part.size() == 1 && string_member(part, "text").has_value();
}

/// Running totals, as the service sends them: a client that adds them up gets a wrong sum.
json usage_of_chunk(std::size_t number, std::size_t count) {
    const int answered = output_tokens * static_cast<int>(number + 1) / static_cast<int>(count);
    return {{"promptTokenCount", prompt_tokens},
            {"candidatesTokenCount", answered},
            {"thoughtsTokenCount", thought_tokens},
            {"totalTokenCount", prompt_tokens + answered + thought_tokens}};
}

/// A candidate with these parts.
json candidate_of(json parts) {
    return {{"content", {{"parts", std::move(parts)}, {"role", "model"}}}};
}

/// The candidate of a last chunk without parts of its own.
json closing_candidate(gemini_last_chunk form) {
    switch (form) {
        case gemini_last_chunk::empty_text: return candidate_of(json::array({json{{"text", ""}}}));
        case gemini_last_chunk::empty_part: return candidate_of(json::array({json::object()}));
        case gemini_last_chunk::role_only: return {{"content", {{"role", "model"}}}};
        case gemini_last_chunk::empty_content: return {{"content", json::object()}};
        case gemini_last_chunk::with_content:
        case gemini_last_chunk::no_content: break;
    }
    return json::object();
}

json* find_mutable(json* object, std::string_view key) {
    return object == nullptr ? nullptr : const_cast<json*>(find_member(*object, key));
}

}  // namespace

std::vector<json*> candidate_parts(json& document) {
    std::vector<json*> out;
    json* candidates = find_mutable(&document, "candidates");
    for (std::size_t index = 0; candidates != nullptr && candidates->is_array() && index < candidates->size(); ++index) {
        json* parts = find_mutable(find_mutable(&(*candidates)[index], "content"), "parts");
        for (std::size_t part = 0; parts != nullptr && parts->is_array() && part < parts->size(); ++part) {
            out.push_back(&(*parts)[part]);
        }
    }
    return out;
}

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
        }
        body["candidates"] = json::array({std::move(candidate)});
    }
    if (last && reply_.usage_) {
        usage = *reply_.usage_;
    }
    if (reply_.unknown_members_) {
        body["emulatedExtra"] = unknown_value();
        if (usage.is_object()) {
            usage["emulatedExtra"] = unknown_value();
        }
        for (json* part : candidate_parts(body)) {
            // Clients return parts unchanged, and the service accepts `partMetadata`, although few clients know it.
            if (part->is_object()) {
                (*part)["partMetadata"] = unknown_value();
            }
        }
    }
    if (!usage.is_null() && !(reply_.usage_ && reply_.usage_->is_null())) {
        body["usageMetadata"] = std::move(usage);
    }
    body["modelVersion"] = options_.model;
    body["responseId"] = "emulated";
    return body;
}

json gemini_renderer::whole_candidate() const {
    json merged = json::array();
    for (const json& step : reply_.steps_) {
        if (!step.is_array()) {
            return candidate_of(step);  // malformed on purpose by the test
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
    return merged.empty() ? closing_candidate(reply_.last_chunk_) : candidate_of(std::move(merged));
}

std::vector<json> gemini_renderer::content_chunks() const {
    std::vector<json> candidates;
    if (!options_.streamed) {
        candidates.push_back(whole_candidate());
    } else {
        for (const json& step : reply_.steps_) {
            if (!reply_.chunk_per_part_ || !step.is_array()) {
                candidates.push_back(candidate_of(step));
                continue;
            }
            for (const json& part : step) {
                candidates.push_back(candidate_of(json::array({part})));
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
    for (json& document : out) {
        for (json* part : candidate_parts(document)) {
            if (json* call = find_mutable(part, "functionCall"); !options_.call_ids && call != nullptr && call->is_object()) {
                call->erase("id");
            }
        }
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
