#include "assistant/emulate.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/testing/anthropic_emulator.hpp>
#include <pyaichat/testing/anthropic_script.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>
#include <pyaichat/testing/gemini_script.hpp>
#include <pyaichat/testing/openai_emulator.hpp>
#include <pyaichat/testing/openai_script.hpp>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace repl {

namespace {

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;

constexpr const char* usage = R"(usage: pyaichat emulate gemini|anthropic|openai --script FILE [options]

Serves the API of Gemini, Anthropic or OpenAI on 127.0.0.1 for tests, with the replies of a script (docs/guide/testing.md).
Validates requests like the service. The first line on standard output is the base URL.
SIGINT and SIGTERM end the program.

  --script FILE      the replies, a JSON document
  --port N           the port; default: any free port
  --profile VERSION  gemini: behave like the models of this version (2.5 to 4); default: the version in the model's name
  --record FILE      write each request to FILE when it arrives, as a line of JSON without keys
  --lenient          accept requests that the service would refuse
  --until-eof        also end at the end of standard input
  --help

Exit status: 0 all requests were valid and got a reply, 3 a request was refused or came after the last reply,
1 the port or the file is not available, 2 wrong usage or an invalid script.
)";

enum status : int { success = 0, error = 1, wrong_usage = 2, refused = 3 };

enum class emulated : unsigned char { gemini, anthropic, openai };

struct emulation {
    emulated service = emulated::gemini;
    std::string script = {};
    std::string record = {};
    std::optional<fake::gemini_profile> profile = {};
    int port = 0;
    bool lenient = false;
    bool until_eof = false;
    bool help = false;
};

int finish(const std::string& sentence, status status) {
    std::fprintf(stderr, "pyaichat emulate: %s\n", sentence.c_str());
    return status;
}

int finish(const ai::failure& problem, status status) {
    return finish(problem.hint.empty() ? problem.message : problem.message + ". " + problem.hint, status);
}

ai::failure refuse(std::string text) {
    return {.code = ai::errc::invalid_argument, .message = std::move(text), .hint = "Try 'pyaichat emulate --help'."};
}

ai::result<int> port_of(std::string_view value) {
    int port = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), port);
    if (problem != std::errc() || end != value.data() + value.size() || port < 1 || port > 65535) {
        return refuse("--port takes a number from 1 to 65535, not '" + std::string(value) + "'");
    }
    return port;
}

ai::result<void> set_value(emulation& out, std::string_view name, std::string_view value) {
    if (name == "--script") {
        out.script = value;
    } else if (name == "--record") {
        out.record = value;
    } else if (name == "--port") {
        const ai::result<int> port = port_of(value);
        if (!port) {
            return port.error();
        }
        out.port = *port;
    } else {
        ai::result<fake::gemini_profile> profile = fake::gemini_profile_of_version(value);
        if (!profile) {
            return refuse("--profile: " + profile.error().message + " (use 2.5, 3.0, 3.5, 3.6, 3.8 or 4)");
        }
        out.profile = *std::move(profile);
    }
    return {};
}

ai::result<emulation> parse(std::span<char* const> arguments) {
    emulation out;
    if (!arguments.empty() && std::string_view(arguments.front()) == "--help") {
        out.help = true;
        return out;
    }
    const std::string_view service = arguments.empty() ? "" : arguments.front();
    if (service != "gemini" && service != "anthropic" && service != "openai") {
        return refuse("name the service to emulate: gemini, anthropic or openai");
    }
    out.service = service == "gemini" ? emulated::gemini : service == "anthropic" ? emulated::anthropic : emulated::openai;
    for (std::size_t at = 1; at < arguments.size(); ++at) {
        const std::string_view argument = arguments[at];
        const std::size_t equals = argument.find('=');
        const std::string_view name = argument.substr(0, equals);
        if (argument == "--help" || argument == "--lenient" || argument == "--until-eof") {
            (argument == "--help" ? out.help : argument == "--lenient" ? out.lenient : out.until_eof) = true;
        } else if (name == "--script" || name == "--record" || name == "--port" || name == "--profile") {
            if (equals == std::string_view::npos && at + 1 == arguments.size()) {
                return refuse(std::string(name) + " needs a value");
            }
            if (auto set = set_value(out, name, equals == std::string_view::npos ? arguments[++at] : argument.substr(equals + 1)); !set) {
                return set.error();
            }
        } else {
            return refuse("unknown argument '" + std::string(argument) + "'");
        }
    }
    if (out.profile && out.service != emulated::gemini) {
        return refuse("--profile is for gemini only");
    }
    if (out.script.empty() && !out.help) {
        return refuse("--script FILE is missing");
    }
    return out;
}

