#include <pyaichat/testing/anthropic_emulator.hpp>

#include "testing/anthropic_emulator/anthropic_renderer.hpp"
#include "testing/emulation/emulator_state.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

json described_model(const std::string& model) {
    return {{"type", "model"},
            {"id", model},
            {"display_name", "Emulated " + model},
            {"created_at", "2026-10-05T00:00:00Z"},
            {"max_input_tokens", 1'000'000},
            {"max_tokens", 128'000},
            {"capabilities", {{"thinking", {{"supported", true}}}}}};
}

json described_models(const std::vector<std::string>& models) {
    json data = json::array();
    for (const std::string& model : models) {
        data.push_back(described_model(model));
    }
    json out = {{"data", std::move(data)}, {"has_more", false}, {"first_id", nullptr}, {"last_id", nullptr}};
    if (!models.empty()) {
        out["first_id"] = models.front();
        out["last_id"] = models.back();
    }
    return out;
}

loopback_reply document(int status, const json& body) {
    return {.bytes = http_message(status, {{"Content-Type", "application/json"}, {"request-id", "req_emulated"}}, dump_json(body))};
}

}  // namespace

template <>
const std::string_view anthropic_emulator::state::path_of_base_url = "";

template <>
std::optional<service_refusal> anthropic_emulator::state::check(const recorded_request& request, std::string_view target) const {
    return check_anthropic_request(request.method, target, request.headers, request.text, chosen.service);
}

template <>
loopback_reply anthropic_emulator::state::respond(const recorded_request& request) {
    if (request.refusal) {
        return document(request.refusal->status, request.refusal->body);
    }
    constexpr std::string_view models = "/v1/models";
    if (request.path == models) {
        return document(200, described_models(chosen.service.models));
    }
    if (request.path.starts_with(models)) {
        return document(200, described_model(request.path.substr(models.size() + 1)));
    }
    if (request.path.ends_with("/count_tokens")) {
        return document(200, {{"input_tokens", request.text.size() / 4 + 1}});
    }
    const anthropic_reply reply =
        next(request, [] { return anthropic_reply::error(500, "api_error", "The emulator's script has no more replies."); });
    const anthropic_renderer renderer(reply, std::string(string_member(request.body, "model").value_or("")),
                                      bool_member(request.body, "stream").value_or(false));
    const std::lock_guard lock(mutex);
    if (request.body.is_object()) {
        chosen.service.written.push_back({request.body, renderer.content()});
    }
    return renderer.wire();
}

template class service_emulator<anthropic_reply, anthropic_service>;

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
