// A conversation that goes from one service to another and back, with calls, thoughts and pictures: each service takes what the other
// wrote.
#include <pyaichat/anthropic/anthropic.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/openai/openai.hpp>
#include <pyaichat/provider/fallback.hpp>
#include <pyaichat/testing/anthropic_emulator.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>
#include <pyaichat/testing/openai_emulator.hpp>

#include "catch.hpp"
#include "pictures.hpp"
#include "responses_double.hpp"

#include <array>
#include <functional>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace {

/// A service that checks its requests strictly.
class service {
public:
    virtual ~service() = default;
    [[nodiscard]] virtual ai::any_provider provider() = 0;
    /// Thoughts that have to come back, then parallel calls of `look` and `fail`.
    virtual void will_call(int turn) = 0;
    virtual void will_answer() = 0;
    virtual void will_fail() = 0;
    [[nodiscard]] virtual std::vector<std::string> requests() = 0;
    /// Begins what only this service can read, and must get back.
    [[nodiscard]] virtual std::string mark() const = 0;
};

template <class Emulator>
std::vector<std::string> accepted(const Emulator& emulator) {
    std::vector<std::string> out;
    for (const auto& seen : emulator.requests()) {
        CAPTURE(seen.text);
        INFO((seen.refusal ? seen.refusal->message() : ""));
        CHECK_FALSE(seen.refusal);
        out.push_back(seen.text);
    }
    return out;
}

class gemini_service : public service {
public:
    ai::any_provider provider() override { return ai::gemini{{.api_key = "test-key", .base_url = emulator_.base_url()}}; }
    void will_call(int turn) override {
        const std::string n = std::to_string(turn);
        const json look = {{"id", "fc:" + n + "/1"}, {"name", "look"}, {"args", json::object()}};
        const json fail = {{"id", "fc:" + n + "/2"}, {"name", "fail"}, {"args", json::object()}};
        emulator_.enqueue(fake::gemini_reply::parts(json::array({{{"text", "google thinks"}, {"thought", true}},
                                                                 {{"functionCall", look}, {"thoughtSignature", "Z29vZ2xl" + n + "AAA"}},
                                                                 {{"functionCall", fail}}})));
    }
    void will_answer() override { emulator_.enqueue(fake::gemini_reply::text("A cat.", "Z29vZ2xlAAAA")); }
    void will_fail() override { emulator_.enqueue(fake::gemini_reply::overloaded()); }
    std::vector<std::string> requests() override { return accepted(emulator_); }
    std::string mark() const override { return "Z29vZ2xl"; }

private:
    fake::gemini_emulator emulator_;
};

/// Chat Completions, with the reasoning of Kimi.
class chat_service : public service {
public:
    ai::any_provider provider() override {
        return ai::openai{{.api_key = "test-key",
                           .model = "gpt-5.4-mini",
                           .base_url = emulator_.base_url(),
                           .profile = *ai::openai_profile_named("kimi")}};
    }
    void will_call(int turn) override {
        const int first = 2 * turn;
        emulator_.enqueue(fake::openai_reply::calls({{"functions.look:" + std::to_string(first), "look", "{}"},
                                                     {"functions.fail:" + std::to_string(first + 1), "fail", "{}"}})
                              .thinking("moonshot thinks"));
    }
    void will_answer() override { emulator_.enqueue(fake::openai_reply::text("A cat.")); }
    void will_fail() override { emulator_.enqueue(fake::openai_reply::error(503, "Overloaded")); }
    std::vector<std::string> requests() override { return accepted(emulator_); }
    std::string mark() const override { return "moonshot"; }

private:
    fake::openai_emulator emulator_{{.service = {.demanded_member = "reasoning_content"}}};
};

class responses_service : public service {
public:
    ai::any_provider provider() override {
        return ai::openai{{.api_key = "test-key", .model = "gpt-5.4-mini", .api = ai::openai_api::responses, .stream = false}, double_};
    }
    void will_call(int turn) override {
        const std::string n = std::to_string(turn);
        const json thoughts = {{"type", "reasoning"},
                               {"id", "rs_" + n},
                               {"summary", json::array({{{"type", "summary_text"}, {"text", "openai thinks"}}})},
                               {"encrypted_content", "encrypted" + n}};
        double_.reply(200, {{"id", "resp_" + n},
                            {"status", "completed"},
                            {"output", json::array({thoughts, call(n + "a", "look"), call(n + "b", "fail")})}});
    }
    void will_answer() override {
        const json text = {{"type", "output_text"}, {"text", "A cat."}, {"annotations", json::array()}};
        const json message = {
            {"type", "message"}, {"id", "msg_1"}, {"role", "assistant"}, {"status", "completed"}, {"content", json::array({text})}};
        double_.reply(200, {{"id", "resp_x"}, {"status", "completed"}, {"output", json::array({message})}});
    }
    void will_fail() override { double_.reply(503, {{"error", {{"message", "Overloaded"}}}}); }
    std::vector<std::string> requests() override {
        CHECK(double_.faults() == std::vector<std::string>());
        return double_.bodies();
    }
    std::string mark() const override { return "encrypted"; }

private:
    static json call(const std::string& id, const char* name) {
        return {{"type", "function_call"}, {"id", "fc_" + id},     {"call_id", "call_" + id}, {"name", name},
                {"arguments", "{}"},       {"status", "completed"}};
    }
    responses_double double_;
};

