#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/openai/codec.hpp>
#include <pyaichat/testing/openai_request_checker.hpp>

#include "catch.hpp"
#include "pictures.hpp"

namespace ai = pyaichat;
namespace codec = pyaichat::openai_codec;
namespace fake = pyaichat::testing;

namespace images_tests {
using ai::json;

namespace {

const std::string png_url = "data:image/png;base64,iVBORw0KGgo=";
const json png_piece = {{"type", "image_url"}, {"image_url", {{"url", png_url}}}};
const std::string left_out = "(An image of type image/tiff was left out here, because it cannot be sent to this model.)";

json text_piece(const std::string& text) {
    return {{"type", "text"}, {"text", text}};
}

json body_of(ai::conversation messages, const ai::openai_options& options) {
    ai::model_request request{.messages = std::move(messages)};
    request.declarations = *ai::declare({{.name = "look", .description = "Looks."}});
    const auto body = codec::encode_request(request, options);
    REQUIRE(body);
    const auto read = ai::parse_json(*body);
    REQUIRE(read);
    return *read;
}

/// The messages as they are sent with a profile, which the service accepts.
json messages_of(ai::conversation messages, const char* profile = "openai", fake::openai_service service = {}) {
    service.models = {"m1"};
    const json body = body_of(std::move(messages), {.model = "m1", .profile = *ai::openai_profile_named(profile), .stream = false});
    const auto refusal = fake::check_openai_request("POST", "/v1/chat/completions",
                                                    {{"Authorization", "Bearer test-key"}, {"Content-Type", "application/json"}},
                                                    ai::dump_json(body), service);
    INFO((refusal ? refusal->message() : ""));
    CHECK_FALSE(refusal);
    return body["messages"];
}

ai::message question() {
    ai::message out;
    out.parts = {ai::image_part{pictures::png()}, ai::text_part{"What is this?"}, ai::image_part{pictures::tiff()}};
    return out;
}

ai::conversation looking(const char* text = nullptr) {
    const ai::message call{.role = ai::role::model, .parts = {ai::call_part{"aaaaaaaa1", "look"}, ai::call_part{"aaaaaaaa2", "look"}}};
    ai::message replies;
    if (text != nullptr) {
        replies.parts.push_back(ai::text_part{text});
    }
    replies.parts.push_back(ai::response_part{"aaaaaaaa1", "look", ai::reply_with(1).envelope(), {pictures::png(), pictures::tiff()}});
    replies.parts.push_back(ai::response_part{"aaaaaaaa2", "look", ai::reply_with(2).envelope()});
    return {ai::user_message("Look."), call, replies};
}

}  // namespace

TEST_CASE("Chat Completions gets the images of a question behind its text") {
    CHECK(messages_of({question()})[0]["content"] == json::array({text_piece("What is this?\n\n" + left_out), png_piece}));
    CHECK(messages_of({{.parts = {ai::image_part{pictures::png()}}}})[0]["content"] == json::array({png_piece}));
}

TEST_CASE("Chat Completions gets the images of replies in a user message after all replies") {
    const json sent = messages_of(looking());
    REQUIRE(sent.size() == 5);
    CHECK(sent[2]["content"] == R"({"ok":true,"result":1})");
    CHECK(sent[3]["role"] == "tool");
    CHECK(sent[4] == json{{"role", "user"},
                          {"content", json::array({text_piece("Image 2 of the reply to `look`: " + left_out),
                                                   text_piece("Image 1 of the reply to `look`:"), png_piece})}});
    ai::conversation answered = looking("Hurry.");
    answered.push_back(ai::model_message("A cat."));
    answered.push_back(ai::user_message("And now?"));
    const json all = messages_of(answered);
    REQUIRE(all.size() == 7);
    CHECK(all[4]["content"][0]["text"].get<std::string>().starts_with("Hurry."));
    CHECK(all[4]["content"].size() == 3);
    CHECK(all[6] == json{{"role", "user"}, {"content", "And now?"}});
}

TEST_CASE("a service that takes no user message after replies gets a text for the images of replies") {
    const json sent = messages_of(looking(), "mistral", {.nine_character_ids = true});
    REQUIRE(sent.size() == 4);
    CHECK(sent[3]["content"].get<std::string>().find("Image 1 of the reply to `look`: (An image of type image/png") != std::string::npos);
    CHECK(messages_of({question()}, "mistral", {.nine_character_ids = true})[0]["content"][1] == png_piece);
}

TEST_CASE("a model that sees no images gets texts") {
    const json sent = messages_of({question()}, "deepseek", {.takes_images = false});
    CHECK(sent[0]["content"] ==
          "(An image of type image/png was left out here, because it cannot be sent to this model.)\n\nWhat is this?\n\n" + left_out);
}

TEST_CASE("the Responses API gets the images of replies in their outputs") {
    const json input = body_of(looking(), {.model = "m1", .api = ai::openai_api::responses})["input"];
    REQUIRE(input.size() == 5);
    const json image = {{"type", "input_image"}, {"detail", "auto"}, {"image_url", png_url}};
    CHECK(input[3]["output"] ==
          json::array(
              {{{"type", "input_text"}, {"text", R"({"ok":true,"result":1})"}}, image, {{"type", "input_text"}, {"text", left_out}}}));
    CHECK(input[4]["output"] == R"({"ok":true,"result":2})");
    const json asked = body_of({question()}, {.model = "m1", .api = ai::openai_api::responses})["input"];
    CHECK(asked[0]["content"] == json::array({{{"type", "input_text"}, {"text", "What is this?\n\n" + left_out}}, image}));
}

}  // namespace images_tests
