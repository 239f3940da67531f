#include <pyaichat/policy/any_http_transport.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

namespace {

struct counting_transport {
    std::unique_ptr<int> exchanges = std::make_unique<int>(0);

    ai::result<ai::http_response> send(const ai::http_request& request, const ai::cancel_token&) {
        return ai::http_response{.status = ++*exchanges, .body = request.body};
    }
    ai::result<ai::http_response> stream(const ai::http_request& request, const ai::http_body_sink& sink, const ai::cancel_token& cancel) {
        if (cancel.stop_requested() || !sink(request.body)) {
            return ai::failure{.code = ai::errc::cancelled};
        }
        return ai::http_response{.status = ++*exchanges};
    }
};

}  // namespace

TEST_CASE("a transport of any type does what the transport in it does, and copies share it") {
    ai::any_http_transport one{counting_transport()};
    const ai::any_http_transport other = one;
    CHECK(one.send({.body = "sent"}, {})->body == "sent");
    std::string shown;
    const auto streamed = other.stream({.body = "shown"},
                                       [&](std::string_view piece) {
                                           shown += piece;
                                           return true;
                                       },
                                       {});
    REQUIRE(streamed);
    CHECK(streamed->status == 2);
    CHECK(shown == "shown");
    CHECK_FALSE(one.stream({}, [](std::string_view) { return false; }, {}));
}