class anthropic_service : public service {
public:
    ai::any_provider provider() override { return ai::anthropic{{.api_key = "test-key", .base_url = emulator_.base_url()}}; }
    void will_call(int turn) override {
        const std::string n = std::to_string(turn);
        emulator_.enqueue(
            fake::anthropic_reply::calls({{"toolu_" + n + "a", "look", json::object()}, {"toolu_" + n + "b", "fail", json::object()}})
                .thinking("claude thinks", "Y2xhdWRl" + n + "AAA"));
    }
    void will_answer() override { emulator_.enqueue(fake::anthropic_reply::text("A cat.")); }
    void will_fail() override { emulator_.enqueue(fake::anthropic_reply::error(503, "api_error", "Overloaded")); }
    std::vector<std::string> requests() override { return accepted(emulator_); }
    std::string mark() const override { return "Y2xhdWRl"; }

private:
    fake::anthropic_emulator emulator_;
};

struct named_service {
    const char* name;
    std::unique_ptr<service> (*make)();
};

template <class Service>
std::unique_ptr<service> make() {
    return std::make_unique<Service>();
}

constexpr std::array<named_service, 4> services = {{{"Gemini", make<gemini_service>},
                                                    {"Chat Completions", make<chat_service>},
                                                    {"Responses", make<responses_service>},
                                                    {"Anthropic", make<anthropic_service>}}};

/// Appends the response, and a reply to each of its calls: a picture, or a failure.
void advance(ai::model_request& request, const ai::model_response& response) {
    ai::message replies;
    for (const ai::part& piece : response.candidates.front().content.parts) {
        if (const auto* call = piece.as<ai::call_part>()) {
            ai::response_part reply{.id = call->id, .name = call->name};
            if (call->name == "look") {
                reply.response = ai::reply_with("a door").envelope();
                reply.images = {pictures::jpeg()};
            } else {
                reply.response = ai::reply_error(ai::reply_code::busy, "no camera").envelope();
            }
            replies.parts.emplace_back(std::move(reply));
        }
    }
    request.messages.push_back(response.candidates.front().content);
    if (!replies.parts.empty()) {
        request.messages.push_back(std::move(replies));
    }
}

bool has(const std::string& text, const std::string& piece) {
    return text.find(piece) != std::string::npos;
}

/// The first service calls, fails, calls again, fails again, and answers the next question. The second one takes over both times.
void hold_conversation(service& first, service& second) {
    first.will_call(1);
    first.will_fail();
    second.will_call(1);
    first.will_call(2);
    first.will_fail();
    second.will_answer();
    first.will_answer();
    ai::fallback either(first.provider(), second.provider());
    ai::model_request request;
    request.declarations = *ai::declare({{.name = "look", .description = "Looks."}, {.name = "fail", .description = "Fails."}});
    request.messages.push_back({.parts = {ai::image_part{pictures::png()}, ai::text_part{"What is this?"}}});
    request.time_left = 60s;
    for (int step = 1; step <= 5; ++step) {
        CAPTURE(step);
        const auto response = either.complete(request, {}, {});
        INFO((response ? "" : response.error().message));
        REQUIRE(response);
        CHECK(response->candidates.front().content.has_calls() == (step <= 3));
        advance(request, *response);
        if (step == 4) {
            request.messages.push_back(ai::user_message("And now?"));
        }
    }
    CHECK(request.messages.back().text() == "A cat.");

    const std::vector<std::string> to_first = first.requests();
    const std::vector<std::string> to_second = second.requests();
    REQUIRE(to_first.size() == 5);
    REQUIRE(to_second.size() == 2);
    for (const auto* requests : {&to_first, &to_second}) {
        for (const std::string& text : *requests) {
            CAPTURE(text);
            CHECK(has(text, "iVBORw0KGgo="));  // the picture of the question
            const bool is_beginning = text == to_first.front();
            CHECK(has(text, "/9j/4A==") == !is_beginning);  // the picture of a reply
            CHECK(has(text, "no camera") == !is_beginning);
        }
    }
    for (std::size_t i = 1; i < to_first.size(); ++i) {
        CHECK(has(to_first[i], first.mark()));
        CHECK_FALSE(has(to_first[i], second.mark()));
    }
    CHECK(has(to_second[1], second.mark()));
    for (const std::string& text : to_second) {
        CHECK_FALSE(has(text, first.mark()));
    }
}

}  // namespace

TEST_CASE("each service takes over a conversation in the middle, and gives it back") {
    for (const named_service& first : services) {
        for (const named_service& second : services) {
            if (&first != &second) {
                DYNAMIC_SECTION("from " << first.name << " to " << second.name) {
                    const auto one = first.make();
                    const auto other = second.make();
                    hold_conversation(*one, *other);
                }
            }
        }
    }
}
