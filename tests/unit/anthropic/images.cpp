#include <pyaichat/anthropic/codec.hpp>
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/testing/anthropic_request_checker.hpp>

#include "catch.hpp"
#include "pictures.hpp"

namespace ai = pyaichat;
namespace codec = pyaichat::anthropic_codec;
namespace fake = pyaichat::testing;
using ai::json;

namespace {

const json png_block = {{"type", "image"}, {"source", {{"type", "base64"}, {"media_type", "image/png"}, {"data", "iVBORw0KGgo="}}}};
const json left_out = {{"type", "text"},
                       {"text", "(An image of type image/tiff was left out here, because it cannot be sent to this model.)"}};

/// The messages as they are sent to the service, which accepts them.
json messages_of(ai::conversation messages) {
    ai::model_request request{.messages = std::move(messages)};
    request.declarations = *ai::declare({{.name = "look", .description = "Looks."}});
    const auto body = codec::encode_request(request, {.cache = ai::anthropic_cache::off});
    REQUIRE(body);
    const auto refusal =
        fake::check_anthropic_request("POST", "/v1/messages", {{"x-api-key", "test-key"}, {"anthropic-version", "2023-06-01"}}, *body);
    INFO((refusal ? refusal->message() : ""));
    CHECK_FALSE(refusal);
    const auto read = ai::parse_json(*body);
    REQUIRE(read);
    return (*read)["messages"];
}

}  // namespace

TEST_CASE("Anthropic gets the image of a question in its place, and a text for a type that it does not take") {
    ai::message question;
    question.parts = {ai::image_part{pictures::png()}, ai::text_part{"What is this?"}, ai::image_part{pictures::tiff()}};
    CHECK(messages_of({question})[0]["content"] == json::array({png_block, {{"type", "text"}, {"text", "What is this?"}}, left_out}));
    CHECK(messages_of({{.parts = {ai::image_part{pictures::png()}}}})[0]["content"] == json::array({png_block}));
}

TEST_CASE("Anthropic gets the images of a reply in its result; a failed result has none") {
    const ai::message call{.role = ai::role::model, .parts = {ai::call_part{"c1", "look"}, ai::call_part{"c2", "look"}}};
    ai::message replies;
    replies.parts.push_back(ai::response_part{"c1", "look", ai::reply_with(1).envelope(), {pictures::png(), pictures::tiff()}});
    replies.parts.push_back(
        ai::response_part{"c2", "look", ai::reply_error(ai::reply_code::busy, "no camera").envelope(), {pictures::png()}});
    const json results = messages_of({ai::user_message("Look."), call, replies})[2]["content"];
    REQUIRE(results.size() == 2);
    CHECK(results[0]["content"] == json::array({{{"type", "text"}, {"text", R"({"ok":true,"result":1})"}}, png_block, left_out}));
    CHECK(results[1]["content"].is_string());
    CHECK(results[1]["is_error"] == true);
}