/// A request as JSON, without its key.
template <class Request>
json record_of(const Request& request, std::size_t number) {
    json out = json::object();
    out["number"] = number;
    out["method"] = request.method;
    out["path"] = request.path;
    out["query"] = request.query;
    out["connection"] = request.connection;
    json headers = json::object();
    for (const ai::http_header& header : request.headers) {
        const std::string name = ai::detail::ascii_lower(header.name);
        headers[name] = name == "x-goog-api-key" || name == "x-api-key" || name == "authorization" ? "***" : header.value;
    }
    out["headers"] = std::move(headers);
    out["body"] = request.body;
    out["text"] = request.text;
    if (request.refusal) {
        out["refusal"]["status"] = request.refusal->status;
        out["refusal"]["message"] = request.refusal->message();
    }
    return out;
}

/// The value of the query parameter `key`.
std::string key_in(std::string_view query) {
    while (!query.empty()) {
        const std::string_view parameter = query.substr(0, query.find('&'));
        if (parameter.starts_with("key=")) {
            return std::string(parameter.substr(4));
        }
        query.remove_prefix(std::min(parameter.size() + 1, query.size()));
    }
    return {};
}

/// The request as a line of JSON, with the key replaced wherever it occurs.
template <class Request>
std::string line_of(const Request& request, std::size_t number) {
    std::string line = ai::dump_json(record_of(request, number)) + "\n";
    const std::string authorization = request.header("authorization");
    const std::string bearer = authorization.substr(std::min(authorization.find(' ') + 1, authorization.size()));
    for (const std::string& key : {request.header("x-goog-api-key"), request.header("x-api-key"), bearer, key_in(request.query)}) {
        for (std::size_t at = 0; key.size() > 3 && (at = line.find(key, at)) != std::string::npos; at += 3) {
            line.replace(at, key.size(), "***");
        }
    }
    return line;
}

/// Records requests and counts the failed ones. The emulator calls `record` for one request at a time.
class request_log {
public:
    [[nodiscard]] bool open(const std::string& path) {
        file_ = path.empty() ? nullptr : std::fopen(path.c_str(), "w");
        return path.empty() || file_ != nullptr;
    }
    ~request_log() {
        if (file_ != nullptr) {
            std::fclose(file_);
        }
    }
    request_log() = default;
    request_log(const request_log&) = delete;
    request_log& operator=(const request_log&) = delete;

    template <class Request>
    void record(const Request& request) {
        const std::size_t number = ++received_;
        if (request.refusal) {
            ++refused_;
            const std::string message = ai::detail::one_line(request.refusal->message(), 300);
            std::fprintf(stderr, "pyaichat emulate: request %zu was refused: %s\n", number, message.c_str());
        }
        if (file_ != nullptr && (std::fputs(line_of(request, number).c_str(), file_) < 0 || std::fflush(file_) != 0)) {
            lost_ = true;
        }
    }
    void count_unanswered() { ++unanswered_; }

    [[nodiscard]] std::size_t received() const { return received_; }
    [[nodiscard]] std::size_t refused() const { return refused_; }
    [[nodiscard]] std::size_t unanswered() const { return unanswered_; }
    [[nodiscard]] bool lost() const { return lost_; }

private:
    std::FILE* file_ = nullptr;
    std::atomic<std::size_t> received_ = 0;
    std::atomic<std::size_t> refused_ = 0;
    std::atomic<std::size_t> unanswered_ = 0;
    std::atomic<bool> lost_ = false;
};

volatile std::sig_atomic_t stop_requested = 0;

/// Handles SIGINT and SIGTERM from its construction on, also when they arrive before `wait`. Other threads inherit the blocked mask.
class end_signals {
public:
    end_signals() {
        struct sigaction action = {};
        action.sa_handler = [](int) { stop_requested = 1; };
        sigemptyset(&action.sa_mask);
        sigset_t ours;
        sigemptyset(&ours);
        for (const int number : {SIGINT, SIGTERM}) {
            sigaddset(&ours, number);
        }
        pthread_sigmask(SIG_BLOCK, &ours, &while_waiting_);
        for (const int number : {SIGINT, SIGTERM}) {
            sigdelset(&while_waiting_, number);
            sigaction(number, &action, nullptr);
        }
    }

