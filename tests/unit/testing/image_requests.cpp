// What the emulators say to images in requests.
#include <pyaichat/testing/anthropic_request_checker.hpp>
#include <pyaichat/testing/gemini_request_checker.hpp>
#include <pyaichat/testing/openai_request_checker.hpp>

#include "catch.hpp"

#include <string>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;

namespace {

constexpr const char* png = "iVBORw0KGgo=";

std::string to_openai(const json& piece, const char* role = "user") {
    const json body = {
        {"model", "gpt-5.4-mini"},
        {"messages", json::array({{{"role", role}, {"content", json::array({piece})}}, {{"role", "user"}, {"content", "q"}}})}};
    const auto refusal = fake::check_openai_request(
        "POST", "/v1/chat/completions", {{"Authorization", "Bearer test-key"}, {"Content-Type", "application/json"}}, ai::dump_json(body));
    return refusal ? refusal->message() : "";
}

json with_url(const std::string& url) {
    return {{"type", "image_url"}, {"image_url", {{"url", url}}}};
}

std::string to_anthropic(const json& block) {
    const json body = {{"model", "claude-haiku-5-5"},
                       {"max_tokens", 100},
                       {"messages", json::array({{{"role", "user"}, {"content", json::array({block})}}})}};
    const auto refusal = fake::check_anthropic_request(
        "POST", "/v1/messages", {{"x-api-key", "test-key"}, {"anthropic-version", "2023-06-01"}}, ai::dump_json(body));
    return refusal ? refusal->message() : "";
}

json with_source(const json& source) {
    return {{"type", "image"}, {"source", source}};
}

/// An image in a result, whose call preceded it.
std::string to_anthropic_in_result(const json& content, bool failed) {
    const json body = {
        {"model", "claude-haiku-5-5"},
        {"max_tokens", 100},
        {"tools", json::array({{{"name", "f"}, {"input_schema", {{"type", "object"}}}}})},
        {"messages",
         json::array({{{"role", "user"}, {"content", "q"}},
                      {{"role", "assistant"},
                       {"content", json::array({{{"type", "tool_use"}, {"id", "t1"}, {"name", "f"}, {"input", json::object()}}})}},
                      {{"role", "user"},
                       {"content",
                        json::array({{{"type", "tool_result"}, {"tool_use_id", "t1"}, {"content", content}, {"is_error", failed}}})}}})}};
    const auto refusal = fake::check_anthropic_request(
        "POST", "/v1/messages", {{"x-api-key", "test-key"}, {"anthropic-version", "2023-06-01"}}, ai::dump_json(body));
    return refusal ? refusal->message() : "";
}

std::string to_gemini(const json& part) {
    const json body = {{"contents", json::array({{{"role", "user"}, {"parts", json::array({part})}}})}};
    const auto refusal = fake::check_gemini_request("POST", "/v1beta/models/gemini-3.8-flash:generateContent",
                                                    {{"x-goog-api-key", "test-key"}}, ai::dump_json(body));
    return refusal ? refusal->message() : "";
}

json with_blob(const char* mime_type, const char* data) {
    return {{"inlineData", {{"mimeType", mime_type}, {"data", data}}}};
}

bool begins(const std::string& text, const char* with) {
    INFO(text);
    return text.find(with) == 0;
}

}  // namespace

TEST_CASE("OpenAI takes images in user messages, as data that is what it is declared as") {
    CHECK(to_openai(with_url("data:image/png;base64,iVBORw0KGgo=")).empty());
    CHECK(to_openai(with_url("https://example.org/cat.png")).empty());
    CHECK(begins(to_openai(with_url("data:image/png;base64,iVBORw0KGgo")), "Invalid base64 image_url."));
    CHECK(begins(to_openai(with_url("data:image/jpeg;base64,iVBORw0KGgo=")), "You uploaded an unsupported image."));
    CHECK(begins(to_openai(with_url("data:image/tiff;base64,iVBORw0KGgo=")), "You uploaded an unsupported image."));
    CHECK(begins(to_openai(with_url("iVBORw0KGgo=")), "Invalid 'messages[0].content[0].image_url.url'."));
    CHECK(begins(to_openai({{"type", "image_url"}, {"image_url", "data:image/png;base64,iVBORw0KGgo="}}), "Missing required parameter"));
    CHECK(begins(to_openai({{"type", "image"}}), "Invalid value: 'image'."));
    CHECK(begins(to_openai({{"type", "text"}, {"text", 1}}), "Invalid type for"));
    json more = with_url("data:image/png;base64,iVBORw0KGgo=");
    more["image_url"]["detail"] = "most";
    CHECK(begins(to_openai(more), "Invalid value: 'most'."));
    more["image_url"] = {{"url", "https://example.org"}, {"size", 1}};
    CHECK(begins(to_openai(more), "Unknown parameter: 'messages[0].content[0].image_url.size'."));
    CHECK(begins(to_openai(with_url("data:image/png;base64,iVBORw0KGgo="), "system"), "Invalid value: 'image_url'."));
}

