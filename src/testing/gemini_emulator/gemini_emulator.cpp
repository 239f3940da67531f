#include <pyaichat/testing/gemini_emulator.hpp>

#include "testing/gemini_emulator/gemini_renderer.hpp"
#include "testing/gemini_emulator/gemini_target.hpp"
#include "testing/gemini_emulator/loopback_server.hpp"

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <deque>
#include <mutex>
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

/// The member of an object if it is a list, or an empty list.
const json& list_member(const json& object, std::string_view name) {
    static const json empty = json::array();
    const json* found = find_member(object, name);
    return found != nullptr && found->is_array() ? *found : empty;
}

}  // namespace

std::string recorded_request::header(std::string_view name) const {
    return header_value(headers, name);
}

std::vector<json> recorded_request::every(std::string_view part_member) const {
    std::vector<json> out;
    for (const json& content : list_member(body, "contents")) {
        for (const json& part : list_member(content, "parts")) {
            if (const json* found = find_member(part, part_member)) {
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

    /// Removes the next reply for this method from the script.
    std::optional<gemini_reply> take(gemini_method method) {
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

    gemini_reply choose_reply(const recorded_request& request, const gemini_target& target) {
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

    loopback_reply handle(const loopback_request& request) {
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
        for (json& document : renderer.documents()) {
            for (json* part : candidate_parts(document)) {
                if (const auto signature = string_member(*part, "thoughtSignature")) {
                    options.service.issued_signatures.emplace(*signature, *part);
                }
            }
        }
        return renderer.wire();
    }
};

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
    state_->server.reset();  // its threads use `state_`
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
