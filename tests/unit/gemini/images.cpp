#include <pyaichat/gemini/codec.hpp>
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/testing/gemini_request_checker.hpp>

#include "catch.hpp"
#include "pictures.hpp"

namespace ai = pyaichat;
namespace codec = pyaichat::gemini_codec;
namespace fake = pyaichat::testing;

namespace images_tests {
using ai::json;

namespace {

const json png_blob = {{"mimeType", "image/png"}, {"data", "iVBORw0KGgo="}};
const json left_out = {{"text", "(An image of type image/gif was left out here, because it cannot be sent to this model.)"}};

/// The contents as they are sent to a model, which accepts them.
json contents(ai::conversation messages, const std::string& model = "gemini-3.8-flash") {
    const auto body = codec::encode_request({.messages = std::move(messages)}, {.model = model});
    REQUIRE(body);
    const auto refusal = fake::check_gemini_request("POST", "/v1beta/models/" + model + ":generateContent",
                                                    {{"x-goog-api-key", "test-key"}}, *body, {.models = {model}});
    INFO((refusal ? refusal->message() : ""));
    CHECK_FALSE(refusal);
    const auto read = ai::parse_json(*body);
    REQUIRE(read);
    CHECK(ai::dump_json(*read).size() == body->size());
    return (*read)["contents"];
}

ai::conversation looking(std::vector<ai::image> images) {
    const ai::message call{.role = ai::role::model, .parts = {ai::call_part{"c1", "look"}, ai::call_part{"c2", "look"}}};
    const json envelope = ai::reply_with(1).envelope();
    ai::message replies;
    replies.parts.push_back(ai::response_part{"c1", "look", envelope, std::move(images)});
    replies.parts.push_back(ai::response_part{"c2", "look", ai::reply_error(ai::reply_code::busy, "no camera").envelope()});
    return {ai::user_message("Look."), call, replies};
}

}  // namespace

TEST_CASE("Gemini gets the image of a question in its place, and a text for a type that it does not take") {
    ai::message question;
    question.parts = {ai::image_part{pictures::png()}, ai::text_part{"What is this?"}, ai::image_part{pictures::gif()}};
    CHECK(contents({question})[0]["parts"] == json::array({{{"inlineData", png_blob}}, {{"text", "What is this?"}}, left_out}));
    CHECK(contents({{.parts = {ai::image_part{pictures::png()}}}})[0]["parts"] == json::array({{{"inlineData", png_blob}}}));
}

TEST_CASE("from Gemini 3 on, the images of a reply are parts of it") {
    const json parts = contents(looking({pictures::png(), pictures::png()}))[2]["parts"];
    REQUIRE(parts.size() == 2);
    CHECK(parts[0]["functionResponse"]["parts"] == json::array({{{"inlineData", png_blob}}, {{"inlineData", png_blob}}}));
    CHECK(parts[0]["functionResponse"]["response"] == json{{"ok", true}, {"result", 1}});
    CHECK_FALSE(parts[1]["functionResponse"].contains("parts"));
    const json other = contents(looking({pictures::gif(), pictures::png()}))[2]["parts"];
    REQUIRE(other.size() == 4);
    CHECK(other[0] == json{{"text", "Image 1 of the reply to `look`:"}});
    CHECK(other[1] == left_out);
    CHECK(other[2]["functionResponse"]["parts"] == json::array({{{"inlineData", png_blob}}}));
}

TEST_CASE("an older Gemini model gets the images of replies before the replies") {
    const json parts = contents(looking({pictures::png()}), "gemini-2.5-flash")[2]["parts"];
    REQUIRE(parts.size() == 4);
    CHECK(parts[0] == json{{"text", "Image 1 of the reply to `look`:"}});
    CHECK(parts[1] == json{{"inlineData", png_blob}});
    CHECK_FALSE(parts[2]["functionResponse"].contains("parts"));
}

}  // namespace images_tests
