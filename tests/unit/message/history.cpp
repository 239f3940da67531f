#include <pyaichat/message/history.hpp>

#include <pyaichat/message/capability_reply.hpp>

#include "catch.hpp"
#include "pictures.hpp"
#include "random_history.hpp"

namespace ai = pyaichat;

namespace {

ai::message made(ai::role who, std::vector<ai::part> parts) {
    ai::message out;
    out.role = who;
    out.parts = std::move(parts);
    return out;
}
ai::message by_user(std::vector<ai::part> parts) {
    return made(ai::role::user, std::move(parts));
}
ai::message by_model(std::vector<ai::part> parts) {
    return made(ai::role::model, std::move(parts));
}
ai::part say(std::string text) {
    return ai::text_part{.text = std::move(text)};
}
ai::part call(std::string id, std::string name) {
    return ai::call_part{.id = std::move(id), .name = std::move(name)};
}
ai::part reply(std::string id, std::string name, ai::json result = 1) {
    return ai::response_part{.id = std::move(id), .name = std::move(name), .response = ai::reply_with(std::move(result)).envelope()};
}

/// A conversation at a glance: `user: "q" | model: call a/f | user: reply a/f`.
std::string glance(const ai::conversation& messages) {
    std::string out;
    for (const ai::message& one : messages) {
        out += out.empty() ? "" : " | ";
        out += one.synthetic ? "synthetic " : "";
        out += one.role == ai::role::user ? "user:" : "model:";
        for (const ai::part& each : one.parts) {
            if (const auto* text = each.as<ai::text_part>()) {
                out += one.synthetic ? " text" : " \"" + text->text + "\"";
            } else if (const auto* called = each.as<ai::call_part>()) {
                out += " call " + called->id + "/" + called->name;
            } else if (const auto* replied = each.as<ai::response_part>()) {
                const ai::json* error = ai::find_member(replied->response, "error");
                out += " reply " + replied->id + "/" + replied->name +
                       (error != nullptr ? "=" + std::string(*ai::string_member(*error, "code")) : "");
            } else if (const auto* picture = each.as<ai::image_part>()) {
                out += " " + picture->image.mime_type();
            } else {
                out += each.as<ai::thought_part>() != nullptr ? " thought" : " opaque";
            }
        }
        out += one.wire ? " (wire)" : "";
    }
    return out;
}

std::string repaired(const ai::conversation& history) {
    return glance(ai::repair_history(history));
}

std::string faults(const ai::conversation& history) {
    std::string out;
    for (const std::string& one : ai::check_history(history)) {
        out += out.empty() ? one : "; " + one;
    }
    return out;
}

}  // namespace

TEST_CASE("a good history has no faults, and its repair is the very same messages") {
    const ai::conversation history{ai::user_message("q"), by_model({say("Let me see."), call("1", "f"), call("", "g")}),
                                   by_user({say("Be quick."), reply("1", "f"), reply("", "g")}), ai::model_message("a"),
                                   ai::user_message("more")};
    CHECK(faults(history).empty());
    const ai::conversation same = ai::repair_history(history);
    REQUIRE(same.size() == history.size());
    CHECK(same.shared_prefix(history) == history.size());
    CHECK(faults({}).empty());
    CHECK(ai::repair_history({}).empty());
}

TEST_CASE("replies without a call are dropped, and a message of nothing else with them") {
    const ai::conversation history{by_user({reply("9", "h"), say("q")}), ai::model_message("a"), by_user({reply("1", "f")}),
                                   ai::user_message("next")};
    CHECK(repaired(history) == R"(user: "q" | model: "a" | user: "next")");
    CHECK(faults(history) ==
          "messages[0] has a reply to `h`, which was not called before it; messages[2] has a reply to `f`, which was not called before it");
}

