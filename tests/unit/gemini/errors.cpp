#include "gemini/errors.hpp"

#include <pyaichat/gemini/codec.hpp>
#include <pyaichat/testing/gemini_request_checker.hpp>

#include "catch.hpp"

#include <string>
#include <vector>

namespace ai = pyaichat;
namespace codec = pyaichat::gemini_codec;
using namespace std::chrono_literals;

namespace {

const codec::advice names = {.model = "gemini-9", .key_variable = "MY_KEY", .model_variable = "MY_MODEL"};

ai::failure decode(int status, std::string_view body, std::vector<ai::http_header> headers = {}) {
    return codec::decode_error(status, body, headers, names, std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + 22h);
}

std::string body(int code, const char* status, const char* message, const char* details = "[]") {
    return ai::dump_json(ai::testing::gemini_error_body(code, status, message, *ai::parse_json(details)));
}

}  // namespace

TEST_CASE("each status has its code, and a plain sentence for a person") {
    struct expectation {
        int status;
        const char* message;
        ai::errc code;
        const char* hint;
    };
    const std::vector<expectation> all = {
        {400, "bad", ai::errc::request_rejected, "The service refused the request."},
        {401, "who?", ai::errc::authentication, "The API key was rejected. Check MY_KEY."},
        {402, "credit", ai::errc::quota_exhausted, "The credit of the API key's account is used up."},
        {403, "API disabled", ai::errc::permission_denied,
         "The API key may not use this service or model. Check the project that the key in MY_KEY belongs to."},
        {403, "Method doesn't allow unregistered callers (...)", ai::errc::authentication, "The API key was rejected. Check MY_KEY."},
        {404, "no", ai::errc::unknown_model, "The model \"gemini-9\" is unknown to the service. Choose another one with MY_MODEL."},
        {408, "slow", ai::errc::unavailable, "The service did not answer in time; try again shortly."},
        {409, "twice", ai::errc::request_rejected, "The service refused the request."},
        {400, "User location is not supported for the API use.", ai::errc::request_rejected,
         "The service is not available in your location."},
        {400, "The input token count (9) exceeds the maximum number of tokens allowed (8).", ai::errc::request_rejected,
         "The conversation is too large for the model. Ask a smaller question or start a new conversation."},
        {403, "Your API key was reported as leaked. Please use another API key.", ai::errc::permission_denied,
         "The API key was reported as leaked and is blocked. Make a new one and set MY_KEY."},
        {429, "slow down", ai::errc::rate_limited, "The service limits the rate of requests; try again shortly."},
        {500, "oops", ai::errc::unavailable, "The service failed; try again shortly."},
        {501, "what?", ai::errc::bad_response, "The service sent a response that cannot be used (HTTP 501)."},
        {502, "gate", ai::errc::unavailable, "The service failed; try again shortly."},
        {503, "overloaded", ai::errc::unavailable, "The service is overloaded; try again shortly."},
        {504, "late", ai::errc::unavailable, "The service did not answer in time; try again shortly."},
        {302, "moved", ai::errc::bad_response, "The service sent a response that cannot be used (HTTP 302)."},
    };
    for (const expectation& one : all) {
        CAPTURE(one.status);
        const ai::failure got = decode(one.status, body(one.status, "STATUS", one.message));
        CHECK(got.code == one.code);
        CHECK(got.hint == one.hint);
        CHECK(got.message == "HTTP " + std::to_string(one.status) + " STATUS: " + one.message);
        CHECK_FALSE(got.retry_after);
    }
}

TEST_CASE("a rejected key is told by its reason, not by the status") {
    const ai::failure got = decode(400, body(400, "INVALID_ARGUMENT", "API key not valid.",
                                             R"([{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}])"));
    CHECK(got.code == ai::errc::authentication);
    CHECK(got.hint == "The API key was rejected. Check MY_KEY.");
    CHECK(decode(400, body(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")).code == ai::errc::authentication);
}

TEST_CASE("the wait comes from RetryInfo, else from the message, else from the header") {
    const char* retry_info = R"([{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.539477544s"}])";
    CHECK(decode(429, body(429, "RESOURCE_EXHAUSTED", "Please retry in 56s.", retry_info)).retry_after == 539477544ns);
    CHECK(decode(429, body(429, "RESOURCE_EXHAUSTED", "Quota.\nPlease retry in 12.3s.")).retry_after == 12300ms);
    CHECK(decode(429, body(429, "RESOURCE_EXHAUSTED", "Quota.\nPlease retry in 539.47ms")).retry_after == 539470us);
    CHECK(decode(503, "", {{"retry-After", "7"}}).retry_after == 7s);
    CHECK(decode(503, "", {{"Retry-After", "Sat, 21 Nov 2026 22:00:30 GMT"}}).retry_after == 30s);
    CHECK(decode(429, body(429, "RESOURCE_EXHAUSTED", "x", retry_info), {{"Retry-After", "7"}}).retry_after == 539477544ns);
    CHECK(decode(429, body(429, "RESOURCE_EXHAUSTED", "Please retry in 12.3s.")).hint ==
          "The service limits the rate of requests; try again in 12.3 s.");
    CHECK_FALSE(decode(429, body(429, "RESOURCE_EXHAUSTED", "Please retry in a moment.")).retry_after);
    CHECK(decode(503, "", {{"Retry-After", "30"}}).hint == "The service is overloaded; try again in 30 s.");
    CHECK(decode(500, "", {{"Retry-After", "120"}}).hint == "The service failed; try again in 120 s.");
}

TEST_CASE("a daily quota is final") {
    for (const char* quota : {"GenerateRequestsPerDayPerProjectPerModel-FreeTier", "DailyTokens"}) {
        const std::string details =
            std::string(R"([{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": ")") + quota + R"("}]}])";
        CHECK(decode(429, body(429, "RESOURCE_EXHAUSTED", "Quota.", details.c_str())).code == ai::errc::quota_exhausted);
    }
    const char* minute = R"([{"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": "RequestsPerMinute"}]}])";
    CHECK(decode(429, body(429, "RESOURCE_EXHAUSTED", "Quota.", minute)).code == ai::errc::rate_limited);
}

TEST_CASE("wrapped, nested, foreign and empty bodies are read as far as they go") {
    CHECK(decode(400, R"([{"error": {"code": 400, "message": "inner", "status": "INVALID_ARGUMENT"}}])").message ==
          "HTTP 400 INVALID_ARGUMENT: inner");
    CHECK(decode(429, R"({"error": {"code": 429, "message": "{\"error\": {\"code\": 429, \"message\": \"Please retry in 3s\"}}"}})")
              .retry_after == 3s);
    CHECK(decode(502, "<html>Bad gateway</html>").message == "HTTP 502: <html>Bad gateway</html>");
    CHECK(decode(503, "").message == "HTTP 503: (no body)");
    CHECK(decode(500, R"({"error": "text"})").code == ai::errc::unavailable);
    CHECK(decode(500, R"({"error": {"message": 5, "details": "x", "status": []}})").code == ai::errc::unavailable);
    CHECK(
        decode(400, R"({"error": {"message": "x", "details": [1, null, {"@type": "google.rpc.QuotaFailure", "violations": [0]}]}})").code ==
        ai::errc::request_rejected);
    CHECK(decode(500, std::string(1'000'000, 'x')).message.size() < 3000);
    CHECK(decode(500, "\xff\xfe").message == "HTTP 500: \xef\xbf\xbd\xef\xbf\xbd");
}
