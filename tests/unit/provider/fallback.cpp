#include <pyaichat/provider/fallback.hpp>

#include <pyaichat/provider/any_provider.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

#include <array>
#include <stdexcept>

using namespace std::chrono_literals;
namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace {

/// What a sink was shown, with "<" for a withdrawal.
struct screen {
    std::string text = {};
    ai::delta_sink sink() {
        return ai::delta_sink([this](ai::delta_sink::kind what, std::string_view piece) {
            text += what == ai::delta_sink::kind::restart ? "<" : std::string(piece);
        });
    }
};

fake::scripted_reply show_then_fail(std::string piece, ai::errc code) {
    return [=](const ai::model_request&, const ai::delta_sink& sink, const ai::cancel_token&) -> ai::result<ai::model_response> {
        if (!piece.empty()) {
            sink.text(piece);
        }
        return ai::failure{.code = code, .message = "scripted"};
    };
}

std::string text_of(const ai::result<ai::model_response>& outcome) {
    return outcome ? outcome->candidates[0].content.text() : std::string(to_string(outcome.error().code));
}

/// Takes the schema of an answer, unless it is empty.
struct schema_provider : ai::no_provider {
    explicit schema_provider(bool answer) : takes(answer) {}
    [[nodiscard]] bool takes_answer_schema(const ai::json& schema) const { return takes && !schema.empty(); }
    bool takes;
};

}  // namespace

TEST_CASE("the next provider is asked when one fails with a code for which another may help") {
    for (const ai::errc code : {ai::errc::internal, ai::errc::timeout, ai::errc::connection_failed, ai::errc::rate_limited,
                                ai::errc::quota_exhausted, ai::errc::unavailable, ai::errc::authentication, ai::errc::permission_denied,
                                ai::errc::unknown_model, ai::errc::request_rejected, ai::errc::bad_response, ai::errc::too_large}) {
        ai::fallback both{fake::scripted_provider{fake::fail(code)}, fake::scripted_provider{fake::say("second")}};
        CHECK(text_of(both.complete({}, {}, {})) == "second");
    }
    for (const ai::errc code : {ai::errc::cancelled, ai::errc::invalid_argument, ai::errc::not_allowed}) {
        fake::scripted_provider spare{fake::say("second")};
        ai::fallback both{fake::scripted_provider{fake::fail(code)}, ai::borrow(spare)};
        CHECK(text_of(both.complete({}, {}, {})) == to_string(code));
        CHECK(spare.request_count() == 0);
    }
}

TEST_CASE("the first provider's response is taken, and the others are not asked") {
    fake::scripted_provider spare;
    ai::fallback both{fake::scripted_provider{fake::stream({"a", "b"})}, ai::borrow(spare)};
    screen seen;
    CHECK(text_of(both.complete({}, seen.sink(), {})) == "ab");
    CHECK(seen.text == "ab");
    CHECK(spare.request_count() == 0);
}

TEST_CASE("what a failed provider has shown is withdrawn, and nothing is when it has shown nothing") {
    screen seen;
    ai::fallback both{
        fake::scripted_provider{show_then_fail("half", ai::errc::connection_failed), show_then_fail("", ai::errc::unavailable)},
        fake::scripted_provider{fake::stream({"who", "le"}), fake::stream({"x"})}};
    CHECK(both.complete({}, seen.sink(), {}));
    CHECK(seen.text == "half<whole");
    seen.text.clear();
    CHECK(both.complete({}, seen.sink(), {}));
    CHECK(seen.text == "x");
}

TEST_CASE("what a provider shows after it has failed is not seen any more") {
    ai::delta_sink kept;
    fake::scripted_provider forgetful{
        [&](const ai::model_request&, const ai::delta_sink& sink, const ai::cancel_token&) -> ai::result<ai::model_response> {
            kept = sink;
            return ai::failure{.code = ai::errc::unavailable};
        }};
    screen seen;
    ai::fallback both{ai::borrow(forgetful),
                      fake::scripted_provider{[&](const ai::model_request&, const ai::delta_sink& sink, const ai::cancel_token&) {
                          kept.text("late");
                          sink.text("good");
                          return ai::result<ai::model_response>(fake::response_of(ai::model_message("good")));
                      }}};
    CHECK(both.complete({}, seen.sink(), {}));
    CHECK(seen.text == "good");
}

TEST_CASE("a later provider has the time that the earlier ones have left") {
    const auto spends = [](ai::duration span) {
        return [span](const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&) -> ai::result<ai::model_response> {
            const auto until = std::chrono::steady_clock::now() + span;
            while (std::chrono::steady_clock::now() < until) {
            }
            return ai::failure{.code = ai::errc::unavailable};
        };
    };
    fake::scripted_provider second{fake::say("second")};
    ai::fallback both{fake::scripted_provider{spends(2ms), spends(2ms), spends(0ms)}, ai::borrow(second)};
    ai::model_request request;
    request.time_left = 1h;
    CHECK(both.complete(request, {}, {}));
    CHECK(second.requests().back().time_left <= 1h - 2ms);
    CHECK(second.requests().back().time_left > 59min);
    request.time_left = 1ms;
    CHECK(text_of(both.complete(request, {}, {})) == "unavailable");  // nothing was left
    CHECK(second.request_count() == 1);
    second.add(fake::say("again"));
    CHECK(both.complete({}, {}, {}));
    CHECK(second.requests().back().time_left == ai::duration::max());
}

