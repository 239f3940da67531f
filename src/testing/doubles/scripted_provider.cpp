#include <pyaichat/testing/scripted_provider.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>

namespace pyaichat::inline PYAICHAT_ABI::testing {

struct scripted_provider::state {
    mutable std::mutex mutex;
    std::deque<scripted_reply> script;
    std::vector<model_request> requests;
    bool takes_answer_schemas = false;
};

model_response response_of(message content, finish_reason finish, std::string finish_text) {
    content.role = role::model;
    model_response response;
    response.candidates.push_back({.content = std::move(content), .finish = finish, .finish_text = std::move(finish_text)});
    return response;
}

scripted_reply say(std::string text, finish_reason finish) {
    return respond(response_of(model_message(std::move(text)), finish, finish == finish_reason::stop ? "STOP" : "MAX_TOKENS"));
}

scripted_reply stream(std::vector<std::string> pieces) {
    return [pieces = std::move(pieces)](const model_request&, const delta_sink& sink, const cancel_token&) -> result<model_response> {
        std::string whole;
        for (const std::string& piece : pieces) {
            sink.text(piece);
            whole += piece;
        }
        return response_of(model_message(whole));
    };
}

scripted_reply calls(std::vector<call_part> calls, std::string commentary) {
    message content;
    if (!commentary.empty()) {
        content.parts.push_back(text_part{.text = std::move(commentary)});
    }
    for (call_part& call : calls) {
        content.parts.push_back(std::move(call));
    }
    return respond(response_of(std::move(content)));
}

scripted_reply call(std::string name, json arguments, std::string id) {
    return calls({{.id = std::move(id), .name = std::move(name), .arguments = std::move(arguments)}});
}

scripted_reply give(json value) {
    return [value = std::move(value)](const model_request& request, const delta_sink& sink,
                                      const cancel_token& cancel) -> result<model_response> {
        const std::string& function = request.answer_function;
        if (function.empty()) {
            return say(dump_json(value))(request, sink, cancel);
        }
        // The arguments are the value, or an object whose member `answer` is the value.
        const capability_spec* spec = request.declarations.find(function);
        const bool is_object = spec != nullptr && value.is_object() && request.declarations.validate(function, value).empty();
        json wrapped = json::object();
        wrapped["answer"] = value;
        const bool fits_wrapped = spec != nullptr && request.declarations.validate(function, wrapped).empty();
        return call(function, fits_wrapped && !is_object ? wrapped : value)(request, sink, cancel);
    };
}

scripted_reply respond(model_response response) {
    return [response = std::move(response)](const model_request&, const delta_sink&, const cancel_token&) -> result<model_response> {
        return response;
    };
}

scripted_reply fail(errc code, std::optional<duration> retry_after, std::string hint) {
    return [=](const model_request&, const delta_sink&, const cancel_token&) -> result<model_response> {
        return failure{.code = code, .message = "scripted: " + std::string(to_string(code)), .hint = hint, .retry_after = retry_after};
    };
}

scripted_reply hang() {
    return [](const model_request&, const delta_sink&, const cancel_token& cancel) -> result<model_response> {
        std::mutex mutex;
        std::condition_variable_any tripped;
        std::unique_lock lock(mutex);
        tripped.wait(lock, cancel, [] { return false; });
        return failure{.code = errc::cancelled, .message = "scripted: hung until it was cancelled"};
    };
}

scripted_provider::scripted_provider() : state_(std::make_shared<state>()) {}

scripted_provider::scripted_provider(std::initializer_list<scripted_reply> script) : scripted_provider() {
    state_->script.assign(script.begin(), script.end());
}

result<model_response> scripted_provider::complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
    scripted_reply next;
    {
        const std::lock_guard lock(state_->mutex);
        state_->requests.push_back(request);
        if (state_->script.empty()) {
            return failure{.code = errc::internal, .message = "the script of this provider has no more entries"};
        }
        next = std::move(state_->script.front());
        state_->script.pop_front();
    }
    return next(request, sink, cancel);
}

void scripted_provider::take_answer_schemas(bool takes) {
    const std::lock_guard lock(state_->mutex);
    state_->takes_answer_schemas = takes;
}

bool scripted_provider::takes_answer_schema(const json&) const {
    const std::lock_guard lock(state_->mutex);
    return state_->takes_answer_schemas;
}

void scripted_provider::add(scripted_reply reply) {
    const std::lock_guard lock(state_->mutex);
    state_->script.push_back(std::move(reply));
}

std::vector<model_request> scripted_provider::requests() const {
    const std::lock_guard lock(state_->mutex);
    return state_->requests;
}

std::size_t scripted_provider::request_count() const {
    const std::lock_guard lock(state_->mutex);
    return state_->requests.size();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
