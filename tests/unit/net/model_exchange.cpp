#include "net/model_exchange.hpp"

#include "catch.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ai = pyaichat;
namespace net = pyaichat::net;
using namespace std::chrono_literals;

namespace {

/// What a test wants the exchange of a service to do.
struct plan {
    bool streamed = true;
    ai::result<ai::http_request> request = ai::http_request{.body = "asked"};
    bool takes = true;
    std::string throws_in = {};
    ai::result<ai::model_response> read = ai::failure();
    std::optional<ai::errc> corrects = {};
};

class planned_exchange final : public net::model_exchange {
public:
    planned_exchange(plan& does, net::attempt_setup asked) : model_exchange(std::move(asked), "KEY"), plan_(does) {}
    bool streams() const noexcept override { return plan_.streamed; }
    using model_exchange::budget;

private:
    void may_throw([[maybe_unused]] const char* here) const {
#if PYAICHAT_HAS_EXCEPTIONS
        if (plan_.throws_in == here) {
            throw std::runtime_error(here);
        }
#endif
    }
    ai::result<ai::http_request> encode() override {
        may_throw("encode");
        return plan_.request;
    }
    bool feed(std::string_view) override {
        may_throw("feed");
        return plan_.takes;
    }
    ai::result<ai::model_response> end() override {
        may_throw("end");
        return plan_.read;
    }
    ai::result<ai::model_response> decode(std::string_view body) override {
        return body == "whole" ? plan_.read : ai::failure{.code = ai::errc::bad_response};
    }
    ai::result<ai::model_response> refusal(const ai::http_response& response) override {
        return ai::failure{.code = ai::errc::request_rejected, .message = std::to_string(response.status) + " for KEY"};
    }
    bool corrects(const ai::failure& error) override { return error.code == plan_.corrects; }

    plan& plan_;
};

struct scripted_transport {
    ai::result<ai::http_response> send(const ai::http_request&, const ai::cancel_token&) {
        ++*sent;
        return outcome;
    }
    ai::result<ai::http_response> stream(const ai::http_request& request, const ai::http_body_sink& sink, const ai::cancel_token& cancel) {
        return outcome && !sink("piece") ? ai::failure{.code = ai::errc::cancelled, .message = "stopped"} : send(request, cancel);
    }
    ai::result<ai::http_response> outcome = ai::http_response{.status = 200, .body = "whole"};
    std::shared_ptr<int> sent = std::make_shared<int>(0);
};

ai::result<ai::model_response> outcome_of(plan does, const scripted_transport& transport = {}) {
    return net::perform(transport, {.time_left = 10s}, {}, {},
                        [&](net::attempt_setup asked) { return planned_exchange(does, std::move(asked)); });
}

ai::model_response answer() {
    ai::candidate one;
    one.content = ai::model_message("fine");
    one.finish_message = "by KEY";
    return {.candidates = {one}};
}

}  // namespace

TEST_CASE("an attempt replies with its response, streamed or whole, without the key in its texts") {
    for (const bool streamed : {true, false}) {
        const auto outcome = outcome_of({.streamed = streamed, .read = answer()});
        REQUIRE(outcome);
        CHECK(outcome->candidates.at(0).finish_message == "by ***");
    }
}

TEST_CASE("each way in which an attempt fails has its failure") {
    scripted_transport transport;
    CHECK(outcome_of({.request = ai::failure{.code = ai::errc::invalid_argument}}, transport).error().code == ai::errc::invalid_argument);
    CHECK(*transport.sent == 0);
    // The stream was stopped: the failure is the reader's, not the transport's.
    CHECK(outcome_of({.takes = false, .read = ai::failure{.code = ai::errc::bad_response}}).error().code == ai::errc::bad_response);
    transport.outcome = ai::http_response{.status = 400};
    CHECK(outcome_of({}, transport).error().message == "400 for ***");
    transport.outcome = ai::failure{.code = ai::errc::timeout};
    CHECK(outcome_of({}, transport).error().hint == "The service did not answer in time.");
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("an exception anywhere in an attempt is its failure") {
    for (const char* where : {"encode", "feed", "end"}) {
        const auto outcome = outcome_of({.throws_in = where, .read = answer()});
        REQUIRE_FALSE(outcome);
        CHECK(outcome.error().code == ai::errc::internal);
        CHECK(outcome.error().message == "the attempt threw: " + std::string(where));
    }
}
#endif

TEST_CASE("a refusal that a changed request avoids is repeated once at once, and a started attempt asks the loop for it") {
    plan does{.read = ai::failure{.code = ai::errc::request_rejected, .message = "not so"}, .corrects = ai::errc::request_rejected};
    const scripted_transport transport;
    CHECK(outcome_of(does, transport).error().code == ai::errc::request_rejected);
    CHECK(*transport.sent == 2);
    std::optional<ai::result<ai::model_response>> replied;
    planned_exchange exchange(does, {.reply = ai::model_reply([&](ai::result<ai::model_response> got) { replied = std::move(got); })});
    ai::any_http_transport(transport).perform(exchange, {});
    REQUIRE(replied);
    CHECK(replied->error().code == ai::errc::unavailable);
    CHECK(replied->error().retry_after == ai::duration::zero());
    CHECK(replied->error().message == "not so");
}

TEST_CASE("an attempt that its transport destroys has an outcome too") {
    plan does;
    std::optional<ai::result<ai::model_response>> replied;
    {
        const planned_exchange dropped(does,
                                       {.reply = ai::model_reply([&](ai::result<ai::model_response> got) { replied = std::move(got); })});
    }
    REQUIRE(replied);
    CHECK(replied->error().code == ai::errc::invalid_state);
}

TEST_CASE("the budget of an attempt ends with its time, and with its cancellation") {
    plan does;
    const auto interruption = [&](ai::duration time_left, const ai::cancel_token& cancel) {
        const planned_exchange one(does, {.request = {.time_left = time_left}, .cancel = cancel});
        const std::optional<ai::failure> stopped = one.budget().interrupted();
        return stopped ? std::string(to_string(stopped->code)) : std::string("goes on");
    };
    ai::cancel_source stop;
    stop.request_stop();
    CHECK(interruption(10s, {}) == "goes on");
    CHECK(interruption(ai::duration::max(), {}) == "goes on");
    CHECK(interruption(0s, {}) == "timeout");
    CHECK(interruption(10s, stop.get_token()) == "cancelled");
}
