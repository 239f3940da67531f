#include <pyaichat/agent/recover.hpp>
#include <pyaichat/message/stored_conversation.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"
#include "pictures.hpp"

using namespace bench;
using ai::json;

namespace {

ai::answer ask_with(agent_bench& b, std::vector<ai::image> images) {
    ai::pumped_run run = b.agent.ask({.question = "What is this?", .context = "Look well.", .images = std::move(images)});
    REQUIRE(b.settle(run) == ai::progress::done);
    return run.reply();
}

/// The replies of a run, in order.
std::vector<ai::response_part> responses_in(const ai::conversation& messages) {
    std::vector<ai::response_part> found;
    for (const ai::message& one : messages) {
        for (const ai::part& piece : one.parts) {
            if (const auto* response = piece.as<ai::response_part>()) {
                found.push_back(*response);
            }
        }
    }
    return found;
}

std::string note_of(const ai::response_part& reply) {
    return std::string(ai::string_member(reply.response, "note").value_or(""));
}

}  // namespace

TEST_CASE("the images of a question stand between the context and the question") {
    agent_bench b{fake::say("A cat.")};
    const ai::image cat = pictures::png();
    const ai::answer reply = ask_with(b, {cat, pictures::jpeg()});
    CHECK(reply.text == "A cat.");
    const std::vector<ai::part>& parts = reply.messages[0].parts;
    REQUIRE(parts.size() == 4);
    CHECK(parts[0].as<ai::text_part>()->text == "Look well.");
    CHECK(parts[1].as<ai::image_part>()->image.data().data() == cat.data().data());
    CHECK(parts[2].as<ai::image_part>()->image.mime_type() == "image/jpeg");
    CHECK(parts[3].as<ai::text_part>()->text == "What is this?");
}

TEST_CASE("a question with an image that cannot be sent is not asked") {
    const struct {
        std::vector<ai::image> images;
        const char* why;
    } cases[] = {
        {{pictures::png(), {"image/png", "GIF89a"}}, "image 2 of the question cannot be sent: the image is declared as image/png"},
        {{pictures::png(101)}, "it has 101 bytes, and the limit is 100 (max_image_bytes)"},
        {{pictures::png(), pictures::png(), pictures::png()}, "a message has at most 2 images (max_images)"},
        {{pictures::png(100), pictures::png(60)}, "the images of the run have at most 150 bytes (max_image_bytes_total)"},
    };
    for (const auto& one : cases) {
        agent_bench b{{}, {.max_image_bytes = 100, .max_images = 2, .max_image_bytes_total = 150}};
        const ai::answer reply = ask_with(b, one.images);
        CHECK(reply.reason == ai::stop_reason::misconfigured);
        CHECK(reply.error->code == ai::errc::invalid_argument);
        CAPTURE(reply.text);
        CHECK(reply.text.find(one.why) != std::string::npos);
        CHECK(reply.messages.empty());
    }
    agent_bench unlimited{{fake::say("Yes.")}, {.max_image_bytes = 0, .max_images = 0, .max_image_bytes_total = 0}};
    CHECK(ask_with(unlimited, std::vector<ai::image>(20, pictures::png(5 << 20))).text == "Yes.");
}

TEST_CASE("a capability replies with images, in each form") {
    agent_bench b{fake::calls({{.name = "plain"}, {.name = "fallible"}, {.name = "failing"}, {.name = "with_json"}}), fake::say("Done.")};
    b.offer("plain", [] { return pictures::png(); });
    b.offer("fallible", []() -> ai::result<ai::image> { return pictures::jpeg(); });
    b.offer("failing", []() -> ai::result<ai::image> { return ai::failure{.code = ai::errc::busy, .message = "no camera"}; });
    b.offer("with_json", [] { return ai::reply_with({{"width", 3}}, {pictures::png(), pictures::gif()}); });
    const auto replies = responses_in(b.answer().messages);
    REQUIRE(replies.size() == 4);
    CHECK(replies[0].images == std::vector{pictures::png()});
    CHECK(replies[0].response == json{{"ok", true}, {"result", {{"bytes", 8}, {"image", "image/png"}}}});
    CHECK(replies[1].images == std::vector{pictures::jpeg()});
    CHECK(replies[2].images.empty());
    CHECK(replies[2].response["error"]["code"] == "busy");
    CHECK(replies[3].images == std::vector{pictures::png(), pictures::gif()});
    CHECK(replies[3].response["result"] == json{{"width", 3}});
}

