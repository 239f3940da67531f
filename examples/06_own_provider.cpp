// A provider for a made-up service (toy_service.hpp), in the blocking and in the asynchronous form.
//
//     06_own_provider          asks a question through each provider
//     06_own_provider check    runs the conformance suite on each provider
#include "toy_service.hpp"

#include <pyaichat/pyaichat.hpp>
#include <pyaichat/testing/provider_conformance.hpp>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

namespace {

// ---- the codec: encodes requests and decodes responses, without I/O

// [encode]
/// Encodes a message as a turn. The parrot's own messages are sent back unchanged; other messages are encoded from their parts.
ai::json turn_of(const ai::message& message) {
    if (message.wire && message.wire->provider == "parrot") {
        return message.wire->body;
    }
    ai::json turn = {{"who", message.role == ai::role::user ? "person" : "parrot"}, {"say", message.text()}};
    for (const ai::part& piece : message.parts) {
        if (const auto* call = piece.as<ai::call_part>()) {
            turn["calls"].push_back({{"name", call->name}, {"arguments", call->arguments}});
        } else if (const auto* reply = piece.as<ai::response_part>()) {
            turn["results"].push_back({{"name", reply->name}, {"result", reply->response}});
        }
    }
    return turn;
}

std::string encoded(const ai::model_request& request) {
    ai::json body = {{"manners", request.instructions}, {"turns", ai::json::array()}, {"functions", ai::json::array()}};
    for (const ai::message& message : request.messages) {
        body["turns"].push_back(turn_of(message));
    }
    for (const ai::capability_spec& spec : request.declarations) {
        body["functions"].push_back({{"name", spec.name}, {"about", spec.description}, {"schema", spec.parameters}});
    }
    return ai::dump_json(body);
}
// [/encode]

// [status]
/// Converts an error status to a failure. The loop decides from the code alone whether to retry.
ai::failure failure_of(std::int64_t status, const ai::json& line) {
    ai::failure error{.code = status == 401   ? ai::errc::authentication
                              : status == 404 ? ai::errc::unknown_model
                              : status == 429 ? ai::errc::rate_limited
                              : status >= 500 ? ai::errc::unavailable
                                              : ai::errc::request_rejected,
                      .message = "the parrot sent: " + ai::dump_json(line)};  // for the log; people read the hint
    if (status == 401) {
        error.hint = "The key is not valid. Set PARROT_KEY to a valid key.";
    }
    if (const ai::json* wait = ai::find_member(line, "wait")) {
        error.retry_after = std::chrono::duration_cast<ai::duration>(std::chrono::duration<double>(ai::as_number(*wait).value_or(0)));
    }
    return error;
}
// [/status]

// [decode]
/// Decodes the lines of one response, and streams its text.
class response_reader {
public:
    explicit response_reader(ai::delta_sink sink) : sink_(std::move(sink)) {}

    void read(std::string_view text) {
        const ai::result<ai::json> line = ai::parse_json(text);
        if (!line) {
            error_ = line.error();  // bad_response
        } else if (const auto status = ai::integer_member(*line, "status"); status && *status != 200) {
            error_ = failure_of(*status, *line);
        } else if (const auto say = ai::string_member(*line, "say")) {
            text_ += *say;
            sink_.text(*say);
        } else if (const ai::json* call = ai::find_member(*line, "call")) {
            turn_["calls"].push_back(*call);
            // Pass the call on unchanged, even if it is not valid: the loop validates it.
            const ai::json* arguments = ai::find_member(*call, "arguments");
            content_.parts.push_back(ai::call_part{.name = std::string(ai::string_member(*call, "name").value_or("")),
                                                   .arguments = arguments != nullptr ? *arguments : ai::json::object()});
        } else if (const auto feather = ai::string_member(*line, "feather")) {
            turn_["feather"] = std::string(*feather);
        } else if (const auto end = ai::string_member(*line, "end")) {
            end_ = *end;
        }
    }

