#include "openai/errors.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

namespace ai = pyaichat;
namespace codec = pyaichat::openai_codec;
using namespace std::chrono_literals;

namespace errors_tests {

namespace {

const ai::openai_profile profile;
const codec::error_style style = {.names = {.model = "gpt-9", .key_variable = "MY_KEY", .model_variable = "MY_MODEL", .secret = "sk-1"},
                                  .url_variable = "MY_URL",
                                  .profile = &profile};

ai::result<ai::model_response> decode(int status, std::string_view body, std::vector<ai::http_header> headers = {}) {
    return codec::decode_refusal(status, body, headers, style, std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + 22h);
}

ai::failure error(int status, std::string_view body, std::vector<ai::http_header> headers = {}) {
    const auto outcome = decode(status, body, std::move(headers));
    REQUIRE_FALSE(outcome);
    CHECK_FALSE(outcome.error().hint.empty());
    return outcome.error();
}

/// An error document in OpenAI's form.
std::string document(const char* message, const char* code = "null", const char* type = "invalid_request_error") {
    return R"({"error": {"message": ")" + std::string(message) + R"(", "type": ")" + type + R"(", "param": null, "code": )" + code + "}}";
}

}  // namespace

TEST_CASE("a status and a code are a failure with a sentence that says what to do") {
    CHECK(error(401, document("Incorrect API key provided: sk-1.", "\"invalid_api_key\"")).code == ai::errc::authentication);
    CHECK(error(401, "").hint == "The API key was rejected. Check MY_KEY.");
    CHECK(error(401, document("Incorrect API key provided: sk-1.")).message ==
          "HTTP 401 invalid_request_error: Incorrect API key provided: ***.");
    CHECK(error(403, document("no")).code == ai::errc::permission_denied);
    CHECK(error(404, document("The model `gpt-9` does not exist", "\"model_not_found\"")).code == ai::errc::unknown_model);
    CHECK(error(400, document("x", "\"model_not_found\"")).hint ==
          "The model \"gpt-9\" is unknown to the service. Choose another one with MY_MODEL.");
    CHECK(error(404, document("Invalid URL (POST /chat/completions)")).code == ai::errc::request_rejected);
    CHECK(error(404, "not found").hint.find("MY_URL") != std::string::npos);
    CHECK(error(402, document("Insufficient Balance")).code == ai::errc::quota_exhausted);
    CHECK(error(429, document("You exceeded your current quota", "\"insufficient_quota\"")).code == ai::errc::quota_exhausted);
    CHECK(error(429, document("Slow down", "\"slow_down\"")).code == ai::errc::rate_limited);
    for (const int status : {408, 409, 500, 502, 503, 504, 524, 529}) {
        CAPTURE(status);
        CHECK(error(status, "").code == ai::errc::unavailable);
    }
    CHECK(error(529, "").hint == "The service is overloaded; try again shortly.");
    CHECK(error(503, R"({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}})").hint ==
          "The server is still loading the model; try again shortly.");
    CHECK(error(500, document("tools param requires --jinja flag")).code == ai::errc::request_rejected);
    CHECK(error(413, "").code == ai::errc::too_large);
    CHECK(error(400, document("gemma does not support tools")).hint ==
          "The model cannot call functions. Choose another one with MY_MODEL.");
    CHECK(error(418, "").code == ai::errc::request_rejected);
    CHECK(error(302, "").code == ai::errc::bad_response);
}

TEST_CASE("a conversation beyond the context is too large, whatever the service calls it") {
    for (const char* body : {R"({"error": {"message": "x", "code": "context_length_exceeded"}})",
                             R"({"error": {"code": 400, "message": "x", "type": "exceed_context_size_error", "n_ctx": 8192}})",
                             R"({"error": {"message": "This model's maximum context length is 8192 tokens."}})",
                             R"({"object": "error", "message": "maximum context length", "code": 400})"}) {
        CAPTURE(body);
        CHECK(error(400, body).code == ai::errc::too_large);
    }
}

TEST_CASE("every form of an error document gives its message") {
    for (const char* body : {R"({"error": {"message": "words", "type": "t"}})",
                             R"([{"error": {"code": 400, "message": "words", "status": "INVALID_ARGUMENT"}}])",
                             R"({"object": "error", "message": "words", "code": "3051"})", R"({"error": "words"})",
                             R"({"detail": "words"})", R"({"detail": [{"loc": ["body"], "msg": "words"}]})", R"({"message": "words"})",
                             "words", R"({"error": {"message": "words", "metadata": {"raw": "upstream"}}})"}) {
        CAPTURE(body);
        CHECK(error(400, body).message.find("words") != std::string::npos);
        CHECK(error(400, body).message.find('{') == std::string::npos);
    }
    CHECK(error(400, "").message == "HTTP 400: (no body)");
    CHECK(error(502, std::string(100'000, 'x')).message.size() < 3000);
}

TEST_CASE("waits come from the headers, the most exact one first, or from the words") {
    CHECK(error(429, "", {{"retry-after-ms", "1500"}, {"retry-after", "9"}}).retry_after == 1500ms);
    CHECK(error(429, "", {{"Retry-After", "9"}}).retry_after == 9s);
    CHECK(error(429, "", {{"retry-after", "Sat, 21 Nov 2026 22:00:07 GMT"}}).retry_after == 7s);
    CHECK(error(429, "",
                {{"x-ratelimit-remaining-requests", "0"},
                 {"x-ratelimit-reset-requests", "1s"},
                 {"x-ratelimit-remaining-tokens", "0"},
                 {"x-ratelimit-reset-tokens", "6m0s"}})
              .retry_after == 6min);
    CHECK_FALSE(error(429, "", {{"x-ratelimit-remaining-requests", "3"}, {"x-ratelimit-reset-requests", "1s"}}).retry_after);
    CHECK(error(429, document("Rate limit reached. Please try again in 1m2.5s. Visit")).retry_after == 62500ms);
    CHECK(error(429, "", {{"x-should-retry", "false"}}).code == ai::errc::quota_exhausted);
    CHECK(error(503, "", {{"x-should-retry", "false"}}).code == ai::errc::request_rejected);
    CHECK(error(400, "", {{"x-should-retry", "true"}}).code == ai::errc::unavailable);
}

TEST_CASE("a blocked prompt and a malformed call are responses") {
    CHECK(decode(400, document("The response was filtered", "\"content_filter\""))->prompt_block == "content_filter");
    const auto malformed = decode(400, R"({"error": {"message": "Failed to call a function.", "code": "tool_use_failed",
                                                     "failed_generation": "<function=f{>"}})");
    REQUIRE(malformed);
    CHECK(malformed->candidates.front().finish == ai::finish_reason::malformed);
    CHECK(malformed->candidates.front().finish_message == "Failed to call a function. The call was: <function=f{>");
}

TEST_CASE("an error with status 200 has the status that it names") {
    const auto code = [](const char* text) { return codec::decode_error_document(*ai::parse_json(text), style).error().code; };
    CHECK(code(R"({"error": {"message": "x", "code": 429}})") == ai::errc::rate_limited);
    CHECK(code(R"({"error": {"message": "x", "code": "3051"}})") == ai::errc::unavailable);
    CHECK(code(R"({"error": "x"})") == ai::errc::unavailable);
    CHECK(code(R"({"error": {"message": "x"}, "status": 401})") == ai::errc::unavailable);
    CHECK(code(R"({"error": {"message": "x", "code": "insufficient_quota"}})") == ai::errc::quota_exhausted);
    CHECK(codec::is_error(*ai::parse_json(R"({"error": {}})")));
    CHECK_FALSE(codec::is_error(*ai::parse_json(R"({"error": null, "choices": []})")));
}

}  // namespace errors_tests
