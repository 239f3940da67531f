#include <pyaichat/testing/gemini_emulator.hpp>

#include "testing/gemini_emulator/gemini_models.hpp"
#include "testing/gemini_emulator/gemini_renderer.hpp"
#include "testing/gemini_emulator/gemini_target.hpp"
#include "testing/gemini_emulator/loopback_server.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

const json* member_list(const json& object, std::string_view name) {
    const json* found = find_member(object, name);
    return found != nullptr && found->is_array() ? found : nullptr;
}

/// Stores each signature with the part that it is issued in.
void store_signatures(const json& document, std::multimap<std::string, json>& issued) {
    const json* candidates = member_list(document, "candidates");
    for (std::size_t index = 0; candidates != nullptr && index < candidates->size(); ++index) {
        const json* content = find_member((*candidates)[index], "content");
        const json* parts = content == nullptr ? nullptr : member_list(*content, "parts");
        for (std::size_t part = 0; parts != nullptr && part < parts->size(); ++part) {
            if (const auto signature = string_member((*parts)[part], "thoughtSignature")) {
                issued.emplace(*signature, (*parts)[part]);
            }
        }
    }
}

bool generates(gemini_method method) {
    return method == gemini_method::generate || method == gemini_method::stream;
}

json unscripted_response(const gemini_target& target, const recorded_request& request, const gemini_service& service) {
    switch (target.method) {
        case gemini_method::count_tokens: return gemini_token_count(request.body);
        case gemini_method::list_models: return gemini_model_list(service, target);
        default: return gemini_model_document(target.model);
    }
}

}  // namespace

std::string recorded_request::header(std::string_view name) const {
    return header_value(headers, name);
}

std::vector<json> recorded_request::every(std::string_view part_member) const {
    std::vector<json> out;
    const json* contents = member_list(body, "contents");
    for (std::size_t index = 0; contents != nullptr && index < contents->size(); ++index) {
        const json* parts = member_list((*contents)[index], "parts");
        for (std::size_t part = 0; parts != nullptr && part < parts->size(); ++part) {
            if (const json* found = find_member((*parts)[part], part_member)) {
                out.push_back(*found);
            }
        }
    }
    return out;
}

struct gemini_emulator::state {
    gemini_emulator_options options;
    mutable std::mutex mutex;
    mutable std::condition_variable received;
    std::deque<gemini_reply> script;
    handler otherwise;
    std::vector<recorded_request> requests;
    std::unique_ptr<loopback_server> server;  // last: its threads use the rest

    loopback_reply handle(const loopback_request& request);
    gemini_reply choose_reply(const recorded_request& request, const gemini_target& target);
    std::optional<gemini_reply> take(gemini_method method);
};

/// Removes the next reply for this method from the script.
std::optional<gemini_reply> gemini_emulator::state::take(gemini_method method) {
    const auto found = std::find_if(script.begin(), script.end(), [&](const gemini_reply& reply) {
        return reply.only_for_ ? *reply.only_for_ == method : generates(method);
    });
    if (found == script.end()) {
        return std::nullopt;
    }
    std::optional<gemini_reply> out = std::move(*found);
    script.erase(found);
    return out;
}

gemini_reply gemini_emulator::state::choose_reply(const recorded_request& request, const gemini_target& target) {
    if (request.refusal) {
        gemini_reply refusal = gemini_reply::document(request.refusal->body);
        refusal.status_ = request.refusal->status;
        return refusal;
    }
    handler fallback;
    {
        const std::lock_guard lock(mutex);
        if (std::optional<gemini_reply> next = take(target.method)) {
            return *std::move(next);
        }
        fallback = otherwise;
    }
    if (!generates(target.method)) {
        return gemini_reply::document(unscripted_response(target, request, options.service));
    }
    return fallback ? fallback(request) : gemini_reply::error(500, "INTERNAL", "The emulator's script has no more replies.");
}

loopback_reply gemini_emulator::state::handle(const loopback_request& request) {
    recorded_request recorded;
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
    const gemini_target target = parse_gemini_target(recorded.method, request.target).value_or(gemini_target{});
    {
        const std::lock_guard lock(mutex);
        if (options.strict) {
            recorded.refusal = check_gemini_request(recorded.method, request.target, recorded.headers, recorded.text, options.service);
        }
        requests.push_back(recorded);
        if (options.on_request) {
            options.on_request(recorded);
        }
        received.notify_all();
    }
    const gemini_reply reply = choose_reply(recorded, target);
    gemini_render_options rendering;
    rendering.streamed = target.method == gemini_method::stream;
    rendering.events = target.events();
    rendering.call_ids = options.service.profile_of(target.model).emits_call_ids;
    if (!target.model.empty()) {
        rendering.model = target.model;
    }
    const gemini_renderer renderer(reply, rendering);
    const std::lock_guard lock(mutex);
    for (const json& document : renderer.documents()) {
        store_signatures(document, options.service.issued_signatures);
    }
    return renderer.wire();
}

gemini_emulator::gemini_emulator(gemini_emulator_options options) : state_(std::make_unique<state>()) {
    state_->options = std::move(options);
    state_->server = std::make_unique<loopback_server>([this](const loopback_request& request) { return state_->handle(request); },
                                                       state_->options.port);
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

void gemini_emulator::otherwise(handler make_reply) {
    const std::lock_guard lock(state_->mutex);
    state_->otherwise = std::move(make_reply);
}

std::vector<recorded_request> gemini_emulator::requests() const {
    const std::lock_guard lock(state_->mutex);
    return state_->requests;
}

bool gemini_emulator::wait_for_requests(std::size_t count, duration timeout) const {
    std::unique_lock lock(state_->mutex);
    return state_->received.wait_for(lock, timeout, [&] { return state_->requests.size() >= count; });
}

std::size_t gemini_emulator::replies_left() const {
    const std::lock_guard lock(state_->mutex);
    return state_->script.size();
}

int gemini_emulator::connections() const {
    return state_->server->connections();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
