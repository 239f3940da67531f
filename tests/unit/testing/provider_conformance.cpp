#include <pyaichat/testing/provider_conformance.hpp>

#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

using namespace std::chrono_literals;
namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace {

using situation = fake::provider_situation;
using outcome = ai::result<ai::model_response>;

/// A provider that keeps to everything, as a function: each mutant is this with one thing wrong.
struct good_provider {
    situation meets = situation::answers;
    std::shared_ptr<std::atomic<std::size_t>> asked = {};

    outcome operator()(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel) const {
        ++*asked;
        if (meets == situation::unavailable) {
            return ai::failure{.code = ai::errc::unavailable, .message = "status 503"};
        }
        if (meets == situation::hangs || meets == situation::hangs_past_time) {
            std::mutex mutex;
            std::condition_variable_any tripped;
            std::unique_lock lock(mutex);
            const bool timed = request.time_left != ai::duration::max();
            tripped.wait_for(lock, cancel, timed ? request.time_left : ai::duration(1h), [] { return false; });
            return ai::failure{.code = timed ? ai::errc::timeout : ai::errc::cancelled, .message = "waited"};
        }
        if (meets == situation::calls && request.messages.back().parts[0].as<ai::response_part>() == nullptr) {
            return fake::call("weather", {{"place", "Oslo"}}, "call-1")(request, sink, cancel);
        }
        return fake::stream({"It is ", "sunny."})(request, sink, cancel);
    }
};

using mutation = std::function<outcome(const good_provider&, const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&)>;

struct mutated {
    outcome complete(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel) const {
        return change(good, request, sink, cancel);
    }
    good_provider good = {};
    mutation change = {};
};

fake::conformance_report judge(const mutation& change, ai::duration patience = 10s) {
    const auto asked = std::make_shared<std::atomic<std::size_t>>(0);
    fake::provider_subject subject;
    subject.make = [=](situation meets) {
        *asked = 0;
        return std::optional<ai::any_provider>(mutated{.good = {.meets = meets, .asked = asked}, .change = change});
    };
    subject.attempts = [=] { return asked->load(); };
    subject.patience = patience;
    return fake::check_provider(subject);
}

/// The good one's response, with something changed.
template <class Change>
mutation with(Change change) {
    return
        [change](const good_provider& good, const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel) {
            outcome made = good(request, sink, cancel);
            if (made) {
                change(*made);
            }
            return made;
        };
}

void rejects(const std::string& check, const mutation& change, ai::duration patience = 10s) {
    const fake::conformance_report report = judge(change, patience);
    INFO(check << "\n" << report.text());
    CHECK(report.rejects(check));
}

ai::call_part& call_in(ai::model_response& response) {
    return std::get<ai::call_part>(response.candidates[0].content.parts[0].content);
}

bool has_call(const ai::model_response& response) {
    return response.candidates[0].content.has_calls();
}

}  // namespace

TEST_CASE("a provider that keeps to everything passes") {
    const fake::conformance_report report =
        judge([](const good_provider& good, const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel) {
            return good(request, sink, cancel);
        });
    INFO(report.text());
    CHECK(report.ok());
    CHECK(report.passed.size() == 11);
    CHECK(report.skipped.empty());
}

TEST_CASE("what cannot be set up is skipped, and said to be") {
    fake::provider_subject subject;
    subject.make = [](situation meets) {
        return meets == situation::answers ? std::optional<ai::any_provider>(mutated{
                                                 .good = {.asked = std::make_shared<std::atomic<std::size_t>>(0)},
                                                 .change = [](const good_provider& good, const auto&... rest) { return good(rest...); }})
                                           : std::nullopt;
    };
    const fake::conformance_report report = fake::check_provider(subject);
    CHECK(report.ok());
    CHECK(report.skipped.size() == 6);
    CHECK(fake::check_provider({}).skipped.size() == 10);
}

TEST_CASE("providers with a wrong answer are rejected") {
    const char* answers = "answers with a text";
    rejects(answers, with([](ai::model_response& made) { made.candidates.clear(); }));
    rejects(answers, with([](ai::model_response& made) { made.candidates[0].content.role = ai::role::user; }));
    rejects(answers, with([](ai::model_response& made) { made.candidates[0].finish = ai::finish_reason::unknown; }));
    rejects(answers, with([](ai::model_response& made) { made.candidates[0].content.parts = {ai::text_part{.text = " "}}; }));
    rejects(answers,
            with([](ai::model_response& made) { made.candidates[0].content.parts.emplace_back(ai::call_part{.name = "weather"}); }));
    rejects(answers, with([](ai::model_response& made) { made.usage.output_tokens = -1; }));
    rejects(answers, with([](ai::model_response& made) { made.prompt_block = "SAFETY"; }));
    rejects(answers, [](const good_provider&, const auto&, const auto&, const auto&) -> outcome { throw std::runtime_error("broken"); });
    rejects("shows what it answers, or nothing",
            with([](ai::model_response& made) { made.candidates[0].content.parts = {ai::text_part{.text = "another"}}; }));
    rejects("shows what it answers, or nothing", [](const good_provider& good, const auto& request, const auto& sink, const auto& cancel) {
        sink.text("a first try");  // and not withdrawn
        return good(request, sink, cancel);
    });
}

