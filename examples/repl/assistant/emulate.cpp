#include "assistant/emulate.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>
#include <pyaichat/testing/gemini_script.hpp>

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

constexpr const char* usage = R"(usage: pyaichat emulate gemini --script FILE [options]

Serves the Gemini API on 127.0.0.1 for tests: strict like the service, with the replies of a script (docs/guide/testing.md).
The first line on standard output is its base URL. It ends on SIGINT and SIGTERM.

  --script FILE      the replies, a JSON document
  --port N           listen there instead of on a free port
  --profile VERSION  behave like the models of this version (2.5 to 4) instead of as the model's name says
  --record FILE      write each request to FILE as it arrives, one JSON object a line; keys are left out
  --lenient          answer also what the service would refuse
  --until-eof        end when standard input ends, too
  --help

Exit status: 0 every request was legal and answered, 3 one was refused or came after the last reply,
1 the port or the file cannot be had, 2 wrong usage or a bad script.
)";

enum status : int { fine = 0, error = 1, wrong_usage = 2, refused = 3 };

struct emulation {
    std::string script = {};
    std::string record = {};
    std::optional<fake::gemini_profile> profile = {};
    int port = 0;
    bool lenient = false;
    bool until_eof = false;
    bool help = false;
};

int complain(const std::string& sentence, status how) {
    std::fprintf(stderr, "pyaichat emulate: %s\n", sentence.c_str());
    return how;
}

int complain(const ai::failure& problem, status how) {
    return complain(problem.hint.empty() ? problem.message : problem.message + ". " + problem.hint, how);
}

ai::failure refuse(std::string text) {
    return {.code = ai::errc::invalid_argument, .message = std::move(text), .hint = "Try 'pyaichat emulate gemini --help'."};
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
            return refuse("--profile: " + profile.error().message + " (2.5, 3.0, 3.5, 3.6, 3.8 and 4 are)");
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
    if (arguments.empty() || std::string_view(arguments.front()) != "gemini") {
        return refuse("name the service to emulate, which is gemini");
    }
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
    if (out.script.empty() && !out.help) {
        return refuse("--script FILE is missing");
    }
    return out;
}

/// What a test wants to know of a request, without its key.
json record_of(const fake::recorded_request& request, std::size_t number) {
    json out = json::object();
    out["number"] = number;
    out["method"] = request.method;
    out["path"] = request.path;
    out["query"] = request.query;
    out["connection"] = request.connection;
    json headers = json::object();
    for (const ai::http_header& one : request.headers) {
        std::string name = one.name;
        for (char& c : name) {
            c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
        headers[name] = name == "x-goog-api-key" || name == "authorization" ? "***" : one.value;
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

/// The value of `key=`, which does not belong into a URL.
std::string key_in(std::string_view query) {
    while (!query.empty()) {
        const std::string_view one = query.substr(0, query.find('&'));
        if (one.starts_with("key=")) {
            return std::string(one.substr(4));
        }
        query.remove_prefix(std::min(one.size() + 1, query.size()));
    }
    return {};
}

/// The record as a line, without the key wherever the client has put it.
std::string line_of(const fake::recorded_request& request, std::size_t number) {
    std::string line = ai::dump_json(record_of(request, number)) + "\n";
    for (const std::string& key : {request.header("x-goog-api-key"), key_in(request.query)}) {
        for (std::size_t at = 0; key.size() > 3 && (at = line.find(key, at)) != std::string::npos; at += 3) {
            line.replace(at, key.size(), "***");
        }
    }
    return line;
}

/// Writes requests down, and counts those that went wrong. The emulator calls it one request at a time.
class clerk {
public:
    [[nodiscard]] bool open(const std::string& path) {
        file_ = path.empty() ? nullptr : std::fopen(path.c_str(), "w");
        return path.empty() || file_ != nullptr;
    }
    ~clerk() {
        if (file_ != nullptr) {
            std::fclose(file_);
        }
    }
    clerk() = default;
    clerk(const clerk&) = delete;
    clerk& operator=(const clerk&) = delete;

    void note(const fake::recorded_request& request) {
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
    void note_unanswered() { ++unanswered_; }

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

volatile std::sig_atomic_t told_to_end = 0;

/// From here on SIGINT and SIGTERM mean the end, also those that arrive before anybody waits for it. Every other thread blocks them.
class end_signals {
public:
    end_signals() {
        struct sigaction action = {};
        action.sa_handler = [](int) { told_to_end = 1; };
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

    /// Sleeps until a signal, or the end of standard input when that counts.
    void wait(bool until_eof) const {
        while (told_to_end == 0) {
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

int summarize(const clerk& book, std::size_t left) {
    std::string sentence = ai::detail::counted(static_cast<std::int64_t>(book.received()), "request");
    if (book.refused() > 0) {
        sentence += ", " + std::to_string(book.refused()) + " refused";
    }
    if (book.unanswered() > 0) {
        sentence += ", " + std::to_string(book.unanswered()) + " after the last reply";
    }
    if (left > 0) {
        sentence += ", " + std::to_string(left) + (left == 1 ? " reply" : " replies") + " left over";
    }
    return complain(sentence, book.refused() + book.unanswered() > 0 ? refused : fine);
}

}  // namespace

int emulate(std::span<char* const> arguments) {
    const ai::result<emulation> chosen = parse(arguments);
    if (!chosen) {
        return complain(chosen.error(), wrong_usage);
    }
    if (chosen->help) {
        std::fputs(usage, stdout);
        return std::fflush(stdout) == 0 ? fine : error;
    }
    ai::result<fake::gemini_script> script = fake::read_gemini_script(chosen->script);
    if (!script) {
        return complain(script.error(), wrong_usage);
    }
    const end_signals signals;
    clerk book;
    if (!book.open(chosen->record)) {
        return complain(chosen->record + " cannot be written: " + std::strerror(errno), error);
    }
    fake::gemini_emulator_options options;
    options.service = script->service;
    options.service.profile = chosen->profile ? chosen->profile : script->service.profile;
    options.strict = !chosen->lenient;
    options.port = chosen->port;
    options.on_request = [&book](const fake::recorded_request& request) { book.note(request); };
    fake::gemini_emulator service(std::move(options));
    if (service.port() == 0) {
        return complain("port " + std::to_string(chosen->port) + " cannot be listened on. Choose another, or leave --port out.", error);
    }
    for (fake::gemini_reply& one : script->replies) {
        service.enqueue(std::move(one));
    }
    service.otherwise([&book, &script](const fake::recorded_request&) {
        if (script->otherwise) {
            return *script->otherwise;
        }
        book.note_unanswered();
        return fake::gemini_reply::error(500, "INTERNAL", "The emulator's script is over.");
    });
    std::printf("%s\n", service.base_url().c_str());
    if (std::fflush(stdout) != 0) {
        return complain("standard output cannot be written", error);
    }
    signals.wait(chosen->until_eof);
    const int how = summarize(book, service.replies_left());
    return book.lost() ? complain(chosen->record + " could not be written in full", error) : how;
}

}  // namespace repl
