#include <pyaichat/testing/gemini_emulator.hpp>

#include "testing/loopback_server.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace pyaichat::inline v0::testing {

namespace {

gemini_reply model_description(std::string_view path) {
    const std::string name(path.substr(path.find("/models/") + 8));
    json body = json::object();
    body["name"] = "models/" + name;
    body["version"] = "3.8";
    body["displayName"] = "Emulated " + name;
    body["inputTokenLimit"] = 1048576;
    body["outputTokenLimit"] = 65536;
    body["supportedGenerationMethods"] = json::array({"generateContent", "countTokens"});
    body["thinking"] = true;
    return gemini_reply::document(body);
}

/// Remembers which part each signature was given out in.
void note_signatures(std::string_view body, std::multimap<std::string, json>& issued) {
    const result<json> document = parse_json(body);
    const json* candidates = document ? find_member(*document, "candidates") : nullptr;
    if (candidates == nullptr || !candidates->is_array()) {
        return;
    }
    for (const json& candidate : *candidates) {
        const json* content = find_member(candidate, "content");
        const json* parts = content == nullptr ? nullptr : find_member(*content, "parts");
        if (parts == nullptr || !parts->is_array()) {
            continue;
        }
        for (const json& part : *parts) {
            if (const auto signature = string_member(part, "thoughtSignature")) {
                issued.emplace(*signature, part);
            }
        }
    }
}

}  // namespace

std::string recorded_request::header(std::string_view name) const {
    return header_value(headers, name);
}

struct gemini_emulator::state {
    gemini_emulator_options options;
    mutable std::mutex mutex;
    mutable std::condition_variable received;
    std::deque<gemini_reply> script;
    handler otherwise;
    std::vector<recorded_request> requests;
    std::unique_ptr<loopback_server> server;  // last: its threads use the rest

    loopback_reply answer(const loopback_request& request);
    gemini_reply decide(const recorded_request& request);
    static loopback_reply render(const gemini_reply& reply);
};

gemini_reply gemini_emulator::state::decide(const recorded_request& request) {
    if (request.refusal) {
        return gemini_reply::http(request.refusal->status, {{"Content-Type", "application/json; charset=UTF-8"}},
                                  dump_json(request.refusal->body));
    }
    handler last_resort;
    {
        const std::lock_guard lock(mutex);
        if (request.method == "GET" && request.path.find("/models/") != std::string::npos && options.strict) {
            return model_description(request.path);
        }
        if (!script.empty()) {
            gemini_reply next = std::move(script.front());
            script.pop_front();
            note_signatures(next.body_, options.service.issued_signatures);
            return next;
        }
        last_resort = otherwise;
    }
    if (!last_resort) {
        return gemini_reply::error(500, "INTERNAL", "The emulator's script is over.");
    }
    gemini_reply made = last_resort(request);
    const std::lock_guard lock(mutex);
    note_signatures(made.body_, options.service.issued_signatures);
    return made;
}

loopback_reply gemini_emulator::state::render(const gemini_reply& reply) {
    loopback_reply out;
    out.bytes = reply.raw_ ? reply.body_ : http_message(reply.status_, reply.headers_, reply.body_);
    if (reply.body_limit_ < reply.body_.size()) {
        out.bytes.resize(out.bytes.size() - (reply.body_.size() - reply.body_limit_));
    }
    out.delay = reply.delay_;
    out.piece = reply.piece_;
    out.pause = reply.pause_;
    switch (reply.then_) {
        case gemini_reply::ending::keep: out.then = loopback_reply::ending::keep; break;
        case gemini_reply::ending::close: out.then = loopback_reply::ending::close; break;
        case gemini_reply::ending::reset: out.then = loopback_reply::ending::reset; break;
        case gemini_reply::ending::hang: out.then = loopback_reply::ending::hang; break;
    }
    return out;
}

loopback_reply gemini_emulator::state::answer(const loopback_request& request) {
    recorded_request one;
    const std::size_t mark = std::min(request.target.find('?'), request.target.size());
    one.method = request.method;
    one.path = request.target.substr(0, mark);
    one.query = request.target.substr(std::min(mark + 1, request.target.size()));
    one.headers = request.headers;
    one.text = request.body;
    one.connection = request.connection;
    if (result<json> body = parse_json(request.body)) {
        one.body = std::move(*body);
    }
    {
        const std::lock_guard lock(mutex);
        if (options.strict) {
            one.refusal = check_gemini_request(one.method, one.path, one.headers, one.text, options.service);
        }
        requests.push_back(one);
        received.notify_all();
    }
    return render(decide(one));
}

gemini_emulator::gemini_emulator(gemini_emulator_options options) : state_(std::make_unique<state>()) {
    state_->options = std::move(options);
    state_->server = std::make_unique<loopback_server>([this](const loopback_request& request) { return state_->answer(request); });
}

gemini_emulator::gemini_emulator(std::initializer_list<gemini_reply> script) : gemini_emulator(gemini_emulator_options{}) {
    const std::lock_guard lock(state_->mutex);
    state_->script.assign(script.begin(), script.end());
}

gemini_emulator::~gemini_emulator() {
    state_->server.reset();
}

std::string gemini_emulator::base_url() const {
    return "http://127.0.0.1:" + std::to_string(port());
}

int gemini_emulator::port() const noexcept {
    return state_->server->port();
}

void gemini_emulator::enqueue(gemini_reply reply) {
    const std::lock_guard lock(state_->mutex);
    state_->script.push_back(std::move(reply));
}

void gemini_emulator::otherwise(handler answer) {
    const std::lock_guard lock(state_->mutex);
    state_->otherwise = std::move(answer);
}

std::vector<recorded_request> gemini_emulator::requests() const {
    const std::lock_guard lock(state_->mutex);
    return state_->requests;
}

bool gemini_emulator::wait_for_requests(std::size_t count, duration patience) const {
    std::unique_lock lock(state_->mutex);
    return state_->received.wait_for(lock, patience, [&] { return state_->requests.size() >= count; });
}

int gemini_emulator::connections() const {
    return state_->server->connections();
}

}  // namespace pyaichat::inline v0::testing