    /// Call it after the last line.
    ai::result<ai::model_response> finish() && {
        if (error_) {
            return *std::move(error_);
        }
        if (end_.empty()) {
            return ai::failure{.code = ai::errc::connection_failed, .message = "the response is incomplete"};
        }
        if (!text_.empty()) {
            turn_["say"] = text_;
            content_.parts.insert(content_.parts.begin(), ai::text_part{.text = text_});
        }
        content_.wire = ai::wire_form{.provider = "parrot", .body = std::move(turn_)};
        ai::model_response response;
        response.candidates.push_back({.content = std::move(content_),
                                       .finish = end_ == "done"   ? ai::finish_reason::stop
                                                 : end_ == "full" ? ai::finish_reason::length
                                                                  : ai::finish_reason::unknown,
                                       .finish_text = end_});
        return response;
    }

private:
    ai::delta_sink sink_;
    ai::message content_{.role = ai::role::model};
    ai::json turn_ = {{"who", "parrot"}};
    std::string text_;
    std::string end_;
    std::optional<ai::failure> error_;
};
// [/decode]

// ---- the blocking form

// [blocking]
class parrot {
public:
    explicit parrot(std::shared_ptr<toy_service> service) : service_(std::move(service)) {}

    ai::result<ai::model_response> complete(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel) {
        const auto until = std::chrono::steady_clock::now() + std::min(request.time_left, ai::duration(1h));
        response_reader response(sink);
        for (const toy_line& line : service_->respond_to(encoded(request))) {
            if (!wait(line.after, until, cancel)) {
                return ai::failure{.code = cancel.stop_requested() ? ai::errc::cancelled : ai::errc::timeout,
                                   .message = "the parrot did not respond in time"};
            }
            response.read(line.text);
        }
        return std::move(response).finish();
    }

private:
    /// Waits for the next line. Returns false after the deadline or a cancellation.
    static bool wait(ai::duration span, std::chrono::steady_clock::time_point until, const ai::cancel_token& cancel) {
        const auto arrival = std::chrono::steady_clock::now() + span;
        std::mutex mutex;
        std::condition_variable_any tripped;
        std::unique_lock lock(mutex);
        tripped.wait_until(lock, cancel, std::min(arrival, until), [] { return false; });
        return !cancel.stop_requested() && arrival <= until;
    }

