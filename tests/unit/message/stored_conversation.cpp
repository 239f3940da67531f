#include <pyaichat/message/stored_conversation.hpp>

#include "catch.hpp"
#include "pictures.hpp"

namespace ai = pyaichat;
using ai::json;

namespace {

ai::conversation everything() {
    ai::message calling = ai::model_message("Let me look.");
    calling.parts.push_back(ai::thought_part{.text = "hm"});
    calling.parts.push_back(ai::call_part{.id = "c1", .name = "look", .arguments = {{"at", "df"}}});
    calling.parts.push_back(ai::opaque_part{.wire = {{"toolCall", 1}}});
    calling.wire = ai::wire_form{.provider = "gemini", .body = {{"role", "model"}}};
    ai::message replies;
    replies.parts.push_back(ai::response_part{.id = "c1", .name = "look", .response = {{"ok", true}}});
    ai::message closing = ai::model_message("It ended.");
    closing.synthetic = true;
    return {ai::user_message("What is df?"), calling, replies, closing};
}

}  // namespace

TEST_CASE("a conversation comes back as it was stored") {
    const json document = ai::stored(everything());
    const auto read = ai::read_conversation(*ai::parse_json(ai::dump_json(document)));
    REQUIRE(read);
    REQUIRE(read->size() == 4);
    CHECK(ai::stored(*read) == document);
    CHECK((*read)[1].wire->provider == "gemini");
    REQUIRE((*read)[1].parts[2].as<ai::call_part>() != nullptr);
    CHECK((*read)[1].parts[2].as<ai::call_part>()->arguments == json{{"at", "df"}});
    CHECK((*read)[3].synthetic);
}

TEST_CASE("the result of a validation that an older version stored beside a call is dropped") {
    json document = ai::stored(everything());
    document[1]["parts"][2]["call"]["mismatches"] = json::array();
    const auto read = ai::read_conversation(document);
    REQUIRE(read);
    CHECK(ai::stored(*read) == ai::stored(everything()));
}

TEST_CASE("a damaged document is refused, and the place named") {
    CHECK(ai::read_conversation(json::object()).error().code == ai::errc::bad_response);
    const json whole = ai::stored(everything());
    json damaged = whole;
    damaged[1]["parts"][2]["call"]["name"] = 7;
    const auto read = ai::read_conversation(damaged);
    REQUIRE_FALSE(read);
    CHECK(read.error().message.find("/1/parts/2/call/name") != std::string::npos);
    // Whatever is taken away or replaced, it is read or refused, and never a crash.
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (const json& other : {json(), json(1), json("x"), json::array(), json::object()}) {
            json broken = whole;
            broken[i] = other;
            CHECK_FALSE(ai::read_conversation(broken));
        }
    }
}

TEST_CASE("members that this version does not know are left out") {
    json document = ai::stored({ai::user_message("x")});
    document[0]["mood"] = "good";
    CHECK(ai::read_conversation(document)->size() == 1);
}

TEST_CASE("images are stored as base64, beside a text for versions that do not know them") {
    ai::message question;
    question.parts.push_back(ai::image_part{pictures::png()});
    question.parts.push_back(ai::text_part{"What is it?"});
    ai::message replies;
    replies.parts.push_back(ai::response_part{.id = "c1", .name = "look", .response = {{"ok", true}}, .images = {pictures::jpeg()}});
    const json document = ai::stored({question, replies});
    CHECK(document[0]["parts"][0] == json{{"text", "(an image)"}, {"image", {{"mime_type", "image/png"}, {"data", "iVBORw0KGgo="}}}});
    const auto read = ai::read_conversation(*ai::parse_json(ai::dump_json(document)));
    REQUIRE(read);
    CHECK((*read)[0].parts[0].as<ai::image_part>()->image == pictures::png());
    CHECK((*read)[1].parts[0].as<ai::response_part>()->images == std::vector{pictures::jpeg()});
    CHECK(ai::stored(*read) == document);
    json damaged = document;
    damaged[0]["parts"][0]["image"]["data"] = "iVBORw0KGg";
    const auto refused = ai::read_conversation(damaged);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("/0/parts/0/image/data") != std::string::npos);
}
