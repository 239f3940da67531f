#include <pyaichat/agent/basic_agent.hpp>

#include <pyaichat/message/stored_conversation.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

#include <algorithm>
#include <stdexcept>

using namespace bench;

// ---- the way through

TEST_CASE("a question, a call, its reply, and the answer") {
    agent_bench b{{fake::call("get_type", {{"expr", "df"}}, "fc-1"), fake::say("It is a DataFrame.")}};
    b.offer("get_type", [](std::string expr) { return "type of " + expr; }, ai::arg{"expr"});
    const ai::answer reply = b.answer("what is df?");
    CHECK(reply.text == "It is a DataFrame.");
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK_FALSE(reply.degraded());
    CHECK(reply.steps == 2);
    CHECK(is_legal_history(reply.messages));
    CHECK(replies_in(reply.messages) == std::vector<std::string>{R"({"ok":true,"result":"type of df"})"});
    CHECK(b.events.names() ==
          "run_started step_started usage_updated calls_proposed call_started call_finished step_finished "
          "step_started usage_updated text_delta step_finished run_finished");

    const auto requests = b.model.requests();
    REQUIRE(requests.size() == 2);
    CHECK(requests[0].instructions == "Be brief.");
    CHECK(requests[0].mode == ai::tool_mode::automatic);
    REQUIRE(requests[0].declarations.size() == 1);
    CHECK(requests[1].declarations.begin() == requests[0].declarations.begin());
    CHECK(requests[1].messages.size() == 3);
}

TEST_CASE("a direct answer needs no call") {
    agent_bench b{{fake::say("Hello.")}};
    const ai::answer reply = b.answer();
    CHECK(reply.text == "Hello.");
    CHECK(reply.steps == 1);
    CHECK(b.model.request_count() == 1);
}

TEST_CASE("several calls of one response run in order, and their replies go back in one message with the ids") {
    std::vector<int> order;
    agent_bench b{{fake::calls({{.id = "x", .name = "f", .arguments = {{"n", 1}}},
                                {.name = "f", .arguments = {{"n", 2}}},
                                {.id = "z", .name = "f", .arguments = {{"n", 3}}}},
                               "Let me look."),
                   fake::say("done")}};
    b.offer(
        "f",
        [&](int n) {
            order.push_back(n);
            return n;
        },
        ai::arg{"n"});
    const ai::answer reply = b.answer();
    CHECK(order == std::vector{1, 2, 3});
    REQUIRE(reply.messages.size() == 4);
    const ai::message& replies = reply.messages[2];
    REQUIRE(replies.parts.size() == 3);
    CHECK(replies.parts[0].as<ai::response_part>()->id == "x");
    CHECK(replies.parts[1].as<ai::response_part>()->id.empty());
    CHECK(replies.parts[2].as<ai::response_part>()->id == "z");
    CHECK(reply.text == "done");
}

TEST_CASE("text beside calls is commentary, not the answer") {
    agent_bench b{{fake::calls({{.name = "f"}}, "Looking."), fake::say("The answer.")}};
    b.offer("f", [] {});
    const ai::answer reply = b.answer();
    CHECK(reply.text == "The answer.");
    const auto shown = b.events.all<ai::text_delta>();
    REQUIRE(shown.size() == 2);
    CHECK(shown[0].text == "Looking.");
}

TEST_CASE("thoughts are shown apart and are never part of the answer") {
    ai::message thinking;
    thinking.parts = {ai::thought_part{.text = "hm"}, ai::text_part{.text = "Yes."}};
    agent_bench b{{fake::respond(fake::response_of(thinking))}};
    CHECK(b.answer().text == "Yes.");
    CHECK(b.events.all<ai::thought_delta>().size() == 1);
}

TEST_CASE("text streams as it comes and is not shown twice") {
    agent_bench b{{fake::stream({"It ", "is ", "7."})}};
    CHECK(b.answer().text == "It is 7.");
    CHECK(b.events.all<ai::text_delta>().size() == 3);
}

TEST_CASE("what the model sent goes back unchanged, its wire form included") {
    ai::message content;
    content.parts = {ai::call_part{.id = "c", .name = "f"}};
    content.wire = ai::wire_form{.provider = "test", .body = {{"signature", "abc"}}};
    agent_bench b{{fake::respond(fake::response_of(content)), fake::say("ok")}};
    b.offer("f", [] {});
    static_cast<void>(b.answer());
    const auto requests = b.model.requests();
    REQUIRE(requests[1].messages[1].wire);
    CHECK(requests[1].messages[1].wire->body == ai::json({{"signature", "abc"}}));
}

