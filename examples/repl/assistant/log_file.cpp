#include "assistant/log_file.hpp"

#include "assistant/json_report.hpp"
#include "assistant/secrets.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

namespace repl {

namespace {

using ai::json;

/// Writes the members of each kind of event.
struct log_data {
    json& out;

    void operator()(const ai::run_started& data) const { out["question"] = data.question; }
    void operator()(const ai::step_started& data) const { out["step"] = data.step; }
    void operator()(const ai::text_delta& data) const {
        out["step"] = data.step;
        out["text"] = data.text;
    }
    void operator()(const ai::thought_delta& data) const { out["step"] = data.step; }
    void operator()(const ai::step_withdrawn& data) const {
        out["step"] = data.step;
        out["why"] = data.why;
    }
    void operator()(const ai::partial_value& data) const {
        out["step"] = data.step;
        out["value"] = data.value;
    }
    void operator()(const ai::calls_proposed& data) const {
        out["step"] = data.step;
        out["calls"] = data.calls.size();
    }
    void operator()(const ai::call_denied& data) const {
        call(data.step, data.call, data.name);
        out["arguments"] = data.arguments;
        out["reply"] = data.reply.envelope();
    }
    void operator()(const ai::call_started& data) const {
        call(data.step, data.call, data.name);
        out["arguments"] = data.arguments;
    }
    void operator()(const ai::call_output& data) const {
        out["call"] = data.call;
        out["text"] = data.text;
    }
    void operator()(const ai::call_finished& data) const {
        call(data.step, data.call, data.name);
        out["reply"] = data.reply.envelope();
        out["ms"] = milliseconds(data.took);
    }
    void operator()(const ai::retry_scheduled& data) const {
        out["step"] = data.step;
        out["retry"] = data.retry;
        out["delay_ms"] = milliseconds(data.delay);
        out["why"] = data.why;
    }
    void operator()(const ai::usage_updated& data) const {
        out["input_tokens"] = data.usage.input_tokens;
        out["output_tokens"] = data.usage.output_tokens;
        out["cost_dollars"] = in_dollars(data.cost);
    }
    void operator()(const ai::step_finished& data) const { out["step"] = data.step; }
    void operator()(const ai::run_finished& data) const { out["reason"] = std::string(to_string(data.reason)); }

private:
    void call(int step, std::uint64_t number, const std::string& name) const {
        out["step"] = step;
        out["call"] = number;
        out["name"] = name;
    }
};

}  // namespace

log_file::~log_file() {
    if (file_ >= 0) {
        ::close(file_);
    }
}

ai::result<void> log_file::open(const std::string& path, std::vector<std::string> secrets) {
    file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file_ < 0) {
        return ai::failure{.code = ai::errc::not_found, .message = "cannot write the log " + path + ": " + std::strerror(errno)};
    }
    path_ = path;
    for (std::string& secret : secrets) {
        // The file contains JSON strings, so search for the escaped form of the secret.
        const std::string escaped = ai::dump_json(json(secret));
        secrets_.push_back(escaped.substr(1, escaped.size() - 2));
    }
    return {};
}

void log_file::write(const ai::event& happened) {
    if (file_ < 0) {
        return;
    }
    json out = json::object();
    out["unix_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    out["run"] = happened.run_id;
    out["number"] = happened.number;
    out["event"] = std::string(event_name(happened));
    std::visit(log_data{out}, happened.data);
    std::string line = ai::dump_json(out);
    for (const std::string& secret : secrets_) {
        redact(line, secret);
    }
    line += '\n';
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t wrote = ::write(file_, rest.data(), rest.size());
        if (wrote > 0) {
            rest.remove_prefix(static_cast<std::size_t>(wrote));
        } else if (wrote == 0 || errno != EINTR) {
            if (gap_.empty()) {  // report the failure, but do not end the conversation
                gap_ = "cannot write the log " + path_ + ": " + std::strerror(errno);
            }
            return;
        }
    }
}

}  // namespace repl
