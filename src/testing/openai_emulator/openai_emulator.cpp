#include <pyaichat/testing/openai_emulator.hpp>

#include "testing/emulation/emulator_state.hpp"
#include "testing/openai_emulator/openai_renderer.hpp"
#include "testing/openai_emulator/openai_rules.hpp"
#include "testing/openai_emulator/response_renderer.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

json list_of_models(const openai_service& service) {
    json out = json::object();
    out["object"] = "list";
    out["data"] = json::array();
    for (const std::string& name : service.models) {
        json model = json::object();
        model["id"] = name;
        model["object"] = "model";
        model["created"] = 1'763'700'000;
        model["owned_by"] = "emulated";
        out["data"].push_back(std::move(model));
    }
    return out;
}

}  // namespace

template <>
const std::string_view openai_emulator::state::path_of_base_url = "/v1";

template <>
std::optional<service_refusal> openai_emulator::state::check(const recorded_request& request, std::string_view target) const {
    return check_openai_request(request.method, target, request.headers, request.text, chosen.service);
}

template <>
loopback_reply openai_emulator::state::respond(const recorded_request& request) {
    const auto document = [](int status, const json& body) {
        return loopback_reply{.bytes = http_message(status, {{"Content-Type", "application/json"}}, dump_json(body))};
    };
    if (request.refusal) {
        return document(request.refusal->status, request.refusal->body);
    }
    if (request.method == "GET") {
        return document(200, list_of_models(chosen.service));
    }
    const openai_reply reply = next(request, [] { return openai_reply::error(500, "The emulator's script has no more replies."); });
    if (!request.path.ends_with("/responses")) {
        return openai_renderer(reply, request.body).wire();
    }
    const std::lock_guard lock(mutex);
    const response_renderer renderer(reply, request.body, chosen.service.written.size() + 1);
    if (renderer.has_output()) {
        chosen.service.written.push_back({.id = renderer.id(),
                                          .input = response_items(request.body, chosen.service),
                                          .output = renderer.output(),
                                          .stored = bool_member(request.body, "store").value_or(true)});
    }
    return renderer.wire();
}

template class service_emulator<openai_reply, openai_service>;

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