TEST_CASE("usage adds up over the run") {
    ai::model_response first = fake::response_of({.role = ai::role::model, .parts = {ai::call_part{.name = "f"}}});
    first.usage = {.input_tokens = 10, .output_tokens = 2};
    ai::model_response second = fake::response_of(ai::model_message("x"));
    second.usage = {.input_tokens = 20, .output_tokens = 3, .cached_tokens = 5};
    agent_bench b{{fake::respond(first), fake::respond(second)}};
    b.offer("f", [] {});
    CHECK(b.answer().usage == ai::token_usage{.input_tokens = 30, .output_tokens = 5, .cached_tokens = 5});
}

TEST_CASE("an earlier answer's messages continue the conversation") {
    agent_bench b{{fake::say("Anna."), fake::say("Four letters.")}};
    const ai::answer first = b.answer("Who?");
    ai::pumped_run run = b.agent.ask({.question = "How long?", .history = first.messages});
    REQUIRE(b.settle(run) == ai::progress::done);
    CHECK(run.reply().messages.size() == 4);
    CHECK(b.model.requests()[1].messages[0].text() == "Who?");
}

// ---- replies

TEST_CASE("an unknown function is told the nearest name, and the model converges") {
    agent_bench b{{fake::call("get_tpye"), fake::call("get_type"), fake::say("ok")}};
    b.offer("get_type", [] { return 1; });
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(codes_in(reply.messages) == std::vector<std::string>{"unknown_function", "ok"});
    CHECK(replies_in(reply.messages)[0].find(R"("nearest":"get_type")") != std::string::npos);
    CHECK(b.events.all<ai::call_denied>().size() == 1);
}

TEST_CASE("invalid arguments do not end the run, and the model converges") {
    agent_bench b{{fake::call("f", {{"n", "one"}}), fake::call("f", {{"n", 1}}), fake::say("ok")}};
    b.offer("f", [](int n) { return n; }, ai::arg{"n"});
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(codes_in(reply.messages) == std::vector<std::string>{"invalid_args", "ok"});
}

TEST_CASE("a provider cannot switch the validation of arguments off") {
    using maker = ai::argument_check (*)(const ai::capability_list&);
    const std::vector<maker> lies{[](const ai::capability_list&) { return ai::argument_check(); },
                                  [](const ai::capability_list& declared) { return declared.check("f", {{"n", 1}}); },
                                  [](const ai::capability_list& declared) { return declared.check("g", {{"n", "one"}}); },
                                  [](const ai::capability_list&) {
                                      return ai::declare({{.name = "f", .description = "Takes anything."}})->check("f", {{"n", "one"}});
                                  },
                                  [](const ai::capability_list& declared) {
                                      ai::argument_check honest = declared.check("f", {{"n", "one"}});
                                      const ai::argument_check moved = std::move(honest);
                                      return honest;  // NOLINT(bugprone-use-after-move)
                                  }};
    for (const maker lie : lies) {
        agent_bench b{{[lie](const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel) {
                           ai::result<ai::model_response> response = fake::call("f", {{"n", "one"}})(request, sink, cancel);
                           response->candidates.front().checks = {lie(request.declarations)};
                           return response;
                       },
                       fake::say("ok")}};
        bool run = false;
        b.offer("f", [&](int) { run = true; }, ai::arg{"n"});
        b.offer("g", [](const std::string&) {}, ai::arg{"n"});
        CHECK(codes_in(b.answer().messages) == std::vector<std::string>{"invalid_args"});
        CHECK_FALSE(run);
    }
}

TEST_CASE("the check of a provider is used, and stored nowhere") {
    agent_bench b{{[](const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel) {
                       ai::result<ai::model_response> response = fake::call("f", {{"n", 7}})(request, sink, cancel);
                       response->candidates.front().checks = {request.declarations.check("f", {{"n", 7}})};
                       return response;
                   },
                   fake::say("ok")}};
    b.offer("f", [](int n) { return n; }, ai::arg{"n"});
    const ai::answer reply = b.answer();
    CHECK(codes_in(reply.messages) == std::vector<std::string>{"ok"});
    CHECK(ai::dump_json(ai::stored(reply.messages)).find("check") == std::string::npos);
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("nothing thrown by a capability leaves the loop") {
    agent_bench b{{fake::calls({{.name = "standard"}, {.name = "other"}, {.name = "fine"}}), fake::say("ok")}};
    b.offer("standard", []() -> int { throw std::runtime_error("broken"); });
    b.offer("other", []() -> int { throw 7; });
    b.offer("fine", [] { return 1; });
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(codes_in(reply.messages) == std::vector<std::string>{"internal", "internal", "ok"});
    CHECK(replies_in(reply.messages)[0].find("broken") != std::string::npos);
}
#endif

TEST_CASE("a capability that drops its responder is abandoned") {
    agent_bench b{{fake::call("f"), fake::say("ok")}};
    b.offer("f", [](ai::capability_responder responder) { responder = {}; });
    CHECK(codes_in(b.answer().messages) == std::vector<std::string>{"abandoned"});
}

TEST_CASE("an asynchronous capability answers later, and a late answer after its timeout is ignored") {
    agent_bench b{{fake::call("slow"), fake::call("slow"), fake::say("ok")}, {.call_timeout = 1s}};
    std::vector<ai::capability_responder> kept;
    b.offer("slow", [&](ai::capability_responder responder) { kept.push_back(std::move(responder)); });
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    REQUIRE(kept.size() == 1);
    kept[0](ai::reply_with("in time"));
    CHECK(b.settle(run) == ai::progress::waiting);
    REQUIRE(kept.size() == 2);
    b.clock.advance(1s);
    CHECK(b.settle(run) == ai::progress::done);
    kept[1](ai::reply_with("too late"));
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"ok", "in_doubt"});
    CHECK(run.reply().reason == ai::stop_reason::complete);
}

