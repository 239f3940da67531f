#pragma once
/// A transport that answers from a script, and recorded exchanges of the official client.
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"

/// A response in the pieces that arrive one after another.
struct served {
    int status = 200;
    std::vector<pyaichat::http_header> headers = {};
    std::vector<std::string> pieces = {};
    bool cut = false;  ///< the connection breaks after the last piece

    [[nodiscard]] std::string body() const {
        std::string whole;
        for (const std::string& piece : pieces) {
            whole += piece;
        }
        return whole;
    }
};

struct canned {
    struct log {
        std::deque<served> script = {};
        std::vector<pyaichat::http_request> seen = {};
    };
    std::shared_ptr<log> shared = std::make_shared<log>();

    explicit canned(std::vector<served> script) { shared->script.assign(script.begin(), script.end()); }
    explicit canned(const std::vector<std::string>& bodies) {
        for (const std::string& body : bodies) {
            shared->script.push_back({.pieces = {body}});
        }
    }

    pyaichat::result<pyaichat::http_response> send(const pyaichat::http_request& request, const pyaichat::cancel_token& cancel) {
        std::string body;
        auto response = stream(
            request,
            [&](std::string_view piece) {
                body += piece;
                return true;
            },
            cancel);
        if (response && response->status == 200) {
            response->body = std::move(body);
        }
        return response;
    }
    pyaichat::result<pyaichat::http_response> stream(const pyaichat::http_request& request, const pyaichat::http_body_sink& sink,
                                                     const pyaichat::cancel_token&) {
        shared->seen.push_back(request);
        if (shared->script.empty()) {
            return pyaichat::failure{.code = pyaichat::errc::connection_failed, .message = "the script is over"};
        }
        const served next = std::move(shared->script.front());
        shared->script.pop_front();
        if (next.status != 200) {
            return pyaichat::http_response{next.status, next.headers, next.body()};
        }
        for (const std::string& piece : next.pieces) {
            if (!sink(piece)) {
                return pyaichat::failure{.code = pyaichat::errc::cancelled, .message = "stopped"};
            }
        }
        if (next.cut) {
            return pyaichat::failure{.code = pyaichat::errc::connection_failed, .message = "the connection broke"};
        }
        return pyaichat::http_response{next.status, next.headers, {}};
    }
    [[nodiscard]] pyaichat::json body(std::size_t number) const {
        REQUIRE(number < shared->seen.size());
        const auto parsed = pyaichat::parse_json(shared->seen[number].body);
        REQUIRE(parsed);
        return *parsed;
    }
};

/// The events of a stream, as the service writes them.
inline std::string events(const std::vector<std::string>& data) {
    std::string out;
    for (const std::string& one : data) {
        const auto parsed = pyaichat::parse_json(one);
        const std::string name = parsed ? std::string(pyaichat::string_member(*parsed, "type").value_or("")) : "";
        out += (name.empty() ? "" : "event: " + name + "\n") + "data: " + one + "\n\n";
    }
    return out;
}

/// A whole response with this `content`.
inline std::string reply(const std::string& content, const std::string& stop_reason = "end_turn") {
    return R"({"id":"msg_01","type":"message","role":"assistant","model":"claude-haiku-5-5","content":[)" + content +
           R"(],"stop_reason":")" + stop_reason + R"(","stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":5}})";
}

/// A recorded exchange. The requests and the responses are in the same order.
struct golden_exchange {
    struct request {
        std::string method = {};
        std::string path = {};
        std::string query = {};
        pyaichat::json body = {};
    };
    std::vector<request> requests = {};
    std::vector<served> responses = {};
};

inline std::string bytes_of_hex(std::string_view digits) {
    std::string out;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        out += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
    }
    return out;
}

inline served served_from(const pyaichat::json& recorded) {
    served out;
    out.status = static_cast<int>(*pyaichat::integer_member(recorded, "status"));
    out.cut = pyaichat::bool_member(recorded, "cut").value_or(false);
    for (const auto& [name, value] : pyaichat::find_member(recorded, "headers")->items()) {
        out.headers.push_back({name, std::string(*pyaichat::as_string(value))});
    }
    const pyaichat::json& body = *pyaichat::find_member(recorded, "body");
    if (const auto text = pyaichat::as_string(body)) {
        out.pieces.emplace_back(*text);
        return out;
    }
    for (const pyaichat::json& piece : body) {
        const auto text = pyaichat::as_string(piece);
        out.pieces.push_back(text ? std::string(*text) : bytes_of_hex(*pyaichat::string_member(piece, "hex")));
    }
    return out;
}

/// False, and a word that ctest counts as skipped, if the recordings are not beside the project.
inline bool goldens_are_there() {
    if (std::filesystem::is_directory(PYAICHAT_WIRE_GOLDEN "/anthropic")) {
        return true;
    }
    std::cout << "SKIPPED: no recorded requests in " PYAICHAT_WIRE_GOLDEN << std::endl;
    return false;
}

/// Reads the recording whose file name begins with `number`. A missing or broken file fails the test.
inline golden_exchange golden(const std::string& number) {
    CAPTURE(number);
    for (const auto& entry : std::filesystem::directory_iterator(PYAICHAT_WIRE_GOLDEN "/anthropic")) {
        if (!entry.path().filename().string().starts_with(number + "_")) {
            continue;
        }
        std::ifstream file(entry.path());
        const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        const auto document = pyaichat::parse_json(text);
        REQUIRE(document);
        golden_exchange out;
        for (const pyaichat::json& one : *pyaichat::find_member(*document, "requests")) {
            out.requests.push_back({std::string(*pyaichat::string_member(one, "method")),
                                    std::string(*pyaichat::string_member(one, "path")),
                                    std::string(pyaichat::string_member(one, "query").value_or("")), *pyaichat::find_member(one, "body")});
        }
        for (const pyaichat::json& one : *pyaichat::find_member(*document, "served")) {
            out.responses.push_back(served_from(one));
        }
        return out;
    }
    FAIL("no such recording");
    return {};
}
