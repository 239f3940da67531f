#include <pyaichat/policy/async_http_transport.hpp>

#include "catch.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace async_http_transport_tests {

namespace {

namespace ai = pyaichat;

/// The smallest transport: answers every request at once with its own body.
struct echo {
    void start(std::unique_ptr<ai::http_exchange> exchange, const ai::cancel_token& cancel) {
        if (cancel.stop_requested()) {
            return exchange->finish(ai::failure{.code = ai::errc::cancelled, .message = "cancelled"});
        }
        ai::result<ai::http_request> request = exchange->request();
        if (!request) {
            return exchange->finish(request.error());
        }
        ai::http_response response{.status = 200};
        if (!exchange->streams()) {
            response.body = std::move(request->body);
        } else if (!exchange->take(request->body)) {
            return exchange->finish(ai::failure{.code = ai::errc::cancelled, .message = "stopped"});
        }
        exchange->finish(std::move(response));
    }
};
static_assert(ai::async_http_transport<echo>);

struct without_cancel {
    void start(std::unique_ptr<ai::http_exchange>);
};
static_assert(!ai::async_http_transport<without_cancel>);

struct blocking {
    ai::result<void> start(std::unique_ptr<ai::http_exchange>, const ai::cancel_token&);
};
static_assert(!ai::async_http_transport<blocking>);

struct question final : ai::http_exchange {
    question(bool wants_stream, std::string& to_stream, std::optional<ai::result<ai::http_response>>& to_outcome)
        : streamed(wants_stream), pieces(to_stream), outcome(to_outcome) {}
    ai::result<ai::http_request> request() override { return ai::http_request{.body = "ping"}; }
    bool streams() const noexcept override { return streamed; }
    bool take(std::string_view piece) override {
        pieces += piece;
        return true;
    }
    void finish(ai::result<ai::http_response> end) override { outcome = std::move(end); }

    bool streamed;
    std::string& pieces;
    std::optional<ai::result<ai::http_response>>& outcome;
};

}  // namespace

TEST_CASE("an exchange gets its response whole, or in pieces") {
    for (const bool streamed : {false, true}) {
        std::string pieces;
        std::optional<ai::result<ai::http_response>> outcome;
        echo().start(std::make_unique<question>(streamed, pieces, outcome), {});
        REQUIRE(outcome);
        REQUIRE(outcome->has_value());
        CHECK((*outcome)->body == (streamed ? "" : "ping"));
        CHECK(pieces == (streamed ? "ping" : ""));
    }
}

TEST_CASE("an exchange that is cancelled before it starts makes no request") {
    std::string pieces;
    std::optional<ai::result<ai::http_response>> outcome;
    ai::cancel_source source;
    source.request_stop();
    echo().start(std::make_unique<question>(true, pieces, outcome), source.get_token());
    REQUIRE(outcome);
    CHECK(outcome->error().code == ai::errc::cancelled);
    CHECK(pieces.empty());
}

}  // namespace async_http_transport_tests