TEST_CASE("a capability that holds the thread past its deadline is answered with timeout, and by how much is said") {
    agent_bench b{{fake::call("slow"), fake::say("ok")}, {.call_timeout = 1s}};
    REQUIRE(b.agent.capabilities().add(ai::capability("slow", "Slow.", [&] {
                                           b.clock.advance(3s);
                                           return "a result that comes too late";
                                       }).with(ai::effects::read)));
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(codes_in(reply.messages) == std::vector<std::string>{"timeout"});
    CHECK(replies_in(reply.messages)[0].find("3 s") != std::string::npos);
}

TEST_CASE("a capability's own timeout replaces the general one and its token is tripped") {
    agent_bench b{{fake::call("slow"), fake::say("ok")}, {.call_timeout = 5s}};
    ai::cancel_token token;
    ai::capability_responder kept;
    ai::capability_spec spec;
    spec.name = "slow";
    spec.description = "Slow.";
    spec.timeout = 1s;
    REQUIRE(
        b.agent.capabilities().add(ai::function_capability(spec, [&](const ai::capability_call& call, ai::capability_responder responder) {
            token = call.cancel;
            CHECK(call.time_left == 1s);
            kept = std::move(responder);
        })));
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    CHECK_FALSE(token.stop_requested());
    b.clock.advance(1s);
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(token.stop_requested());
}

