#pragma once
/// The question of three requests as Gemini's service and its clients exchange it.
#include <pyaichat/gemini/gemini.hpp>

#include "player.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// The model's turns as the service sends them.
inline std::vector<std::string> gemini_bodies(int indent = 2) {
    std::vector<std::string> bodies;
    for (const ai::message& turn : model_turns()) {
        ai::json part = ai::json::object();
        if (const auto* call = turn.parts[0].as<ai::call_part>()) {
            part["functionCall"] = {{"id", call->id}, {"name", call->name}, {"args", call->arguments}};
            part["thoughtSignature"] = std::string(400, 'A');
        } else {
            part["text"] = turn.text();
        }
        ai::json content = {{"role", "model"}};
        content["parts"] = ai::json::array({std::move(part)});
        ai::json candidate = {{"finishReason", "STOP"}, {"index", 0}};
        candidate["content"] = std::move(content);
        ai::json body = {{"usageMetadata",
                          {{"promptTokenCount", 412},
                           {"candidatesTokenCount", 37},
                           {"totalTokenCount", 449},
                           {"promptTokensDetails", {{{"modality", "TEXT"}, {"tokenCount", 412}}}}}},
                         {"modelVersion", "gemini"},
                         {"responseId", "cmVzcG9uc2UtaWQtMTIz"}};
        body["candidates"] = ai::json::array({std::move(candidate)});
        bodies.push_back(ai::dump_json(body, indent));  // the service indents
    }
    return bodies;
}

/// The turns as complete HTTP responses: one JSON document each, or one event in one chunk.
inline std::vector<std::string> http_responses(bool streamed) {
    std::vector<std::string> out;
    for (const std::string& body : gemini_bodies(streamed ? -1 : 2)) {
        if (streamed) {
            const std::string event = "data: " + body + "\r\n\r\n";
            char size[32];
            std::snprintf(size, sizeof size, "%zx", event.size());
            out.push_back(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nServer: scaffolding\r\nTransfer-Encoding: chunked\r\n\r\n" +
                std::string(size) + "\r\n" + event + "\r\n0\r\n\r\n");
        } else {
            out.push_back("HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=UTF-8\r\nServer: scaffolding\r\nContent-Length: " +
                          std::to_string(body.size()) + "\r\n\r\n" + body);
        }
    }
    return out;
}

/// The three requests that the question makes, as the transport is given them.
inline std::vector<ai::http_request> gemini_requests(bool streamed) {
    std::vector<std::string> bodies = gemini_bodies(-1);
    if (streamed) {
        for (std::string& body : bodies) {
            body = "data: " + body + "\r\n\r\n";
        }
    }
    canned_transport transport{std::move(bodies)};
    const auto kept = transport.kept = std::make_shared<std::vector<ai::http_request>>();
    auto agent = agent_of(ai::gemini({.api_key = "not-a-key", .base_url = "http://127.0.0.1:1", .stream = streamed}, std::move(transport)));
    static_cast<void>(agent.ask(question).wait());
    return *kept;
}

}  // namespace bench
