// The provider's requests compared with those of the official client, which were recorded on loopback.
#include <pyaichat/gemini/codec.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>

#include "catch.hpp"
#include "golden.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace {

/// The recorded request as our own: model contents as a service sent them, user contents from parts, as a host builds them.
ai::model_request retell(const json& body) {
    ai::model_request request;
    request.time_left = 10s;
    for (const json& content : body["contents"]) {
        ai::message one = ai::gemini_codec::decode_content(content);
        if (one.role == ai::role::user) {
            one.wire.reset();
        }
        request.messages.push_back(std::move(one));
    }
    if (const json* instruction = ai::find_member(body, "systemInstruction")) {
        request.instructions = *ai::string_member((*instruction)["parts"][0], "text");
    }
    if (const json* tools = ai::find_member(body, "tools")) {
        std::vector<ai::capability_spec> specs;
        for (const json& declaration : (*tools)[0]["functionDeclarations"]) {
            ai::capability_spec spec;
            spec.name = *ai::string_member(declaration, "name");
            spec.description = *ai::string_member(declaration, "description");
            if (const json* schema = ai::find_member(declaration, "parametersJsonSchema")) {
                spec.parameters = *schema;
            }
            specs.push_back(std::move(spec));
        }
        request.declarations = *ai::declare(specs);
    }
    return request;
}

/// Habits of the official client that need no imitation.
json without_habits(json body) {
    if (body.contains("generationConfig") && body["generationConfig"].empty()) {
        body.erase("generationConfig");
    }
    if (body.contains("systemInstruction")) {
        body["systemInstruction"].erase("role");
    }
    return body;
}

}  // namespace

TEST_CASE("the recorded conversations, told again through the provider, give the recorded bodies") {
    if (!golden_requests_are_there()) {
        return;
    }
    for (const char* number : {"01", "02", "03", "04", "05", "16", "17", "91", "96"}) {
        CAPTURE(number);
        for (const golden_request& recorded : golden_requests(number)) {
            const bool streamed = recorded.path.ends_with(":streamGenerateContent");
            fake::gemini_emulator service{fake::gemini_reply::text("x")};
            ai::gemini provider({.api_key = "test-key", .base_url = service.base_url(), .api_version = "v1", .stream = streamed});
            REQUIRE(provider.complete(retell(recorded.body), {}, {}));
            const auto seen = service.requests();
            REQUIRE(seen.size() == 1);
            CHECK(seen.front().path == recorded.path);
            CHECK(seen.front().body == without_habits(recorded.body));
        }
    }
}