TEST_CASE("a long result is cut to head and tail, and an error to its beginning") {
    agent_bench b{{fake::calls({{.name = "big"}, {.name = "bad"}}), fake::say("ok")}, {.max_reply_bytes = 1000}};
    b.offer("big", [] { return "head" + std::string(20'000, '\n') + "tail"; });
    b.offer("bad", []() -> ai::result<int> { return ai::failure{.hint = std::string(20'000, 'x')}; });
    const auto replies = replies_in(b.answer().messages);
    REQUIRE(replies.size() == 2);
    CHECK(replies[0].size() <= 1000);
    const auto cut = ai::parse_json(replies[0]);
    REQUIRE(cut);
    const std::string text = (*cut)["result"]["text"];
    CHECK(text.substr(0, 4) == "head");
    CHECK(text.substr(text.size() - 4) == "tail");
    CHECK((*cut)["truncated"]["bytes"] > 19'000);
    CHECK(replies[1].size() <= 1000);
    CHECK(ai::parse_json(replies[1]));
}

TEST_CASE("the limit of a reply holds for all of it, and the result comes before the note") {
    agent_bench b{{fake::calls({{.name = "noted"}, {.name = "marked"}, {.name = "failed"}}), fake::say("ok")}, {.max_reply_bytes = 1000}};
    const auto answering = [](ai::capability_reply reply) { return [reply](ai::capability_responder responder) { responder(reply); }; };
    ai::capability_reply noted = ai::reply_with("the result");
    noted.note = std::string(100'000, 'n');
    ai::capability_reply marked = ai::reply_with("the result");
    marked.truncated = {{"bytes", 12}, {"more", std::string(100'000, 'm')}};
    ai::capability_reply failed = ai::reply_error(ai::reply_code::internal, "the message");
    failed.note = std::string(100'000, 'n');
    b.offer("noted", answering(noted));
    b.offer("marked", answering(marked));
    b.offer("failed", answering(failed));
    const auto replies = replies_in(b.answer().messages);
    REQUIRE(replies.size() == 3);
    for (const std::string& one : replies) {
        CHECK(one.size() <= 1000);
    }
    CHECK(replies[0].find("the result") != std::string::npos);
    CHECK(replies[1] == R"({"ok":true,"result":"the result","truncated":{"bytes":12}})");
    CHECK(replies[2].find("the message") != std::string::npos);
}

TEST_CASE("names of members are repaired like texts, and none is lost") {
    agent_bench b{{fake::call("odd"), fake::say("ok")}, {.max_reply_bytes = 0}};
    b.offer("odd", [] {
        ai::json value = ai::json::object();
        value["\xFF"] = 1;
        value["\xFE"] = 2;
        for (int i = 0; i < 5000; ++i) {
            value[std::string(i / 64, '\xC0') + std::string(1, static_cast<char>(0x80 + i % 64))] = i;
        }
        value["fine"] = ai::json::array({{{"\xC3", 3}}});
        return value;
    });
    const ai::answer reply = b.answer();
    const auto& sent = reply.messages[2].parts.at(0).as<ai::response_part>()->response;
    CHECK(sent["result"].size() == 5003);
    CHECK(sent["result"]["fine"][0].count("\xEF\xBF\xBD") == 1);
    CHECK(sent["result"].count("\xEF\xBF\xBD") == 1);
}

TEST_CASE("what a provider has no place for in the model's message is not kept") {
    ai::message odd{.role = ai::role::model};
    odd.parts.emplace_back(ai::response_part{.id = "1", .name = "look"});
    odd.parts.emplace_back(ai::opaque_part{{{"strange", 1}}});
    odd.parts.emplace_back(ai::text_part{.text = " "});
    odd.parts.emplace_back(ai::call_part{.id = "1", .name = "look"});
    agent_bench b{{fake::respond(fake::response_of(odd)), fake::say("Done.")}};
    b.offer("look", [] { return 1; });
    const ai::answer reply = b.answer();
    CHECK(is_legal_history(reply.messages));
    CHECK(ai::check_history(b.model.requests()[1].messages).empty());
    CHECK(codes_in(reply.messages) == std::vector<std::string>{"ok"});
}

TEST_CASE("a result that is not UTF-8 or nests too deep is never fatal") {
    agent_bench b{{fake::calls({{.name = "bytes"}, {.name = "deep"}}), fake::say("ok")}};
    b.offer("bytes", [] { return std::string("\xFF\xFE"); });
    b.offer("deep", [] {
        ai::json value = 1;
        for (int i = 0; i < 5000; ++i) {
            ai::json outer = ai::json::array();
            outer.push_back(std::move(value));
            value = std::move(outer);
        }
        return value;
    });
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(codes_in(reply.messages) == std::vector<std::string>{"ok", "internal"});
}

// ---- responses that cannot be used

TEST_CASE("an empty response is retried once, with a corrective text, and then the run fails softly") {
    agent_bench b{{fake::say(" "), fake::say("")}};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::invalid_response);
    CHECK(reply.steps == 2);
    CHECK(b.model.request_count() == 2);
    const auto requests = b.model.requests();
    REQUIRE(requests[1].messages.size() == 1);
    CHECK(requests[1].messages[0].text().find("could not be used") != std::string::npos);
    CHECK_FALSE(reply.text.empty());
    CHECK(is_legal_history(reply.messages));
}

TEST_CASE("a malformed call is never run, is retried once, and then the run fails softly") {
    int ran = 0;
    agent_bench b{{fake::calls({{.name = "f"}, {.name = ""}}), fake::calls({{.name = "f", .arguments = ai::json::array()}})}};
    b.offer("f", [&] { ++ran; });
    const ai::answer reply = b.answer();
    CHECK(ran == 0);
    CHECK(reply.reason == ai::stop_reason::invalid_response);
    CHECK(b.model.request_count() == 2);
    REQUIRE(reply.error);
    CHECK(reply.error->code == ai::errc::bad_response);
}

TEST_CASE("after a corrective retry the run goes on") {
    agent_bench b{{fake::respond({}), fake::say("fine")}};
    const ai::answer reply = b.answer();
    CHECK(reply.text == "fine");
    CHECK(reply.reason == ai::stop_reason::complete);
}

TEST_CASE("a later candidate is used when the first is unusable") {
    ai::model_response response = fake::response_of(ai::model_message("secret"), ai::finish_reason::blocked, "SAFETY");
    response.candidates.push_back({.content = {.role = ai::role::model}, .finish = ai::finish_reason::stop});
    response.candidates.push_back({.content = ai::model_message("usable"), .finish = ai::finish_reason::stop});
    agent_bench b{{fake::respond(response)}};
    const ai::answer reply = b.answer();
    CHECK(reply.text == "usable");
    CHECK(reply.steps == 1);
}

TEST_CASE("a response that is only blocked is retried once and then ends blocked") {
    const auto blocked = fake::respond(fake::response_of(ai::model_message("secret"), ai::finish_reason::blocked, "SAFETY"));
    agent_bench b{{blocked, blocked}};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::blocked);
    CHECK(reply.text.find("SAFETY") != std::string::npos);
    CHECK(reply.text.find("secret") == std::string::npos);
    CHECK(b.model.request_count() == 2);
}

TEST_CASE("what was wrong with an unusable response is said in one sentence") {
    ai::model_response response = fake::response_of({.role = ai::role::model}, ai::finish_reason::malformed, "MALFORMED_FUNCTION_CALL");
    response.candidates[0].finish_message = "Malformed function call: print(x).";
    agent_bench b{{fake::respond(response), fake::respond(response)}};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::invalid_response);
    CHECK(reply.text ==
          "The model's response could not be used: it was malformed (MALFORMED_FUNCTION_CALL): Malformed function call: print(x).");
}

TEST_CASE("a blocked prompt ends the run at once") {
    ai::model_response response;
    response.prompt_block = "PROHIBITED_CONTENT";
    agent_bench b{{fake::respond(response)}};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::blocked);
    CHECK(reply.text.find("PROHIBITED_CONTENT") != std::string::npos);
    CHECK(b.model.request_count() == 1);
}

TEST_CASE("a cut answer is given, and said to be cut") {
    agent_bench b{{fake::say("The beginning", ai::finish_reason::length)}};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::truncated);
    CHECK(reply.text.rfind("The beginning", 0) == 0);
    CHECK(reply.text.find("MAX_TOKENS") != std::string::npos);
    CHECK(is_legal_history(reply.messages));
}

TEST_CASE("calls of a response that was cut are not run") {
    int ran = 0;
    ai::message content{.role = ai::role::model, .parts = {ai::call_part{.name = "f"}}};
    agent_bench b{{fake::respond(fake::response_of(content, ai::finish_reason::length, "MAX_TOKENS")), fake::say("ok")}};
    b.offer("f", [&] { ++ran; });
    CHECK(b.answer().reason == ai::stop_reason::complete);
    CHECK(ran == 0);
}

// ---- limits

TEST_CASE("a run makes exactly max_steps model calls and then says what is known") {
    agent_bench b{{}, {.max_steps = 3, .max_repeats = 0}};
    for (int i = 0; i < 9; ++i) {
        b.model.add(fake::call("get_type", {{"expr", "v" + std::to_string(i)}}));
    }
    b.offer("get_type", [](std::string expr) { return expr + " is an int"; }, ai::arg{"expr"});
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::max_steps);
    CHECK(reply.steps == 3);
    CHECK(b.model.request_count() == 3);
    CHECK(reply.text ==
          "There was no answer within the limit of 3 steps (max_steps).\n\nConfirmed so far:\nget_type(v0) -> v0 is an int\n"
          "get_type(v1) -> v1 is an int\nget_type(v2) -> v2 is an int");
    CHECK(is_legal_history(reply.messages));
    CHECK(reply.messages.back().synthetic);
}

TEST_CASE("findings are at most eight lines, and commentary comes first") {
    agent_bench b{{fake::calls(std::vector<ai::call_part>(12, ai::call_part{.name = "f"}), "I think it is a list.")},
                  {.max_steps = 1, .max_repeats = 0}};
    b.offer("f", [] { return std::string(500, 'x'); });
    const std::string text = b.answer().text;
    CHECK(text.rfind("I think it is a list.\n\nThere was no answer", 0) == 0);
    const std::string findings = text.substr(text.find("Confirmed so far:"));
    CHECK(std::count(findings.begin(), findings.end(), '\n') == 8);
    CHECK(findings.find("and 5 more") != std::string::npos);
    CHECK(findings.size() <= 8 * 161 + 20);
}

TEST_CASE("the step deadline ends a run whose provider never answers, and its late answer is ignored") {
    agent_bench b{{fake::say("too late")}, {.step_timeout = 2s}};
    ai::pumped_run run = b.ask();
    CHECK(run.pump() == ai::progress::waiting);
    b.clock.advance(1999ms);
    CHECK(run.pump() == ai::progress::waiting);
    b.clock.advance(1ms);
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::step_timeout);
    b.background.run_all();
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::step_timeout);
}

TEST_CASE("the total deadline ends a run between its steps and keeps the findings") {
    agent_bench b{{fake::call("f"), fake::say("too late")}, {.step_timeout = 8s, .total_timeout = 10s, .call_timeout = 20s}};
    b.offer("f", [&] {
        b.clock.advance(4s);
        return 1;
    });
    ai::pumped_run run = b.ask();
    CHECK(run.pump() == ai::progress::waiting);
    CHECK(b.background.run_one());
    CHECK(run.pump(10s) == ai::progress::waiting);
    b.clock.advance(6s);
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::total_timeout);
    CHECK(run.reply().text.find("f() -> 1") != std::string::npos);
}

TEST_CASE("the total deadline cuts a call, closes the ones after it, and says by how much it was overrun") {
    agent_bench b{{fake::calls({{.name = "slow"}, {.name = "never"}})}, {.total_timeout = 4s, .call_timeout = 60s}};
    b.offer("slow", [&] { b.clock.advance(7s); });
    b.offer("never", [] { FAIL("the run is over"); });
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::total_timeout);
    CHECK(codes_in(reply.messages) == std::vector<std::string>{"in_doubt", "timeout"});
    CHECK(reply.text.find("3 s late") != std::string::npos);
    CHECK(is_legal_history(reply.messages));
}

TEST_CASE("calls above the step's and the run's limit are answered, not run") {
    int ran = 0;
    const auto three = fake::calls(std::vector<ai::call_part>(3, ai::call_part{.name = "f"}));
    agent_bench b{{three, three, three}, {.max_calls_per_step = 2, .max_calls = 3, .max_repeats = 0}};
    b.offer("f", [&] { ++ran; });
    const ai::answer reply = b.answer();
    CHECK(ran == 3);
    CHECK(reply.reason == ai::stop_reason::max_calls);
    CHECK(codes_in(reply.messages) ==
          std::vector<std::string>{"ok", "ok", "limit", "ok", "limit", "limit", "cancelled", "cancelled", "cancelled"});
    CHECK(is_legal_history(reply.messages));
}

TEST_CASE("one call with one result is remarked on, then refused, then ends the run") {
    int ran = 0;
    agent_bench b{{}, {.max_steps = 20}};
    for (int i = 0; i < 9; ++i) {
        b.model.add(fake::call("f"));
    }
    b.offer("f", [&] {
        ++ran;
        return "same";
    });
    const ai::answer reply = b.answer();
    CHECK(ran == 3);
    CHECK(reply.reason == ai::stop_reason::repeating);
    CHECK(codes_in(reply.messages) == std::vector<std::string>{"ok", "ok", "ok", "repeated", "cancelled"});
    CHECK(replies_in(reply.messages)[2].find("\"note\"") != std::string::npos);
    CHECK(replies_in(reply.messages)[1].find("\"note\"") == std::string::npos);
}

TEST_CASE("a call whose result changes is progress") {
    int ran = 0;
    agent_bench b{{}, {.max_steps = 7}};
    for (int i = 0; i < 9; ++i) {
        b.model.add(fake::call("f"));
    }
    b.offer("f", [&] { return ++ran; });
    CHECK(b.answer().reason == ai::stop_reason::max_steps);
    CHECK(ran == 7);
}

TEST_CASE("the token budget is checked before a model call") {
    ai::model_response first = fake::response_of({.role = ai::role::model, .parts = {ai::call_part{.name = "f"}}});
    first.usage = {.input_tokens = 90, .output_tokens = 10};
    agent_bench b{{fake::respond(first), fake::say("never asked")}, {.max_tokens_total = 100}};
    b.offer("f", [] {});
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::token_budget);
    CHECK(b.model.request_count() == 1);
}

// ---- failures of the provider

TEST_CASE("a transient failure is tried again after the service's delay, and is no step") {
    agent_bench b{{fake::fail(ai::errc::rate_limited, 2s), fake::fail(ai::errc::unavailable, 500ms), fake::say("Hello.")}};
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    CHECK(b.model.request_count() == 1);
    b.clock.advance(2s);
    CHECK(b.settle(run) == ai::progress::waiting);
    CHECK(b.model.request_count() == 2);
    b.clock.advance(500ms);
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().text == "Hello.");
    CHECK(run.reply().steps == 1);
    const auto retries = b.events.all<ai::retry_scheduled>();
    REQUIRE(retries.size() == 2);
    CHECK(retries[0].delay == 2s);
}

TEST_CASE("retries end, and the run says so in a plain sentence") {
    agent_bench b{{fake::fail(ai::errc::unavailable), fake::fail(ai::errc::unavailable), fake::fail(ai::errc::unavailable)}};
    ai::pumped_run run = b.ask();
    for (int i = 0; i < 2; ++i) {
        CHECK(b.settle(run) == ai::progress::waiting);
        b.clock.advance(2s);
    }
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::provider_failed);
    CHECK(run.reply().text.find("scripted") == std::string::npos);
    REQUIRE(run.reply().error);
    CHECK(run.reply().error->message.find("scripted") != std::string::npos);
    CHECK(b.model.request_count() == 3);
}

