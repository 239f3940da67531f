#include <pyaichat/testing/anthropic_emulator.hpp>

#include "testing/anthropic_emulator/anthropic_renderer.hpp"
#include "testing/gemini_emulator/loopback_server.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
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

std::string anthropic_recorded_request::header(std::string_view name) const {
    return header_value(headers, name);
}

struct anthropic_emulator::state {
    anthropic_emulator_options options;
    mutable std::mutex mutex;
    std::deque<anthropic_reply> script;
    handler otherwise;
    std::vector<anthropic_recorded_request> requests;
    std::unique_ptr<loopback_server> server;  // last: its threads use the rest

    anthropic_reply choose(const anthropic_recorded_request& request) {
        handler make_reply;
        {
            const std::lock_guard lock(mutex);
            if (!script.empty()) {
                anthropic_reply next = std::move(script.front());
                script.pop_front();
                return next;
            }
            make_reply = otherwise;
        }
        return make_reply ? make_reply(request) : anthropic_reply::error(500, "api_error", "The emulator's script has no more replies.");
    }

    loopback_reply respond(const anthropic_recorded_request& request) {
        if (request.refusal) {
            return document(request.refusal->status, request.refusal->body);
        }
        constexpr std::string_view models = "/v1/models";
        if (request.path == models) {
            return document(200, described_models(options.service.models));
        }
        if (request.path.starts_with(models)) {
            return document(200, described_model(request.path.substr(models.size() + 1)));
        }
        if (request.path.ends_with("/count_tokens")) {
            return document(200, {{"input_tokens", request.text.size() / 4 + 1}});
        }
        const anthropic_reply reply = choose(request);
        const anthropic_renderer renderer(reply, std::string(string_member(request.body, "model").value_or("")),
                                          bool_member(request.body, "stream").value_or(false));
        const std::lock_guard lock(mutex);
        if (request.body.is_object()) {
            options.service.written.push_back({request.body, renderer.content()});
        }
        return renderer.wire();
    }

    loopback_reply handle(const loopback_request& request) {
        anthropic_recorded_request recorded;
        const std::size_t mark = std::min(request.target.find('?'), request.target.size());
        recorded.method = request.method;
        recorded.path = request.target.substr(0, mark);
        recorded.query = request.target.substr(std::min(mark + 1, request.target.size()));
        recorded.headers = request.headers;
        recorded.text = request.body;
        recorded.connection = request.connection;
        if (result<json> body = parse_json(request.body)) {
            recorded.body = std::move(*body);
        }
        {
            const std::lock_guard lock(mutex);
            if (options.strict) {
                recorded.refusal =
                    check_anthropic_request(recorded.method, request.target, recorded.headers, recorded.text, options.service);
            }
            requests.push_back(recorded);
            if (options.on_request) {
                options.on_request(recorded);
            }
        }
        return respond(recorded);
    }
};

anthropic_emulator::anthropic_emulator(anthropic_emulator_options options) : state_(std::make_unique<state>()) {
    state_->options = std::move(options);
    state_->server = std::make_unique<loopback_server>([this](const loopback_request& request) { return state_->handle(request); },
                                                       state_->options.port);
}

anthropic_emulator::anthropic_emulator(std::initializer_list<anthropic_reply> script) : anthropic_emulator(anthropic_emulator_options{}) {
    const std::lock_guard lock(state_->mutex);
    state_->script.assign(script.begin(), script.end());
}

anthropic_emulator::~anthropic_emulator() {
    state_->server.reset();  // its threads use `state_`
}

std::string anthropic_emulator::base_url() const {
    return "http://127.0.0.1:" + std::to_string(port());
}

int anthropic_emulator::port() const noexcept {
    return state_->server->port();
}

void anthropic_emulator::enqueue(anthropic_reply reply) {
    const std::lock_guard lock(state_->mutex);
    state_->script.push_back(std::move(reply));
}

void anthropic_emulator::otherwise(handler make_reply) {
    const std::lock_guard lock(state_->mutex);
    state_->otherwise = std::move(make_reply);
}

std::vector<anthropic_recorded_request> anthropic_emulator::requests() const {
    const std::lock_guard lock(state_->mutex);
    return state_->requests;
}

std::size_t anthropic_emulator::replies_left() const {
    const std::lock_guard lock(state_->mutex);
    return state_->script.size();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