TEST_CASE("a provider that hangs has its share of the time, and leaves theirs to the others") {
    fake::scripted_provider first{fake::fail(ai::errc::timeout)};
    fake::scripted_provider second{fake::fail(ai::errc::timeout)};
    fake::scripted_provider third{fake::say("third")};
    ai::fallback all{ai::borrow(first), ai::borrow(second), ai::borrow(third)};
    ai::model_request request;
    request.time_left = 9h;
    CHECK(all.complete(request, {}, {}));
    CHECK(first.requests().back().time_left <= 3h);
    CHECK(first.requests().back().time_left > 2h);
    CHECK(second.requests().back().time_left > 4h);
    CHECK(third.requests().back().time_left > 8h);
}

TEST_CASE("a tripped token ends it before the next provider is asked") {
    ai::cancel_source stop;
    fake::scripted_provider spare{fake::say("second")};
    ai::fallback both{fake::scripted_provider{
                          [&](const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&) -> ai::result<ai::model_response> {
                              stop.request_stop();
                              return ai::failure{.code = ai::errc::connection_failed};
                          }},
                      ai::borrow(spare)};
    CHECK(text_of(both.complete({}, {}, stop.get_token())) == "cancelled");
    CHECK(text_of(both.complete({}, {}, stop.get_token())) == "cancelled");
    CHECK(spare.request_count() == 0);
}

TEST_CASE("when all fail, the failure is the one that time mends soonest, and the message tells of all") {
    const auto both = [](fake::scripted_reply first, fake::scripted_reply second) {
        return ai::fallback{fake::scripted_provider{std::move(first)}, fake::scripted_provider{std::move(second)}}
            .complete({}, {}, {})
            .error();
    };
    const ai::failure mixed = both(fake::fail(ai::errc::authentication), fake::fail(ai::errc::rate_limited, 3s));
    CHECK(mixed.code == ai::errc::rate_limited);
    CHECK(mixed.retry_after == 3s);
    CHECK(mixed.message == "provider 1: authentication: scripted: authentication; provider 2: rate_limited: scripted: rate_limited");
    CHECK(both(fake::fail(ai::errc::rate_limited, 9s), fake::fail(ai::errc::rate_limited, 3s)).retry_after == 3s);
    CHECK(both(fake::fail(ai::errc::rate_limited, 9s), fake::fail(ai::errc::unavailable)).code == ai::errc::unavailable);
    CHECK(both(fake::fail(ai::errc::authentication), fake::fail(ai::errc::unknown_model)).code == ai::errc::authentication);
    CHECK(ai::fallback{fake::scripted_provider{fake::fail(ai::errc::timeout)}}.complete({}, {}, {}).error().message == "scripted: timeout");
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("a provider that throws is followed by the next") {
    ai::fallback both{
        fake::scripted_provider{[](const ai::model_request&, const ai::delta_sink&,
                                   const ai::cancel_token&) -> ai::result<ai::model_response> { throw std::runtime_error("broken"); }},
        fake::scripted_provider{fake::say("second")}};
    CHECK(text_of(both.complete({}, {}, {})) == "second");
}
#endif

TEST_CASE("it takes the schema of an answer if all of its providers do") {
    const ai::json schema = ai::json::object({{"type", "object"}});
    ai::fallback both{schema_provider{true}, ai::any_provider(schema_provider{true})};
    CHECK(both.takes_answer_schema(schema));
    CHECK_FALSE(ai::fallback{schema_provider{true}, schema_provider{false}}.takes_answer_schema(schema));
    CHECK_FALSE(ai::fallback{schema_provider{true}, ai::no_provider{}}.takes_answer_schema(schema));
    const ai::any_provider lent = ai::borrow(both);
    CHECK(lent.takes_answer_schema(schema));
    CHECK_FALSE(lent.takes_answer_schema(ai::json::object()));
}

TEST_CASE("it holds providers of any kind, and knows when one of them is lent") {
    fake::scripted_provider mine{fake::say("mine")};
    ai::fallback nested{ai::any_provider(), ai::fallback{ai::no_provider{}, ai::any_provider(ai::borrow(mine))}};
    CHECK(nested.lent());
    CHECK_FALSE(ai::fallback{ai::no_provider{}}.lent());
    ai::any_provider erased = std::move(nested);
    CHECK(erased.lent());
    CHECK(text_of(erased.complete({}, {}, {})) == "mine");
}