TEST_CASE("a service that asks for more time than there is ends the step at once") {
    agent_bench b{{fake::fail(ai::errc::rate_limited, 56s)}};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::rate_limited);
    CHECK(reply.text.find("56 s") != std::string::npos);
    CHECK(b.model.request_count() == 1);
}

TEST_CASE("a final failure is not tried again") {
    for (const ai::errc code : {ai::errc::authentication, ai::errc::unknown_model, ai::errc::request_rejected, ai::errc::bad_response}) {
        agent_bench b{{fake::fail(code, {}, "Check GEMINI_API_KEY.")}};
        const ai::answer reply = b.answer();
        CHECK(reply.reason == ai::stop_reason::provider_failed);
        CHECK(reply.text == "Check GEMINI_API_KEY.");
        CHECK(b.model.request_count() == 1);
    }
}

TEST_CASE("an attempt that has shown output is withdrawn and not tried again") {
    agent_bench b{{[](const ai::model_request&, const ai::delta_sink& sink, const ai::cancel_token&) -> ai::result<ai::model_response> {
        sink.text("The ans");
        return ai::failure{.code = ai::errc::connection_failed};
    }}};
    CHECK(b.answer().reason == ai::stop_reason::provider_failed);
    CHECK(b.events.names().find("text_delta step_withdrawn") != std::string::npos);
    CHECK(b.model.request_count() == 1);
}