TEST_CASE("an image over a limit is left out whole, with a remark, and a text is still cut") {
    agent_bench b{{fake::calls({{.name = "large"}, {.name = "many"}}), fake::call("more"), fake::say("Done.")},
                  {.max_reply_bytes = 400, .max_image_bytes = 1000, .max_images = 2, .max_image_bytes_total = 1500}};
    b.offer("large", [] { return ai::reply_with(std::string(5000, 'x'), {pictures::png(1001), pictures::png(900)}); });
    b.offer("many", [] { return ai::reply_with(1, {pictures::png(), pictures::jpeg()}); });
    b.offer("more", [] { return ai::reply_with(1, {pictures::png(900)}); });
    const auto replies = responses_in(b.answer().messages);
    REQUIRE(replies.size() == 3);
    CHECK(replies[0].images == std::vector{pictures::png(900)});
    CHECK(note_of(replies[0]).find("image 1 of the reply was left out: it has 1001 bytes") == 0);
    CHECK(replies[0].response.contains("truncated"));
    CHECK(replies[1].images == std::vector{pictures::png()});
    CHECK(note_of(replies[1]) == "image 2 of the reply was left out: a message has at most 2 images (max_images)");
    CHECK(replies[2].images.empty());
    CHECK(note_of(replies[2]).find("max_image_bytes_total") != std::string::npos);
}

TEST_CASE("an error has no images, and an invalid image is left out") {
    agent_bench b{fake::calls({{.name = "broken"}, {.name = "wrong"}}), fake::say("Done.")};
    b.offer("broken", [] {
        ai::capability_reply reply = ai::reply_error(ai::reply_code::internal, "no");
        reply.images = {pictures::png()};
        return reply;
    });
    b.offer("wrong", [] { return ai::image("image/png", "GIF89a"); });
    const auto replies = responses_in(b.answer().messages);
    REQUIRE(replies.size() == 2);
    CHECK(replies[0].images.empty());
    CHECK(replies[1].images.empty());
    CHECK(note_of(replies[1]).find("but its data is image/gif") != std::string::npos);
}

TEST_CASE("the same call with another image is not a repetition") {
    agent_bench b{fake::call("look"), fake::call("look"), fake::call("look"), fake::call("look"), fake::say("Done.")};
    std::size_t bytes = 8;
    b.offer("look", [&] { return ai::reply_with(nullptr, {pictures::png(++bytes)}); });
    CHECK(codes_in(b.answer().messages) == std::vector<std::string>{"ok", "ok", "ok", "ok"});
}

TEST_CASE("images come back from a snapshot and from a journal") {
    std::vector<ai::journal_record> records;
    agent_bench b{{fake::call("look"), fake::say("Done.")}, {.max_images = 7}};
    b.offer("look", [] { return pictures::gif(); });
    b.agent.options().journal = kept_records{&records};
    ai::pumped_run run = b.agent.ask({.question = "What is this?", .images = {pictures::png()}});
    json last;
    while (run.pump(0ms) != ai::progress::done) {
        last = run.snapshot();
        const auto replayed = ai::replay(records);
        REQUIRE(replayed);
        CHECK(replayed->machine.snapshot(b.clock.now())["messages"] == last["messages"]);
        const auto restored = ai::run_machine::restore(*ai::parse_json(ai::dump_json(last)), b.clock.now());
        REQUIRE(restored);
        CHECK(restored->snapshot(b.clock.now())["messages"] == last["messages"]);
        CHECK(restored->bounds() == ai::limits{.max_images = 7});
        while (b.background.run_one()) {
        }
    }
    CHECK(last["image_bytes"] == 14);
    CHECK(ai::stored(run.reply().messages)[2]["parts"][0]["response"]["images"][0]["data"] == "R0lGODlh");
}

TEST_CASE("an image that a model wrote is not kept in the history") {
    ai::message odd = ai::model_message("Here.");
    odd.parts.push_back(ai::image_part{pictures::png()});
    agent_bench b{[odd](const auto&, const auto&, const auto&) -> ai::result<ai::model_response> { return fake::response_of(odd); }};
    const ai::answer reply = b.answer();
    CHECK(is_legal_history(reply.messages));
    CHECK(reply.messages.back().parts.size() == 1);
}

TEST_CASE("guide: a picture with a question, and pictures from capabilities") {
    fake::scripted_provider model{fake::calls({{.name = "screenshot"}, {.name = "cameras"}}), fake::say("A red door, which is locked.")};
    const auto read_file = [](const char*) { return pictures::png().data(); };
    const auto grab_screen = [] { return pictures::png().data(); };
    // [images]
    auto screenshot = ai::capability("screenshot", "What the player sees.", [&] { return ai::image("image/png", grab_screen()); });
    auto cameras = ai::capability("cameras", "The pictures of both cameras.", [&] {
        return ai::reply_with({{"left", "day"}, {"right", "night"}}, {{"image/png", grab_screen()}, {"image/png", grab_screen()}});
    });
    ai::agent agent{ai::borrow(model), {std::move(screenshot), std::move(cameras)}};
    const ai::answer reply = agent.ask({.question = "Is this door in sight?", .images = {{"image/png", read_file("door.png")}}}).wait();
    // [/images]
    CHECK(reply.text == "A red door, which is locked.");
    const auto replies = responses_in(reply.messages);
    REQUIRE(replies.size() == 2);
    CHECK(replies[0].images.size() == 1);
    CHECK(replies[1].images.size() == 2);
    CHECK(replies[1].response["result"]["right"] == "night");
}