    std::shared_ptr<toy_service> service_;
};
// [/blocking]

// ---- the asynchronous form

/// A stub for the event loop of a network library: one thread that runs timers.
class event_loop {
public:
    void after(ai::duration span, ai::task work) {
        {
            const std::lock_guard lock(mutex_);
            timers_.emplace(std::chrono::steady_clock::now() + span, std::move(work));
        }
        changed_.notify_one();
    }

private:
    void work(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (!stop.stop_requested()) {
            const auto next = timers_.begin();
            if (next == timers_.end()) {
                changed_.wait(lock, stop, [&] { return !timers_.empty(); });
            } else if (const auto due = next->first; due > std::chrono::steady_clock::now()) {
                changed_.wait_until(lock, stop, due, [&] { return timers_.begin()->first < due; });
            } else {
                ai::task ready = std::move(next->second);
                timers_.erase(next);
                lock.unlock();
                ready();
                ready = {};
                lock.lock();
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::multimap<std::chrono::steady_clock::time_point, ai::task> timers_;
    std::jthread thread_{[this](const std::stop_token& stop) { work(stop); }};
};

// [async]
/// One attempt. The event loop keeps it alive until it has replied.
class exchange : public std::enable_shared_from_this<exchange> {
public:
    exchange(event_loop& loop, std::vector<toy_line> lines, ai::delta_sink sink, ai::model_reply responder)
        : loop_(loop), lines_(std::move(lines)), response_(std::move(sink)), responder_(std::move(responder)) {}

    void begin(ai::duration time_left, const ai::cancel_token& cancel) {
        on_cancel_.emplace(cancel, [self = weak_from_this()] {
            if (const auto attempt = self.lock()) {
                attempt->loop_.after(0s, [attempt] { attempt->end(ai::failure{.code = ai::errc::cancelled}); });
            }
        });
        loop_.after(time_left == ai::duration::max() ? ai::duration(1h) : time_left, [self = weak_from_this()] {
            if (const auto attempt = self.lock()) {
                attempt->end(ai::failure{.code = ai::errc::timeout, .message = "the parrot did not respond in time"});
            }
        });
        next();
    }

private:
    void next() {
        if (at_ == lines_.size()) {
            end(std::move(response_).finish());
            return;
        }
        loop_.after(lines_[at_].after, [self = shared_from_this()] {
            if (self->responder_) {
                self->response_.read(self->lines_[self->at_++].text);
                self->next();
            }
        });
    }

    void end(ai::result<ai::model_response> outcome) {
        if (responder_) {
            responder_(std::move(outcome));
        }
    }

    event_loop& loop_;
    std::vector<toy_line> lines_;
    std::size_t at_ = 0;
    response_reader response_;
    ai::model_reply responder_;
    std::optional<ai::cancel_callback<std::function<void()>>> on_cancel_;
};

class async_parrot {
public:
    async_parrot(event_loop& loop, std::shared_ptr<toy_service> service) : loop_(&loop), service_(std::move(service)) {}

    void start(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel, ai::model_reply responder) {
        std::make_shared<exchange>(*loop_, service_->respond_to(encoded(request)), sink, std::move(responder))
            ->begin(request.time_left, cancel);
    }

private:
    event_loop* loop_;  // must outlive every agent with this provider
    std::shared_ptr<toy_service> service_;
};
// [/async]

void ask(ai::any_provider provider) {
    ai::agent agent{
        std::move(provider),
        {ai::capability("weather", "The weather at a place.", [](std::string) { return "sunny"; }, ai::arg{"place", "which one"})}};
    const ai::answer reply =
        agent
            .ask("What is the weather in Oslo?",
                 ai::on{[](const ai::call_finished& call) { std::printf("[%s]\n", ai::describe_call(call.name, call.arguments).c_str()); },
                        [](const ai::text_delta& piece) { std::printf("%s|", piece.text.c_str()); }})
            .wait();
    std::printf("\n%s: %s\n", std::string(ai::to_string(reply.reason)).c_str(), reply.text.c_str());
}

// [conformance]
/// The suite asks for a provider for each situation. `toy_service` simulates the situation.
template <class MakeProvider>
bool conforms(const char* name, MakeProvider make) {
    const auto service = std::make_shared<std::shared_ptr<toy_service>>();
    fake::provider_subject subject;
    subject.make = [&](fake::provider_situation situation) -> std::optional<ai::any_provider> {
        *service = std::make_shared<toy_service>(situation);
        return ai::any_provider(make(*service));
    };
    subject.attempts = [service] { return (*service)->request_count(); };
    const fake::conformance_report report = fake::check_provider(subject);
    std::printf("%s\n%s\n", name, report.text().c_str());
    return report.ok();
}
// [/conformance]

}  // namespace

int main(int argc, char** argv) {
    event_loop loop;
    const auto blocking = [](std::shared_ptr<toy_service> service) { return parrot(std::move(service)); };
    const auto asynchronous = [&](std::shared_ptr<toy_service> service) { return async_parrot(loop, std::move(service)); };
    if (argc > 1 && std::string_view(argv[1]) == "check") {
        const bool blocking_conforms = conforms("blocking", blocking);
        return conforms("asynchronous", asynchronous) && blocking_conforms ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    ask(blocking(std::make_shared<toy_service>(fake::provider_situation::calls)));
    ask(asynchronous(std::make_shared<toy_service>(fake::provider_situation::calls)));
}