TEST_CASE("a provider that starts again withdraws what it has shown") {
    agent_bench b{{[](const ai::model_request&, const ai::delta_sink& sink, const ai::cancel_token&) -> ai::result<ai::model_response> {
        sink.text("wrong");
        sink.restart();
        sink.text("right");
        return fake::response_of(ai::model_message("right"));
    }}};
    CHECK(b.answer().text == "right");
    CHECK(b.events.names().find("text_delta step_withdrawn text_delta") != std::string::npos);
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("a provider that throws has failed") {
    agent_bench b{{[](const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&) -> ai::result<ai::model_response> {
        throw std::runtime_error("boom");
    }}};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::provider_failed);
    REQUIRE(reply.error);
    CHECK(reply.error->message.find("boom") != std::string::npos);
}
#endif

TEST_CASE("an executor that drops the work fails the model call") {
    agent_bench b{{fake::say("never")}};
    ai::pumped_run run = b.ask();
    CHECK(run.pump() == ai::progress::waiting);
    b.background.drop_all();
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::provider_failed);
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("a source that cannot say what it declares refuses the run") {
    struct broken {
        ai::result<ai::capability_list> specs() const { throw std::runtime_error("no list"); }
        void invoke(const ai::capability_call&, ai::capability_responder) {}
    };
    ai::basic_agent agent{fake::scripted_provider{fake::say("never")}, broken{}};
    const ai::answer reply = agent.ask("q").wait();
    CHECK(reply.reason == ai::stop_reason::misconfigured);
    CHECK(reply.error->message.find("no list") != std::string::npos);
}
#endif