TEST_CASE("Anthropic takes four types of images, whose data is what it is declared as") {
    CHECK(to_anthropic(with_source({{"type", "base64"}, {"media_type", "image/png"}, {"data", png}})).empty());
    CHECK(to_anthropic(with_source({{"type", "url"}, {"url", "https://example.org"}})).empty());
    const std::string inside = "messages.0.content.0.image.source";
    CHECK(begins(to_anthropic(with_source({{"type", "inline"}})), (inside + ": Input tag 'inline'").c_str()));
    CHECK(begins(to_anthropic(with_source({{"type", "base64"}, {"media_type", "image/tiff"}, {"data", png}})),
                 (inside + ".base64.media_type: Input should be").c_str()));
    CHECK(begins(to_anthropic(with_source({{"type", "base64"}, {"media_type", "image/png"}})),
                 (inside + ".base64.data: Field required").c_str()));
    CHECK(begins(to_anthropic(with_source({{"type", "base64"}, {"media_type", "image/png"}, {"data", "?"}})),
                 (inside + ".base64.data: invalid base64").c_str()));
    CHECK(begins(to_anthropic(with_source({{"type", "base64"}, {"media_type", "image/png"}, {"data", ""}})),
                 (inside + ".base64.data: image cannot be empty").c_str()));
    CHECK(begins(to_anthropic(with_source({{"type", "base64"}, {"media_type", "image/gif"}, {"data", png}})),
                 (inside + ".base64.data: The image was specified using the image/gif media type").c_str()));
    CHECK(begins(to_anthropic(with_source({{"type", "base64"}, {"media_type", "image/png"}, {"data", png}, {"detail", "low"}})),
                 (inside + ".base64.detail: Extra inputs are not permitted").c_str()));
    CHECK(begins(to_anthropic(with_source({{"type", "base64"}, {"media_type", "image/png"}, {"data", std::string(5300000, 'A')}})),
                 (inside + ".base64: image exceeds 5 MB maximum: 5300000 bytes").c_str()));
}

TEST_CASE("Anthropic takes images in results that did not fail") {
    const json image = with_source({{"type", "base64"}, {"media_type", "image/png"}, {"data", png}});
    const json text = {{"type", "text"}, {"text", "A cat."}};
    CHECK(to_anthropic_in_result(json::array({text, image}), false).empty());
    CHECK(to_anthropic_in_result(json::array({text}), true).empty());
    CHECK(begins(to_anthropic_in_result(json::array({text, image}), true),
                 "messages.2.content.0.tool_result: all content must be type `text`"));
    CHECK(begins(to_anthropic_in_result(json::array({{{"type", "image"}}}), false),
                 "messages.2.content.0.tool_result.content.0.image.source"));
    CHECK(begins(to_anthropic_in_result(json::array({{{"type", "thinking"}}}), false),
                 "messages.2.content.0.tool_result.content.0: Input tag"));
    CHECK(begins(to_anthropic_in_result(json::array({{{"type", "text"}, {"text", ""}}}), false), "messages: text content blocks"));
}

TEST_CASE("Gemini takes its types of images, in both alphabets of base64") {
    CHECK(to_gemini(with_blob("image/png", png)).empty());
    CHECK(to_gemini(with_blob("image/png", "iVBORw0KGgo")).empty());
    CHECK(to_gemini(with_blob("image/jpeg", "_9j_4A")).empty());
    CHECK(to_gemini(with_blob("audio/mp3", "QUJD")).empty());
    CHECK(to_gemini(with_blob("image/gif", "R0lGODlh")) == "Unsupported MIME type: image/gif");
    CHECK(to_gemini(with_blob("image/jpeg", png)) == "Unable to process input image.");
    CHECK(to_gemini(with_blob("image/png", "")) == "Unable to process input image.");
}