TEST_CASE("calls without a reply get one that says that they were cancelled") {
    const ai::conversation cut{ai::user_message("q"), by_model({call("1", "f"), call("2", "g")})};
    CHECK(repaired(cut) == R"(user: "q" | model: call 1/f call 2/g | user: reply 1/f=cancelled reply 2/g=cancelled)");
    const ai::conversation half{ai::user_message("q"), by_model({call("1", "f"), call("2", "g")}), by_user({reply("2", "g")})};
    CHECK(repaired(half) == R"(user: "q" | model: call 1/f call 2/g | user: reply 1/f=cancelled reply 2/g)");
    CHECK(faults(half).starts_with("the call of `f` has no reply"));
}

TEST_CASE("replies are put into the order of their calls, behind the texts, with the ids of the calls") {
    CHECK(repaired({ai::user_message("q"), by_model({call("1", "f"), call("2", "g")}),
                    by_user({reply("2", "g"), reply("1", "f"), say("go on")})}) ==
          R"(user: "q" | model: call 1/f call 2/g | user: "go on" reply 1/f reply 2/g)");
    // Services that have no ids, and services that name only the id.
    CHECK(repaired({ai::user_message("q"), by_model({call("1", "f"), call("", "g")}), by_user({reply("x", "g"), reply("", "f")})}) ==
          R"(user: "q" | model: call 1/f call /g | user: reply 1/f reply /g)");
    CHECK(repaired({ai::user_message("q"), by_model({call("1", "f")}), by_user({reply("1", "")})}) ==
          R"(user: "q" | model: call 1/f | user: reply 1/f)");
    // Another id is another call.
    CHECK(repaired({ai::user_message("q"), by_model({call("1", "f")}), by_user({reply("2", "f")})}) ==
          R"(user: "q" | model: call 1/f | user: reply 1/f=cancelled)");
}

TEST_CASE("a second reply to one call is dropped") {
    ai::conversation history{ai::user_message("q"), by_model({call("1", "f"), call("1", "f")}),
                             by_user({reply("1", "f", 1), reply("1", "f", 2), reply("1", "f", 3)})};
    const ai::conversation fixed = ai::repair_history(history);
    CHECK(glance(fixed) == R"(user: "q" | model: call 1/f call 1/f | user: reply 1/f reply 1/f)");
    CHECK(fixed.back().parts[1].as<ai::response_part>()->response["result"] == 2);
}

TEST_CASE("empty messages are removed, and neighbours of one role become one") {
    const ai::conversation history{ai::user_message("a"),      by_user({}),
                                   ai::user_message(" \n"),    ai::user_message("b"),
                                   by_model({call("1", "f")}), by_model({call("2", "g")}),
                                   by_user({reply("1", "f")}), by_user({say("c")}),
                                   by_user({reply("2", "g")})};
    CHECK(repaired(history) == R"(user: "a" "b" | model: call 1/f call 2/g | user: "c" reply 1/f reply 2/g)");
}

TEST_CASE("a question behind replies starts a turn of its own") {
    const ai::conversation history{ai::user_message("q"), by_model({call("1", "f")}), by_user({reply("1", "f")}),
                                   ai::user_message("another")};
    CHECK(repaired(history) == R"(user: "q" | model: call 1/f | user: reply 1/f | synthetic model: text | user: "another")");
    const ai::conversation unanswered{ai::user_message("q"), by_model({call("1", "f")}), ai::user_message("another")};
    CHECK(repaired(unanswered) == R"(user: "q" | model: call 1/f | user: reply 1/f=cancelled | synthetic model: text | user: "another")");
}

TEST_CASE("a conversation that begins with the model gets a message before it") {
    CHECK(repaired({ai::model_message("Hello, I am your medic."), ai::user_message("Heal me.")}) ==
          R"(synthetic user: text | model: "Hello, I am your medic." | user: "Heal me.")");
}

