#include <pyaichat/testing/gemini_emulator.hpp>

#include "testing/emulation/emulator_state.hpp"
#include "testing/gemini_emulator/gemini_renderer.hpp"
#include "testing/gemini_emulator/gemini_target.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::size_t default_page_size = 50;
constexpr std::size_t max_page_size = 1000;

std::size_t number_of(std::string_view text) {
    std::size_t out = 0;
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
}

/// The number of characters in all strings, without member names. `parse_json` has limited the recursion depth.
std::size_t characters(const json& value) {
    if (const auto text = as_string(value)) {
        return text->size();
    }
    std::size_t out = 0;
    for (const json& element : value) {
        out += element.is_structured() || element.is_string() ? characters(element) : 0;
    }
    return out;
}

/// `GET models/{model}`; `model` may begin with `tunedModels/`.
json model_document(const std::string& model) {
    const bool embeds = model.find("embedding") != std::string::npos;
    return {{"name", (model.starts_with("tunedModels/") ? "" : "models/") + model},
            {"version", gemini_profile_of_model(model).name},
            {"displayName", "Emulated " + model},
            {"description", "Answers from a script."},
            {"inputTokenLimit", 1048576},
            {"outputTokenLimit", 65536},
            {"supportedGenerationMethods",
             embeds ? json::array({"embedContent"})
                    : json::array({"generateContent", "countTokens", "createCachedContent", "batchGenerateContent"})},
            {"temperature", 1},
            {"topP", 0.95},
            {"topK", 64},
            {"maxTemperature", 2},
            {"thinking", !embeds}};
}

/// `GET models`: the requested page.
json model_list(const gemini_service& service, const gemini_target& target) {
    std::string_view token = target.parameter("pageToken").value_or("");
    token.remove_prefix(std::min(token.size(), page_token_prefix.size()));
    const std::size_t requested = number_of(target.parameter("pageSize").value_or("0"));
    const std::size_t page = requested == 0 ? default_page_size : std::min(requested, max_page_size);
    const std::size_t begin = std::min(number_of(token), service.models.size());
    const std::size_t end = std::min(begin + page, service.models.size());
    json out = {{"models", json::array()}};
    for (std::size_t index = begin; index < end; ++index) {
        out["models"].push_back(model_document(service.models[index]));
    }
    if (end < service.models.size()) {
        out["nextPageToken"] = std::string(page_token_prefix) + std::to_string(end);
    }
    return out;
}

/// `countTokens`: a quarter of the characters of all strings in the request; at least 1.
json token_count(const json& request) {
    const std::size_t tokens = std::max<std::size_t>((characters(request) + 3) / 4, 1);
    const json detail = {{"modality", "TEXT"}, {"tokenCount", tokens}};
    return {{"totalTokens", tokens}, {"promptTokensDetails", json::array({detail})}};
}

json unscripted_response(const gemini_target& target, const recorded_request& request, const gemini_service& service) {
    switch (target.method) {
        case gemini_method::count_tokens: return token_count(request.body);
        case gemini_method::list_models: return model_list(service, target);
        default: return model_document(target.model);
    }
}

bool generates(gemini_method method) {
    return method == gemini_method::generate || method == gemini_method::stream;
}

}  // namespace

template <>
const std::string_view gemini_emulator::state::path_of_base_url = "";

template <>
std::optional<service_refusal> gemini_emulator::state::check(const recorded_request& request, std::string_view target) const {
    return check_gemini_request(request.method, target, request.headers, request.text, chosen.service);
}

template <>
loopback_reply gemini_emulator::state::respond(const recorded_request& request) {
    const std::string whole = request.path + (request.query.empty() ? "" : "?" + request.query);
    const gemini_target target = parse_gemini_target(request.method, whole).value_or(gemini_target{});
    const auto choose = [&]() -> gemini_reply {
        if (request.refusal) {
            gemini_reply refusal = gemini_reply::document(request.refusal->body);
            refusal.status_ = request.refusal->status;
            return refusal;
        }
        std::optional<gemini_reply> reply =
            take([&](const gemini_reply& each) { return each.only_for_ ? *each.only_for_ == target.method : generates(target.method); });
        if (!reply && !generates(target.method)) {
            return gemini_reply::document(unscripted_response(target, request, chosen.service));
        }
        if (!reply) {
            reply = unscripted(request);
        }
        return reply ? *std::move(reply) : gemini_reply::error(500, "INTERNAL", "The emulator's script has no more replies.");
    };
    const gemini_reply reply = choose();
    gemini_render_options rendering;
    rendering.streamed = target.method == gemini_method::stream;
    rendering.events = target.events();
    rendering.call_ids = chosen.service.profile_of(target.model).emits_call_ids;
    if (!target.model.empty()) {
        rendering.model = target.model;
    }
    const gemini_renderer renderer(reply, rendering);
    const std::lock_guard lock(mutex);
    for (json& document : renderer.documents()) {
        for (json* part : candidate_parts(document)) {
            if (const auto signature = string_member(*part, "thoughtSignature"); signature && !signature->empty()) {
                chosen.service.issued_signatures.emplace(*signature, *part);
            }
        }
    }
    return renderer.wire();
}

template class service_emulator<gemini_reply, gemini_service>;

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
