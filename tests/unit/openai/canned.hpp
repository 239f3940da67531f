#pragma once
/// A transport that answers from a script and keeps the requests.
#include <pyaichat/openai/openai.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

struct canned {
    struct log {
        std::vector<pyaichat::http_response> script = {};  ///< the next response is the first
        std::vector<pyaichat::http_request> seen = {};
        std::size_t piece = 7;  ///< bytes per piece of a stream
    };
    std::shared_ptr<log> shared = std::make_shared<log>();

    canned() = default;
    explicit canned(std::vector<std::string> bodies) {
        for (std::string& body : bodies) {
            shared->script.push_back({.status = 200, .body = std::move(body)});
        }
    }
    explicit canned(std::vector<pyaichat::http_response> responses) { shared->script = std::move(responses); }

    pyaichat::result<pyaichat::http_response> send(const pyaichat::http_request& request, const pyaichat::cancel_token&) {
        shared->seen.push_back(request);
        if (shared->script.empty()) {
            return pyaichat::failure{.code = pyaichat::errc::connection_failed, .message = "the script is over"};
        }
        pyaichat::http_response next = std::move(shared->script.front());
        shared->script.erase(shared->script.begin());
        return next;
    }
    pyaichat::result<pyaichat::http_response> stream(const pyaichat::http_request& request, const pyaichat::http_body_sink& sink,
                                                     const pyaichat::cancel_token& cancel) {
        auto response = send(request, cancel);
        if (response && response->status == 200) {
            const std::string body = std::exchange(response->body, "");
            for (std::size_t at = 0; at < body.size(); at += shared->piece) {
                if (!sink(std::string_view(body).substr(at, shared->piece))) {
                    return pyaichat::failure{.code = pyaichat::errc::cancelled, .message = "stopped"};
                }
            }
        }
        return response;
    }
    [[nodiscard]] pyaichat::json body(std::size_t index) const { return *pyaichat::parse_json(shared->seen[index].body); }
};