TEST_CASE("what has no place in a message of its role is left out") {
    CHECK(repaired({by_user({say("q"), call("1", "f"), ai::thought_part{.text = "hm"}}),
                    by_model({say("a"), reply("1", "f"), call("", "")})}) == R"(user: "q" | model: "a")");
    ai::conversation history{ai::user_message("q"), by_model({ai::call_part{.id = "1", .name = "f", .arguments = "{}"}}),
                             by_user({reply("1", "f")})};
    CHECK(ai::repair_history(history)[1].parts[0].as<ai::call_part>()->arguments == ai::json::object());
}

TEST_CASE("a wire form stays on an unchanged message, and goes with a change") {
    ai::message signed_call = by_model({ai::opaque_part{}, call("1", "f")});
    signed_call.wire = ai::wire_form{.provider = "gemini", .body = {{"parts", {{{"thoughtSignature", "x"}}}}}};
    ai::conversation history{ai::user_message("q"), signed_call};
    const ai::conversation fixed = ai::repair_history(history);
    CHECK(glance(fixed) == R"(user: "q" | model: opaque call 1/f (wire) | user: reply 1/f=cancelled)");
    CHECK(fixed.share(1) == history.share(1));
    history.push_back(ai::model_message("a"));
    CHECK(repaired(history) == R"(user: "q" | model: call 1/f "a" | user: reply 1/f=cancelled)");
    // Nobody can read such a part without its provider's form.
    CHECK(repaired({ai::user_message("q"), by_model({ai::opaque_part{}, say("a")})}) == R"(user: "q" | model: "a")");
}

namespace {

/// The rules again, in another way than the repair has them: the first that is broken.
std::string broken_rule(const ai::conversation& messages) {
    ai::role expected = ai::role::user;
    std::vector<std::pair<std::string, std::string>> open;
    for (const ai::message& one : messages) {
        if (one.role != expected) {
            return "roles alternate";
        }
        expected = expected == ai::role::user ? ai::role::model : ai::role::user;
        const bool by_user = one.role == ai::role::user;
        std::vector<std::pair<std::string, std::string>> called;
        std::vector<std::pair<std::string, std::string>> replied;
        bool says_something = false;
        for (const ai::part& each : one.parts) {
            if (const auto* text = each.as<ai::text_part>()) {
                if (!replied.empty() || (text->text.empty() && !one.wire)) {
                    return "texts are not empty, and before replies";
                }
                says_something = says_something || !text->text.empty();
            } else if (const auto* made_call = each.as<ai::call_part>()) {
                if (by_user || made_call->name.empty()) {
                    return "only the model calls, by name";
                }
                called.emplace_back(made_call->id, made_call->name);
            } else if (const auto* made_reply = each.as<ai::response_part>()) {
                if (!by_user) {
                    return "only the user replies";
                }
                replied.emplace_back(made_reply->id, made_reply->name);
            } else if (each.as<ai::opaque_part>() != nullptr && !one.wire) {
                return "opaque parts have a wire form";
            } else if (each.as<ai::opaque_part>() != nullptr) {
                says_something = says_something || by_user;  // a picture
            }
        }
        if (replied != open) {
            return "each call has its reply";
        }
        if (!says_something && called.empty() && replied.empty()) {
            return "no message is empty";
        }
        open = called;
    }
    return open.empty() ? "" : "each call has its reply";
}

bool same_objects(const ai::conversation& a, const ai::conversation& b) {
    return a.size() == b.size() && a.shared_prefix(b) == a.size();
}

/// What is wrong with the repair of one history.
std::string objection(const ai::conversation& history, const ai::conversation& fixed) {
    if (std::string broken = broken_rule(fixed); !broken.empty()) {
        return broken;
    }
    if (!ai::check_history(fixed).empty()) {
        return "the check finds: " + faults(fixed);
    }
    if (!same_objects(ai::repair_history(fixed), fixed)) {
        return "a second repair changes something";
    }
    if (glance(ai::repair_history(history)) != glance(fixed)) {
        return "the repair is not deterministic";
    }
    if (same_objects(fixed, history) != ai::check_history(history).empty()) {
        return "what is good is untouched, and only that";
    }
    return {};
}

}  // namespace

