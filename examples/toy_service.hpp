#pragma once
// A language model service that was made up for 06_own_provider.cpp: JSON in, lines of JSON out, each a while after the one before.
//
//   request    {"turns": [{"who": "person" | "parrot", "say": ..., "calls": [...], "results": [...]}, ...], "functions": [...]}
//   response   {"status": 200}, then any of {"say": ...} {"call": {...}} {"feather": ...}, then {"end": "done" | "full"}
//
// A feather has to come back in the turn in which it was sent: a service's own state, of which nobody else knows what it means.
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

    explicit toy_service(situation meets) : meets_(meets) {}

    /// What the service sends back, and when. Any thread.
    [[nodiscard]] std::vector<toy_line> answer_to(const std::string& request) {
        namespace ai = pyaichat;
        ++asked_;
        if (meets_ == situation::unavailable) {
            return {{.text = R"({"status": 503, "wait": 2.5})"}};
        }
        if (meets_ == situation::hangs || meets_ == situation::hangs_past_time) {
            return {{.text = R"({"status": 200})"}, {.after = std::chrono::hours(1), .text = R"({"end": "done"})"}};
        }
        const ai::json body = ai::parse_json(request).value_or(ai::json());
        const ai::json& last = body["turns"].back();
        std::vector<toy_line> lines = {{.text = R"({"status": 200})"}};
        if (meets_ == situation::calls && last.contains("results")) {
            if (body["turns"][body["turns"].size() - 2].value("feather", "") != "blue") {
                return {{.text = R"({"status": 400, "why": "the feather of the last turn is missing"})"}};
            }
        } else if (meets_ == situation::calls) {
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

    [[nodiscard]] std::size_t asked() const { return asked_; }

private:
    situation meets_;
    std::atomic<std::size_t> asked_ = 0;
};
