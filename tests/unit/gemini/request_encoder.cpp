#include "gemini/request_encoder.hpp"

#include <pyaichat/gemini/codec.hpp>

#include "catch.hpp"

#include <future>
#include <string>
#include <vector>

namespace ai = pyaichat;
namespace codec = pyaichat::gemini_codec;

namespace request_encoder_tests {
using ai::json;

namespace {

ai::message calls(int step) {
    json content = json::object();
    content["role"] = "model";
    content["parts"] = json::array();
    for (const char* name : {"f", "g"}) {
        json part = json::object();
        part["functionCall"] = json::object({{"id", name + std::to_string(step)}, {"name", name}, {"args", json::object({{"n", step}})}});
        content["parts"].push_back(part);
    }
    return codec::decode_content(content);
}

ai::message replies(int step) {
    const std::string number = std::to_string(step);
    return {.parts = {ai::response_part{"f" + number, "f", json::object({{"result", step}})},
                      ai::response_part{"g" + number, "g", json::object({{"result", "text"}})}}};
}

ai::model_request question() {
    ai::model_request request;
    request.instructions = "Be terse.";
    request.messages.push_back(ai::user_message("x"));
    request.declarations = *ai::declare({{.name = "f", .description = "F."}, {.name = "g", .description = "G."}});
    return request;
}

std::string text(codec::request_encoder& encoder, const ai::model_request& request) {
    const auto body = encoder.encode(request);
    REQUIRE(body);
    return *body;
}

/// The body as an encoder without memory writes it.
std::string anew(const ai::model_request& request) {
    return *codec::encode_request(request);
}

}  // namespace

TEST_CASE("a conversation that grows has the bytes that it would have had at once") {
    codec::request_encoder encoder{ai::gemini_options()};
    ai::model_request request = question();
    for (int step = 0; step < 20; ++step) {
        CHECK(text(encoder, request) == anew(request));
        CHECK(text(encoder, request) == anew(request));  // a retry
        request.messages.push_back(calls(step));
        request.messages.push_back(replies(step));
    }
    request.messages.push_back(ai::model_message("done"));
    CHECK(text(encoder, request) == anew(request));
    request.messages.push_back(ai::user_message("next"));
    CHECK(text(encoder, request) == anew(request));
}

TEST_CASE("whatever changes is written as it is now: instructions, declarations, the last message, the mode") {
    codec::request_encoder encoder{ai::gemini_options()};
    ai::model_request request = question();
    CHECK(text(encoder, request) == anew(request));
    request.instructions = "Be verbose.";
    CHECK(text(encoder, request) == anew(request));
    request.declarations = *ai::declare({{.name = "h", .description = "H."}});
    CHECK(text(encoder, request) == anew(request));
    request.declarations = {};
    CHECK(text(encoder, request) == anew(request));
    request.declarations = question().declarations;
    request.mode = ai::tool_mode::required;
    CHECK(text(encoder, request) == anew(request));
    request.messages.replace_back(ai::user_message("corrected"));
    CHECK(text(encoder, request) == anew(request));
    request.messages.push_back(ai::user_message("and more"));
    CHECK(text(encoder, request) == anew(request));
}

TEST_CASE("two conversations that go on from the same one do not mix") {
    codec::request_encoder encoder{ai::gemini_options()};
    ai::model_request one = question();
    CHECK(text(encoder, one) == anew(one));
    ai::model_request other = one;
    one.messages.push_back(calls(1));
    one.messages.push_back(replies(1));
    other.messages.push_back(ai::model_message("no"));
    other.messages.push_back(ai::user_message("why?"));
    for (int i = 0; i < 3; ++i) {
        CHECK(text(encoder, one) == anew(one));
        CHECK(text(encoder, other) == anew(other));
    }
}

TEST_CASE("what was written once is not written again") {
    codec::request_encoder encoder{ai::gemini_options()};
    const auto held = std::make_shared<ai::message>(ai::user_message("first"));
    ai::model_request request;
    request.messages.push_back(held);
    const std::string before = text(encoder, request);
    // Nobody may do this to a message; here it shows who looks.
    std::get<ai::text_part>(held->parts.front().content).text = "changed";
    request.messages.push_back(calls(1));
    request.messages.push_back(replies(1));
    CHECK(text(encoder, request).find("first") != std::string::npos);
    CHECK(anew(request).find("changed") != std::string::npos);
}

TEST_CASE("more conversations at the same time than are remembered are written all the same") {
    codec::request_encoder encoder{ai::gemini_options()};
    std::vector<ai::model_request> requests;
    for (int i = 0; i < 20; ++i) {
        requests.push_back(question());
    }
    for (int round = 0; round < 3; ++round) {
        for (ai::model_request& request : requests) {
            CHECK(text(encoder, request) == anew(request));
            request.messages.push_back(calls(round));
            request.messages.push_back(replies(round));
        }
    }
}

TEST_CASE("several runs at once get each its own text") {
    codec::request_encoder encoder{ai::gemini_options()};
    const ai::model_request shared = question();
    std::vector<std::future<bool>> running;
    for (int thread = 0; thread < 4; ++thread) {
        running.push_back(std::async(std::launch::async, [&encoder, shared, thread] {
            ai::model_request request = shared;
            for (int step = 0; step < 50; ++step) {
                const auto body = encoder.encode(request);
                if (!body || *body != *codec::encode_request(request)) {
                    return false;
                }
                request.messages.push_back(calls(thread * 1000 + step));
                request.messages.push_back(replies(thread * 1000 + step));
            }
            return true;
        }));
    }
    for (auto& one : running) {
        CHECK(one.get());
    }
}

}  // namespace request_encoder_tests