TEST_CASE("a model that asks for very many unknown functions costs little") {
    std::vector<ai::call_part> many(1'000, ai::call_part{.name = "get_tpye"});
    agent_bench b{{fake::calls(many), fake::say("ok")}};
    for (int i = 0; i < 60; ++i) {
        b.offer("get_type_" + std::to_string(i), [] {});
    }
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::complete);
    const auto codes = codes_in(reply.messages);
    REQUIRE(codes.size() == 1'000);
    CHECK(std::count(codes.begin(), codes.end(), "unknown_function") == 16);
    CHECK(std::count(codes.begin(), codes.end(), "limit") == 984);
}

TEST_CASE("a response with a million calls is not usable, and costs no frame") {
    agent_bench b{{fake::calls(std::vector<ai::call_part>(1'000'000, ai::call_part{.name = "f"})), fake::say("ok")}};
    b.offer("f", [] { FAIL("none of them is made"); });
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::complete);
    CHECK(run.reply().events.size() < 20);
    CHECK(b.model.requests().back().messages.back().text().find("more than 1024 function calls") != std::string::npos);
}

TEST_CASE("every call that was started is finished, and no other") {
    std::vector<ai::call_part> same(6, ai::call_part{.name = "f"});
    agent_bench b{{fake::calls(same)}};
    b.offer("f", [] { return 1; });
    CHECK(b.answer().reason == ai::stop_reason::repeating);
    CHECK(b.events.all<ai::call_started>().size() == 3);
    CHECK(b.events.all<ai::call_finished>().size() == 3);
    CHECK(b.events.all<ai::call_denied>().size() == 3);
}

TEST_CASE("a message that a provider left in the wrong role is the model's all the same") {
    ai::model_response wrong;
    wrong.candidates.push_back({.content = ai::user_message("hello"), .finish = ai::finish_reason::stop});
    agent_bench b{{fake::respond(wrong)}};
    CHECK(is_legal_history(b.answer().messages));
}

TEST_CASE("an answer is shown although only thoughts were streamed") {
    agent_bench b{{[](const ai::model_request&, const ai::delta_sink& sink, const ai::cancel_token&) -> ai::result<ai::model_response> {
        sink.thought("hm");
        return fake::response_of(ai::model_message("The answer."));
    }}};
    CHECK(b.answer().text == "The answer.");
    REQUIRE(b.events.all<ai::text_delta>().size() == 1);
}

