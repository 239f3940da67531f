#pragma once
#include "process/run_process.hpp"

#include "catch.hpp"
#include "process_counts.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace process = pyaichat::process;
using namespace std::chrono_literals;

using time_point = process::output_listener::time_point;

/// Keeps what a process prints, and calls a function after each piece.
struct printed final : process::output_listener {
    std::string out = {};
    std::string err = {};
    std::function<void()> after = {};

    void receive(process::output_stream stream, std::string_view bytes) override {
        (stream == process::output_stream::out ? out : err) += bytes;
        if (after) {
            after();
        }
    }
    time_point tick(time_point) override { return time_point::max(); }
};

inline process::child_options shell_line(const std::string& line, bool terminal = true) {
    process::child_options out{.arguments = {"/bin/sh", "-c", line}, .environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "TERM=dumb"}};
    if (terminal) {
        out.terminal.emplace();
    }
    return out;
}

inline process::child_process start(const process::child_options& options) {
    auto child = process::child_process::start(options);
    INFO((child ? "" : child.error().message));
    REQUIRE(child);
    return *std::move(child);
}

/// Runs to the end, with a deadline far away unless it is given.
inline process::run_ending run(const process::child_options& options, printed& to, process::run_terms terms = {}) {
    if (terms.deadline == time_point::max()) {
        terms.deadline = std::chrono::steady_clock::now() + 60s;
    }
    process::child_process child = start(options);
    return process::run_to_end(child, terms, to);
}
