/// Whole-process figures of turns over HTTP, for callgrind, strace and clocks outside; see report.py. Each mode prints one line of JSON.
///
///   pyaichat_turns floor|question streamed|whole N    N questions of three requests: a bare socket with JSON, or the default ai::agent
///   pyaichat_turns in_flight plain|tls N              N requests on one thread that nobody answers: bytes of memory for each
///   pyaichat_turns turns N MS                         N runs at once, answered after MS: CPU for each, the latest answer
///   pyaichat_turns deadlines N MS                     N runs at once, never answered, with a deadline after MS: the latest end
///   pyaichat_turns abort STATE N                      cancels N requests in a state: the time to the outcome
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/agent/pump_all.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/net/https.hpp>

#include "../cpu_time.hpp"
#include "../gemini_turns.hpp"
#include "../http_peer.hpp"
#include "../player.hpp"
#include "peer.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace bench;
using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;

void fail(const std::string& why) {
    std::fprintf(stderr, "pyaichat_turns: %s\n", why.c_str());
    std::exit(1);
}

double microseconds(clock_type::duration span) {
    return std::chrono::duration<double, std::micro>(span).count();
}

std::size_t resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::size_t total = 0;
    std::size_t resident = 0;
    statm >> total >> resident;
    return resident * 4096;
}

/// What the process has used since it was made.
class usage {
public:
    [[nodiscard]] ai::json since_then(int questions) const {
        rusage now = {};
        ::getrusage(RUSAGE_SELF, &now);
        const auto each = [&](long after, long before) { return static_cast<double>(after - before) / questions; };
        return {{"questions", questions},
                {"cpu_us", static_cast<double>(process_cpu() - cpu_) * 1e-3 / questions},
                {"switches", each(now.ru_nvcsw + now.ru_nivcsw, start_.ru_nvcsw + start_.ru_nivcsw)}};
    }

private:
    static rusage at_start() {
        rusage out = {};
        ::getrusage(RUSAGE_SELF, &out);
        return out;
    }
    std::int64_t cpu_ = process_cpu();
    rusage start_ = at_start();
};

ai::gemini_options options_for(int port, bool streamed) {
    return {.api_key = "not-a-key", .base_url = "http://127.0.0.1:" + std::to_string(port), .stream = streamed};
}

ai::json question_of_three(bool streamed, int count) {
    const turns::peer server({.responses = http_responses(streamed)});
    ai::agent agent{ai::gemini(options_for(server.port(), streamed)), player_capabilities(), {.instructions = "Be brief."}};
    const auto ask = [&] {
        if (const ai::answer reply = agent.ask(question).wait(); reply.reason != ai::stop_reason::complete || reply.steps != 3) {
            fail("the question ended otherwise: " + reply.text);
        }
    };
    ask();
    const usage used;
    for (int i = 0; i < count; ++i) {
        ask();
    }
    return used.since_then(count);
}

/// The least that a client does: dumps one JSON value for each request, writes it, reads the response and parses its JSON.
ai::json bare_question(bool streamed, int count) {
    const turns::peer server({.responses = http_responses(streamed)});
    const std::vector<ai::http_request> asked = gemini_requests(streamed);
    std::vector<std::string> heads;
    std::vector<ai::json> bodies;
    for (const ai::http_request& one : asked) {
        std::string head = one.method + " " + one.url.substr(one.url.find('/', 8)) + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
        for (const ai::http_header& header : one.headers) {
            head += header.name + ": " + header.value + "\r\n";
        }
        heads.push_back(head + "Content-Length: ");
        bodies.push_back(*ai::parse_json(one.body));
    }
    bare_socket socket(server.port());
    const auto ask = [&] {
        for (std::size_t i = 0; i < asked.size(); ++i) {
            const std::string body = bodies[i].dump();
            const std::string response = socket.exchange(heads[i] + std::to_string(body.size()) + "\r\n\r\n" + body);
            const std::size_t begin = response.find('{');
            const std::size_t end = response.rfind('}');
            if (begin == std::string::npos || !nlohmann::json::parse(response.substr(begin, end + 1 - begin)).is_object()) {
                fail("a bare exchange failed");
            }
        }
    };
    ask();
    const usage used;
    for (int i = 0; i < count; ++i) {
        ask();
    }
    return used.since_then(count);
}

/// Counts the outcomes of exchanges.
struct outcomes {
    std::atomic<int> count = 0;
    std::atomic<clock_type::rep> last = 0;
    void add() {
        last = clock_type::now().time_since_epoch().count();
        ++count;
    }
};

class silent_exchange final : public ai::http_exchange {
public:
    silent_exchange(std::string url, outcomes& counted) : url_(std::move(url)), counted_(counted) {}
    ai::result<ai::http_request> request() override {
        return ai::http_request{.url = std::move(url_), .body = std::string(900, 'x'), .timeout = 60s};
    }
    [[nodiscard]] bool streams() const noexcept override { return true; }
    bool take(std::string_view) override { return true; }
    void finish(ai::result<ai::http_response>) override { counted_.add(); }

private:
    std::string url_;
    outcomes& counted_;
};