TEST_CASE("what was streamed of a candidate that was not chosen is withdrawn") {
    agent_bench b{{[](const ai::model_request&, const ai::delta_sink& sink, const ai::cancel_token&) -> ai::result<ai::model_response> {
        sink.text("secret");
        ai::model_response response = fake::response_of(ai::model_message("secret"), ai::finish_reason::blocked, "SAFETY");
        response.candidates.push_back({.content = ai::model_message("fine"), .finish = ai::finish_reason::stop});
        return response;
    }}};
    CHECK(b.answer().text == "fine");
    CHECK(b.events.names().find("text_delta usage_updated step_withdrawn text_delta") != std::string::npos);
}

TEST_CASE("a provider that gives up before the deadline is not said to have reached it") {
    agent_bench b({fake::fail(ai::errc::timeout, {}, "The proxy did not answer.")}, {.transport_retries = 0});
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::provider_failed);
    CHECK(reply.text == "The proxy did not answer.");
}

TEST_CASE("arguments that nest too deep are a malformed call") {
    ai::json deep = ai::json::object();
    for (int i = 0; i < 200; ++i) {
        ai::json outer = ai::json::object();
        outer["a"] = std::move(deep);
        deep = std::move(outer);
    }
    agent_bench b{{fake::call("f", deep), fake::say("ok")}};
    b.offer("f", [] { FAIL("malformed"); });
    CHECK(b.answer().reason == ai::stop_reason::complete);
}

TEST_CASE("a run's mode goes with each of its requests, and a call that was required is required once") {
    for (const ai::tool_mode mode : {ai::tool_mode::automatic, ai::tool_mode::required, ai::tool_mode::none, ai::tool_mode::validated}) {
        agent_bench b{fake::call("look"), fake::say("Done.")};
        b.offer("look", [] { return 1; });
        ai::pumped_run run = b.agent.ask({.question = "q", .mode = mode});
        CHECK(b.settle(run) == ai::progress::done);
        const auto requests = b.model.requests();
        REQUIRE(requests.size() == 2);
        CHECK(requests[0].mode == mode);
        CHECK(requests[1].mode == (mode == ai::tool_mode::required ? ai::tool_mode::automatic : mode));
    }
}

TEST_CASE("capabilities that are put in the place of others are the ones that a model is told of") {
    agent_bench b{{fake::say("one"), fake::say("two"), fake::say("three")}};
    b.agent.capabilities() = {ai::capability("f", "One.", [] {})};
    static_cast<void>(b.answer());
    b.agent.capabilities() = {ai::capability("g", "Other.", [] {})};
    static_cast<void>(b.answer());
    REQUIRE(b.agent.capabilities().add(ai::capability("h", "More.", [] {})));
    static_cast<void>(b.answer());
    const auto requests = b.model.requests();
    REQUIRE(requests.size() == 3);
    CHECK(requests[0].declarations.find("f") != nullptr);
    CHECK(requests[1].declarations.find("f") == nullptr);
    CHECK(requests[1].declarations.find("g") != nullptr);
    CHECK(requests[2].declarations.size() == 2);
}

TEST_CASE("two capabilities of one name refuse the run and name both") {
    fake::scripted_provider model{fake::say("never")};
    ai::agent agent{ai::borrow(model), {ai::capability("f", "One.", [] {}), ai::capability("f", "Two.", [] {})}};
    const ai::answer reply = agent.ask("q").wait();
    CHECK(reply.reason == ai::stop_reason::misconfigured);
    REQUIRE(reply.error);
    CHECK(reply.error->code == ai::errc::name_clash);
    CHECK(model.request_count() == 0);
}

// ---- forms of the arguments

TEST_CASE("a question is any text or a request in braces, and one observer needs no braces") {
    ai::agent agent{fake::scripted_provider{fake::say("1"), fake::say("2"), fake::say("3")}};
    CHECK(agent.ask(std::string_view("question")).wait().text == "1");
    CHECK(agent.ask({.question = "question"}).wait().text == "2");
    std::string shown;
    CHECK(agent.ask("question", [&](const ai::text_delta& delta) { shown += delta.text; }).wait().text == "3");
    CHECK(shown == "3");
}

TEST_CASE("an agent takes a vector of capabilities") {
    std::vector<ai::function_capability> doors;
    doors.push_back(ai::capability("attic", "A door.", [] { return "open"; }));
    doors.push_back(ai::capability("cellar", "A door.", [] { return "locked"; }));
    ai::agent agent{fake::scripted_provider{fake::call("cellar"), fake::say("done")}, std::move(doors)};
    CHECK(replies_in(agent.ask("question").wait().messages) == std::vector<std::string>{R"({"ok":true,"result":"locked"})"});
}

TEST_CASE("an agent of any policies takes capabilities in braces") {
    fake::manual_clock clock;
    fake::manual_executor background;
    ai::basic_agent agent{
        fake::scripted_provider{}, {ai::capability("door", "A door.", [] {})}, {}, ai::borrow(clock), ai::borrow(background)};
    CHECK(agent.capabilities().specs()->size() == 1);
}