    /// Waits for a signal or, with `until_eof`, for the end of standard input.
    void wait(bool until_eof) const {
        while (stop_requested == 0) {
            pollfd input = {STDIN_FILENO, POLLIN, 0};
            const int ready = ::ppoll(&input, until_eof ? 1 : 0, nullptr, &while_waiting_);
            char discarded[4096];
            if (ready > 0 && ::read(STDIN_FILENO, discarded, sizeof discarded) <= 0) {
                break;
            }
        }
    }

private:
    sigset_t while_waiting_ = {};
};

int summarize(const request_log& log, std::size_t left) {
    std::string sentence = ai::detail::counted(static_cast<std::int64_t>(log.received()), "request");
    if (log.refused() > 0) {
        sentence += ", " + std::to_string(log.refused()) + " refused";
    }
    if (log.unanswered() > 0) {
        sentence += ", " + std::to_string(log.unanswered()) + " after the last reply";
    }
    if (left > 0) {
        sentence += ", " + std::to_string(left) + (left == 1 ? " reply" : " replies") + " unused";
    }
    return finish(sentence, log.refused() + log.unanswered() > 0 ? refused : success);
}

/// Serves the replies of a script until the end. `exhausted` is the reply after the last one.
template <class Emulator, class Options, class Script, class Reply>
int serve(const emulation& chosen, Options options, Script script, const Reply& exhausted) {
    const end_signals signals;
    request_log log;
    if (!log.open(chosen.record)) {
        return finish(chosen.record + " cannot be written: " + std::strerror(errno), error);
    }
    options.strict = !chosen.lenient;
    options.port = chosen.port;
    options.on_request = [&log](const auto& request) { log.record(request); };
    Emulator service(std::move(options));
    if (service.port() == 0) {
        return finish("port " + std::to_string(chosen.port) + " is not available. Choose another port, or omit --port.", error);
    }
    for (Reply& reply : script.replies) {
        service.enqueue(std::move(reply));
    }
    service.otherwise([&log, &script, &exhausted](const auto&) {
        if (script.otherwise) {
            return *script.otherwise;
        }
        log.count_unanswered();
        return exhausted;
    });
    std::printf("%s\n", service.base_url().c_str());
    if (std::fflush(stdout) != 0) {
        return finish("standard output cannot be written", error);
    }
    signals.wait(chosen.until_eof);
    const int status = summarize(log, service.replies_left());
    return log.lost() ? finish(chosen.record + " could not be written completely", error) : status;
}

constexpr const char* no_more_replies = "The emulator's script has no more replies.";

int emulate_gemini(const emulation& chosen) {
    ai::result<fake::gemini_script> script = fake::read_gemini_script(chosen.script);
    if (!script) {
        return finish(script.error(), wrong_usage);
    }
    fake::gemini_emulator_options options;
    options.service = script->service;
    options.service.profile = chosen.profile ? chosen.profile : script->service.profile;
    return serve<fake::gemini_emulator>(chosen, std::move(options), *std::move(script),
                                        fake::gemini_reply::error(500, "INTERNAL", no_more_replies));
}

int emulate_anthropic(const emulation& chosen) {
    ai::result<fake::anthropic_script> script = fake::read_anthropic_script(chosen.script);
    if (!script) {
        return finish(script.error(), wrong_usage);
    }
    fake::anthropic_emulator_options options;
    options.service = script->service;
    return serve<fake::anthropic_emulator>(chosen, std::move(options), *std::move(script),
                                           fake::anthropic_reply::error(500, "api_error", no_more_replies));
}

int emulate_openai(const emulation& chosen) {
    ai::result<fake::openai_script> script = fake::read_openai_script(chosen.script);
    if (!script) {
        return finish(script.error(), wrong_usage);
    }
    fake::openai_emulator_options options;
    options.service = script->service;
    return serve<fake::openai_emulator>(chosen, std::move(options), *std::move(script), fake::openai_reply::error(500, no_more_replies));
}

}  // namespace

int emulate(std::span<char* const> arguments) {
    const ai::result<emulation> chosen = parse(arguments);
    if (!chosen) {
        return finish(chosen.error(), wrong_usage);
    }
    if (chosen->help) {
        std::fputs(usage, stdout);
        return std::fflush(stdout) == 0 ? success : error;
    }
    switch (chosen->service) {
        case emulated::gemini: return emulate_gemini(*chosen);
        case emulated::anthropic: return emulate_anthropic(*chosen);
        default: return emulate_openai(*chosen);
    }
}

}  // namespace repl