template <class Condition>
void wait_until(const char* what, Condition met) {
    for (const auto limit = clock_type::now() + 60s; !met(); std::this_thread::sleep_for(100us)) {
        if (clock_type::now() > limit) {
            fail(std::string("still waiting after 60 s: ") + what);
        }
    }
}

ai::net::https_options many_connections(int count, const turns::peer& server) {
    return {.ca_file = server.ca_file(), .max_connections_per_origin = static_cast<std::size_t>(count)};
}

ai::json in_flight(bool tls, int count) {
    const turns::peer server({.tls = tls});
    ai::net::https_transport transport(many_connections(count, server));
    const std::string url = (tls ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(server.port()) + "/";
    outcomes ended;
    ai::cancel_source stop;
    const auto start = [&](int more) {
        const int before = server.requests();
        for (int i = 0; i < more; ++i) {
            transport.start(std::make_unique<silent_exchange>(url, ended), stop.get_token());
        }
        wait_until("the requests arrive", [&] { return server.requests() == before + more; });
    };
    start(1);
    const std::size_t before = resident_bytes();
    start(count - 1);
    const std::size_t after = resident_bytes();
    const auto begin = clock_type::now();
    stop.request_stop();
    wait_until("the requests end", [&] { return ended.count == count; });
    return {{"requests", count},
            {"bytes", static_cast<double>(after - before) / (count - 1)},
            {"cancel_all_us", microseconds(clock_type::now() - begin)}};
}

/// Runs at once, pumped by this thread. The provider's transport has one thread.
ai::json many_runs(int count, std::chrono::milliseconds span, bool answers) {
    turns::peer_options served{.delay = span};
    if (answers) {
        served.responses = {http_responses(false).back()};
    }
    const turns::peer server(std::move(served));
    ai::gemini_options options = options_for(server.port(), false);
    ai::gemini provider(std::move(options), ai::net::https_transport(many_connections(count, server)));
    ai::limits limits;
    limits.total_timeout = answers ? ai::duration(60s) : ai::duration(span);
    limits.transport_retries = 0;
    ai::agent agent{provider, {}, {.instructions = "Be brief.", .limits = limits}};

    const std::int64_t cpu = process_cpu();
    std::vector<ai::run> runs;
    std::vector<clock_type::time_point> began;
    clock_type::duration latest = {};
    int complete = 0;
    for (int i = 0; i < count; ++i) {
        began.push_back(clock_type::now());
        runs.push_back(agent.ask(question));
        static_cast<void>(runs.back().pump(0ms));
    }
    for (int left = count; left > 0; std::this_thread::sleep_for(1ms)) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (runs[i] && runs[i].pump(1ms) == ai::progress::done) {
                latest = std::max(latest, clock_type::now() - began[i]);
                complete += runs[i].reply().reason == ai::stop_reason::complete ? 1 : 0;
                runs[i] = {};
                --left;
            }
        }
    }
    return {{"runs", count},
            {"complete", complete},
            {"cpu_us", static_cast<double>(process_cpu() - cpu) * 1e-3 / count},
            {"late_ms", microseconds(latest - span) * 1e-3}};
}

ai::json abort_in(std::string_view state, int count) {
    turns::peer_options served;
    if (state == "handshake") {
        served.tls = true;
        served.greets = false;
    } else if (state == "body") {
        served.responses = {http_responses(true).front()};
        served.cut_after = served.responses.front().size() - 20;
    } else if (state != "head") {
        fail("the states are handshake, head, body");
    }
    const turns::peer server(served);
    const std::string url = (served.tls ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(server.port()) + "/";
    ai::net::https_transport transport(many_connections(count, server));
    std::vector<double> took;
    for (int i = 0; i < count; ++i) {
        outcomes ended;
        ai::cancel_source stop;
        const int before = server.requests();
        transport.start(std::make_unique<silent_exchange>(url, ended), stop.get_token());
        if (served.tls) {
            std::this_thread::sleep_for(1ms);
        } else {
            wait_until("the request arrives", [&] { return server.requests() > before; });
        }
        const auto begin = clock_type::now();
        stop.request_stop();
        wait_until("the request ends", [&] { return ended.count == 1; });
        took.push_back(microseconds(clock_type::time_point(clock_type::duration(ended.last)) - begin));
    }
    std::sort(took.begin(), took.end());
    return {{"state", state}, {"aborts", count}, {"median_us", took[took.size() / 2]}, {"worst_us", took.back()}};
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() != 3) {
        fail("see the head of tests/bench/turns/main.cpp for the words");
    }
    const std::string& mode = words[0];
    const int last = std::atoi(words[2].c_str());
    ai::json line;
    if (mode == "floor") {
        line = bare_question(words[1] == "streamed", last);
    } else if (mode == "question") {
        line = question_of_three(words[1] == "streamed", last);
    } else if (mode == "in_flight") {
        line = in_flight(words[1] == "tls", last);
    } else if (mode == "turns" || mode == "deadlines") {
        line = many_runs(std::atoi(words[1].c_str()), std::chrono::milliseconds(last), mode == "turns");
    } else if (mode == "abort") {
        line = abort_in(words[1], last);
    } else {
        fail("no such mode: " + mode);
    }
    std::printf("%s\n", ai::dump_json(line).c_str());
    return 0;
}