TEST_CASE("providers with wrong calls are rejected") {
    const auto changed = [](auto change) {
        return with([change](ai::model_response& made) {
            if (has_call(made)) {
                change(made);
            }
        });
    };
    const char* calls = "calls what was declared";
    rejects(calls, changed([](ai::model_response& made) { call_in(made).name = "wether"; }));
    rejects(calls, changed([](ai::model_response& made) { call_in(made).arguments = R"({"place": "Oslo"})"; }));
    rejects(calls,
            changed([](ai::model_response& made) { made.candidates[0].content.parts.push_back(made.candidates[0].content.parts[0]); }));
    rejects(calls, changed([](ai::model_response& made) { made.candidates[0].checks.emplace_back(); }));
    rejects(calls, changed([](ai::model_response& made) { made.candidates[0].finish = ai::finish_reason::length; }));
    rejects(calls, changed([](ai::model_response& made) { made.candidates[0].content = ai::model_message("I would call `weather`."); }));
}

TEST_CASE("providers that refuse a legal history are rejected") {
    rejects("takes back what its model has said",
            [](const good_provider& good, const ai::model_request& request, const auto& sink, const auto& cancel) -> outcome {
                if (request.messages.back().parts[0].as<ai::response_part>() != nullptr) {
                    return ai::failure{.code = ai::errc::request_rejected, .message = "a role that I do not know"};
                }
                return good(request, sink, cancel);
            });
    rejects("reads what other providers wrote",
            [](const good_provider& good, const ai::model_request& request, const auto& sink, const auto& cancel) -> outcome {
                for (const ai::message& one : request.messages) {
                    if (one.wire && one.wire->provider != "mine") {
                        return ai::failure{.code = ai::errc::internal, .message = "not my form"};
                    }
                }
                return good(request, sink, cancel);
            });
}

TEST_CASE("providers that fail in the wrong way are rejected") {
    const auto failing = [](ai::failure with) {
        return [with](const good_provider& good, const ai::model_request& request, const ai::delta_sink& sink,
                      const ai::cancel_token& cancel) {
            outcome made = good(request, sink, cancel);
            return good.meets == situation::unavailable ? outcome(with) : made;
        };
    };
    const char* unavailable = "tells that its service is unavailable";
    rejects(unavailable, failing({.code = ai::errc::internal, .message = "?"}));
    rejects(unavailable, failing({.code = ai::errc::cancelled, .message = "?"}));
    rejects(unavailable, failing({.code = ai::errc::unavailable}));
    rejects(unavailable, failing({.code = ai::errc::unavailable, .message = "?", .retry_after = -1s}));
    rejects(unavailable, [](const good_provider& good, const auto& request, const auto& sink, const auto& cancel) {
        outcome made = good(request, sink, cancel);
        return made ? made : outcome(fake::response_of(ai::model_message("Sorry, the service is down.")));
    });
    rejects("makes one attempt, and leaves retries to the loop",
            [](const good_provider& good, const auto& request, const auto& sink, const auto& cancel) {
                outcome made = good(request, sink, cancel);
                return made || good.meets != situation::unavailable ? made : good(request, sink, cancel);
            });
}

TEST_CASE("providers that forget the time, the token or other threads are rejected") {
    // The suite leaves them behind; the token of this test lets them go.
    ai::cancel_source let_go;
    const auto deaf = [token = let_go.get_token()](const good_provider& good, const ai::model_request& request, const ai::delta_sink& sink,
                                                   const ai::cancel_token&) { return good(request, sink, token); };
    rejects("returns when its token is tripped", deaf, 300ms);
    rejects(
        "keeps to the time that is left",
        [token = let_go.get_token()](const good_provider& good, ai::model_request request, const ai::delta_sink& sink,
                                     const ai::cancel_token&) {
            request.time_left = ai::duration::max();
            return good(request, sink, token);
        },
        300ms);
    rejects("keeps to the time that is left", [](const good_provider& good, const auto& request, const auto& sink, const auto& cancel) {
        outcome made = good(request, sink, cancel);
        return good.meets == situation::hangs_past_time ? outcome(ai::failure{.code = ai::errc::unavailable, .message = "?"}) : made;
    });
    let_go.request_stop();
    const auto inside = std::make_shared<std::atomic<int>>(0);
    rejects("may be asked from several threads at once",
            [inside](const good_provider& good, const auto& request, const auto& sink, const auto& cancel) -> outcome {
                if (++*inside % 5 == 4) {
                    return ai::failure{.code = ai::errc::busy, .message = "one at a time"};
                }
                return good(request, sink, cancel);
            });
    const auto kept = std::make_shared<std::pair<std::mutex, ai::delta_sink>>();
    rejects("shows nothing after it has returned",
            [kept](const good_provider& good, const auto& request, const ai::delta_sink& sink, const auto& cancel) {
                ai::delta_sink before;
                {
                    const std::lock_guard lock(kept->first);
                    before = std::exchange(kept->second, sink);
                }
                before.text("late");
                return good(request, sink, cancel);
            });
}