TEST_CASE("any history is legal after its repair, a second repair changes nothing, and nothing good is lost") {
    int good = 0;
    int kept = 0;
    for (unsigned seed = 0; seed < 5'000; ++seed) {
        std::mt19937 random(seed);
        const ai::conversation history = support::random_history(random);
        const ai::conversation fixed = ai::repair_history(history);
        if (const std::string wrong = objection(history, fixed); !wrong.empty()) {
            FAIL("seed " << seed << ": " << wrong << "\n" << glance(history) << "\n" << glance(fixed));
        }
        good += same_objects(fixed, history) ? 1 : 0;
        // A message with a wire form is one of the history's own, or it was changed.
        std::size_t j = 0;
        for (std::size_t i = 0; i < fixed.size(); ++i) {
            std::size_t at = j;
            while (at < history.size() && history.share(at) != fixed.share(i)) {
                ++at;
            }
            if (at < history.size()) {
                j = at + 1;
                ++kept;
            } else if (fixed[i].wire) {
                FAIL("seed " << seed << ": a changed message has a wire form\n" << glance(history) << "\n" << glance(fixed));
            }
        }
    }
    CHECK(good > 200);
    CHECK(kept > 1'000);
}

TEST_CASE("a long history with very many calls is repaired in time") {
    ai::conversation history{ai::user_message("q")};
    std::vector<ai::part> calls;
    std::vector<ai::part> replies;
    for (int i = 0; i < 20'000; ++i) {
        calls.push_back(call(std::to_string(i), i % 2 == 0 ? "g" : "f"));
        replies.push_back(reply("", i % 2 == 0 ? "f" : "g"));
    }
    history.push_back(by_model(std::move(calls)));
    history.push_back(by_user(std::move(replies)));
    CHECK(ai::check_history(ai::repair_history(history)).empty());
}

TEST_CASE("a picture in a message of the user is kept when a question follows it") {
    ai::message picture = by_user({ai::opaque_part{}});
    picture.wire = ai::wire_form{.provider = "gemini", .body = {{"parts", {{{"inlineData", "..."}}}}}};
    CHECK(repaired({picture, ai::user_message("What is it?")}) == R"(user: opaque (wire) | synthetic model: text | user: "What is it?")");
}

TEST_CASE("an image of the user is content, and one that nobody could send is left out") {
    const ai::part cat = ai::image_part{pictures::png()};
    const ai::part broken = ai::image_part{ai::image("image/png", "")};
    CHECK(ai::check_history({by_user({cat})}).empty());
    CHECK(repaired({by_user({cat}), by_user({say("What is it?")})}) == R"(user: image/png "What is it?")");
    CHECK(repaired({by_user({broken, say("What is it?")})}) == R"(user: "What is it?")");
    CHECK(repaired({by_user({say("Draw.")}), by_model({cat, say("Here.")})}) == R"(user: "Draw." | model: "Here.")");
    CHECK(repaired({by_user({say("Look.")}), by_model({call("a", "f")}), by_user({reply("a", "f")}), by_user({cat})}) ==
          R"(user: "Look." | model: call a/f | user: reply a/f | synthetic model: text | user: image/png)");
}

TEST_CASE("a repaired message keeps the images of its replies") {
    ai::response_part seen = *reply("b", "g").as<ai::response_part>();
    seen.images = {pictures::png()};
    const ai::conversation history =
        ai::repair_history({by_user({say("Look.")}), by_model({call("a", "f"), call("b", "g")}), by_user({seen, reply("a", "f")})});
    CHECK(glance(history) == R"(user: "Look." | model: call a/f call b/g | user: reply a/f reply b/g)");
    CHECK(history[2].parts[1].as<ai::response_part>()->images == std::vector{pictures::png()});
}
