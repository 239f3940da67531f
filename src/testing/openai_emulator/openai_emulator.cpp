#include <pyaichat/testing/openai_emulator.hpp>

#include "testing/gemini_emulator/loopback_server.hpp"
#include "testing/openai_emulator/openai_renderer.hpp"

#include <deque>
#include <mutex>
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

std::string openai_request::header(std::string_view name) const {
    return header_value(headers, name);
}

struct openai_emulator::state {
    openai_emulator_options options;
    mutable std::mutex mutex;
    std::deque<openai_reply> script;
    handler otherwise;
    std::vector<openai_request> requests;
    std::unique_ptr<loopback_server> server;  // last: its threads use the rest

    openai_reply choose_reply(const openai_request& request) {
        if (request.refusal) {
            return openai_reply::http(request.refusal->status, {{"Content-Type", "application/json"}}, dump_json(request.refusal->body));
        }
        if (request.method == "GET") {
            return openai_reply::document(list_of_models(options.service));
        }
        handler fallback;
        {
            const std::lock_guard lock(mutex);
            if (!script.empty()) {
                openai_reply next = std::move(script.front());
                script.pop_front();
                return next;
            }
            fallback = otherwise;
        }
        return fallback ? fallback(request) : openai_reply::error(500, "The emulator's script has no more replies.");
    }

    loopback_reply handle(const loopback_request& received) {
        openai_request request;
        request.method = received.method;
        request.target = received.target;
        request.headers = received.headers;
        request.text = received.body;
        request.connection = received.connection;
        if (result<json> body = parse_json(received.body)) {
            request.body = *std::move(body);
        }
        if (options.strict) {
            request.refusal = check_openai_request(request.method, request.target, request.headers, request.text, options.service);
        }
        {
            const std::lock_guard lock(mutex);
            requests.push_back(request);
        }
        const openai_reply reply = choose_reply(request);
        return openai_renderer(reply, request.body).wire();
    }
};

openai_emulator::openai_emulator(openai_emulator_options options) : state_(std::make_unique<state>()) {
    state_->options = std::move(options);
    state_->server = std::make_unique<loopback_server>([this](const loopback_request& request) { return state_->handle(request); },
                                                       state_->options.port);
}

openai_emulator::openai_emulator(std::initializer_list<openai_reply> script) : openai_emulator(openai_emulator_options{}) {
    const std::lock_guard lock(state_->mutex);
    state_->script.assign(script.begin(), script.end());
}

openai_emulator::~openai_emulator() {
    state_->server.reset();  // its threads use `state_`
}

std::string openai_emulator::base_url() const {
    return "http://127.0.0.1:" + std::to_string(port()) + "/v1";
}

int openai_emulator::port() const noexcept {
    return state_->server->port();
}

void openai_emulator::enqueue(openai_reply reply) {
    const std::lock_guard lock(state_->mutex);
    state_->script.push_back(std::move(reply));
}

void openai_emulator::otherwise(handler make_reply) {
    const std::lock_guard lock(state_->mutex);
    state_->otherwise = std::move(make_reply);
}

std::vector<openai_request> openai_emulator::requests() const {
    const std::lock_guard lock(state_->mutex);
    return state_->requests;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
