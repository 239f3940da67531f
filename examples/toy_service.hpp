#pragma once
// A made-up language model service for 06_own_provider.cpp. The request is JSON; the response is lines of JSON with delays between them.
//
//   request    {"turns": [{"who": "person" | "parrot", "say": ..., "calls": [...], "results": [...]}, ...], "functions": [...]}
//   response   {"status": 200}, then any of {"say": ...} {"call": {...}} {"feather": ...}, then {"end": "done" | "full"}
//
// A feather is opaque state of the service: the client must send it back in the same turn.
#include <pyaichat/core/json.hpp>
#include <pyaichat/testing/provider_conformance.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

struct toy_line {
    pyaichat::duration after = std::chrono::milliseconds(5);
    std::string text = {};
};

class toy_service {
public:
    using situation = pyaichat::testing::provider_situation;

    explicit toy_service(situation simulated) : situation_(simulated) {}

    /// Returns the lines of the response, with their delays. Thread-safe.
    [[nodiscard]] std::vector<toy_line> respond_to(const std::string& request) {
        namespace ai = pyaichat;
        ++request_count_;
        if (situation_ == situation::unavailable) {
            return {{.text = R"({"status": 503, "wait": 2.5})"}};
        }
        if (situation_ == situation::hangs || situation_ == situation::hangs_past_time) {
            return {{.text = R"({"status": 200})"}, {.after = std::chrono::hours(1), .text = R"({"end": "done"})"}};
        }
        const ai::json body = ai::parse_json(request).value_or(ai::json());
        const ai::json& last = body["turns"].back();
        std::vector<toy_line> lines = {{.text = R"({"status": 200})"}};
        if (situation_ == situation::calls && last.contains("results")) {
            if (body["turns"][body["turns"].size() - 2].value("feather", "") != "blue") {
                return {{.text = R"({"status": 400, "why": "the feather of the last turn is missing"})"}};
            }
        } else if (situation_ == situation::calls) {
            lines.push_back({.text = R"({"feather": "blue"})"});
            lines.push_back({.text = R"({"call": {"name": "weather", "arguments": {"place": "Oslo"}}})"});
            lines.push_back({.text = R"({"end": "done"})"});
            return lines;
        }
        for (const char* piece : {"It is ", "sunny ", "in Oslo."}) {
            lines.push_back({.text = ai::dump_json(ai::json{{"say", piece}})});
        }
        lines.push_back({.text = R"({"end": "done"})"});
        return lines;
    }

    [[nodiscard]] std::size_t request_count() const { return request_count_; }

private:
    situation situation_;
    std::atomic<std::size_t> request_count_ = 0;
};
