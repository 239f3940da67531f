// A host of `anthropic` with an HTTP stack of its own: works in builds without sockets and TLS, too.
#include <pyaichat/anthropic/anthropic.hpp>

#include <cstdio>
#include <string>

namespace ai = pyaichat;

namespace {

/// Answers every request from memory.
struct host_stack {
    static constexpr const char* reply = R"({"type": "message", "role": "assistant", "model": "claude",
        "content": [{"type": "text", "text": "Hello from the host."}], "stop_reason": "end_turn"})";

    ai::result<ai::http_response> send(const ai::http_request&, const ai::cancel_token&) {
        return ai::http_response{.status = 200, .body = reply};
    }
    ai::result<ai::http_response> stream(const ai::http_request&, const ai::http_body_sink& sink, const ai::cancel_token&) {
        sink(reply);
        return ai::http_response{.status = 200};
    }
};

}  // namespace

int main() {
    ai::anthropic provider({.api_key = "not-a-key"}, host_stack{});
    ai::model_request request;
    request.messages.push_back(ai::user_message("Hello?"));
    const ai::result<ai::model_response> response = provider.complete(request, {}, {});
    const std::string text = response ? response->candidates.at(0).content.text() : response.error().message;
    std::printf("%s\n", text.c_str());
    return text == "Hello from the host." ? 0 : 1;
}
