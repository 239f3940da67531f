#include <pyaichat/message/history.hpp>

#include <pyaichat/gemini/codec.hpp>
#include <pyaichat/testing/gemini_request_checker.hpp>

#include "catch.hpp"
#include "random_history.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

TEST_CASE("a strict service takes any history that was repaired, with a question behind it") {
    ai::model_request request;
    request.declarations = *ai::declare({{.name = "f", .description = "F."}, {.name = "g", .description = "G."}});
    int with_replies = 0;
    for (unsigned seed = 0; seed < 1'000; ++seed) {
        std::mt19937 random(seed);
        ai::conversation history = support::random_history(random);
        history.push_back(ai::user_message("What now?"));
        request.messages = ai::repair_history(history);
        REQUIRE(request.messages.back().role == ai::role::user);
        const ai::result<std::string> body = ai::gemini_codec::encode_request(request);
        REQUIRE(body);
        if (const auto refused =
                fake::check_gemini_request("POST", "/v1beta/models/gemini-3.8-flash:generateContent",
                                           {{"x-goog-api-key", "test-key"}, {"Content-Type", "application/json"}}, *body)) {
            FAIL("seed " << seed << ": " << refused->message() << "\n" << *body);
        }
        with_replies += body->find("functionResponse") != std::string::npos ? 1 : 0;
    }
    CHECK(with_replies > 100);
}
