#include <pyaichat/testing/gemini_profile.hpp>

#include <pyaichat/testing/gemini_request_checker.hpp>

#include "catch.hpp"
#include "golden.hpp"

#include <functional>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;

namespace {

/// One parallel step and its replies, with everything that the strictest models ask for.
json good_request() {
    return *ai::parse_json(R"({
        "contents": [
            {"role": "user", "parts": [{"text": "Weather and time?"}]},
            {"role": "model", "parts": [
                {"functionCall": {"id": "fc-1", "name": "get_weather", "args": {"city": "Paris"}}, "thoughtSignature": "c2lnbmF0dXJl"},
                {"functionCall": {"id": "fc-2", "name": "get_time", "args": {}}}]},
            {"role": "user", "parts": [
                {"functionResponse": {"id": "fc-1", "name": "get_weather", "response": {"output": "clear"}}},
                {"functionResponse": {"id": "fc-2", "name": "get_time", "response": {"output": "23:15"}}}]}],
        "tools": [{"functionDeclarations": [
            {"name": "get_weather", "description": "Weather.", "parametersJsonSchema": {"type": "object"}},
            {"name": "get_time", "description": "Time."}]}]})");
}

json& parts(json& request, std::size_t content) {
    return request["contents"][content]["parts"];
}

json content(const char* role, json part) {
    json out = json::object();
    out["role"] = role;
    out["parts"] = json::array();
    out["parts"].push_back(std::move(part));
    return out;
}

json text(const char* words) {
    json out = json::object();
    out["text"] = words;
    return out;
}

void without_ids(json& request) {
    for (std::size_t index = 0; index < 2; ++index) {
        parts(request, 1)[index]["functionCall"].erase("id");
        parts(request, 2)[index]["functionResponse"].erase("id");
    }
}

/// A change to the good request, and which profiles take it: one letter each for 2.5, 3.0, 3.5, 3.6, 3.8 and 4; `+` legal, `-` refused.
struct variant {
    const char* name;
    const char* verdicts;
    std::function<void(json&)> change;
};

constexpr const char* versions[] = {"2.5", "3.0", "3.5", "3.6", "3.8", "4"};

const std::vector<variant>& variants() {
    static const std::vector<variant> all = {
        // Good ones.
        {"as it is", "++++++", [](json&) {}},
        {"calls without ids, and replies without", "++++++", without_ids},
        {"no tools and a plain question", "++++++",
         [](json& r) {
             r = json::object();
             r["contents"] = json::array({content("user", text("Hello?"))});
         }},
        {"text before the replies", "++++++", [](json& r) { parts(r, 2).insert(parts(r, 2).begin(), text("Note:")); }},
        {"an unsigned call in a turn of the past", "++++++",
         [](json& r) {
             parts(r, 1)[0].erase("thoughtSignature");
             r["contents"].push_back(content("model", text("Clear.")));
             r["contents"].push_back(content("user", text("And now?")));
         }},
        {"a placeholder for the signature", "++++++",
         [](json& r) { parts(r, 1)[0]["thoughtSignature"] = "skip_thought_signature_validator"; }},
        {"a penalty of zero", "++++++", [](json& r) { r["generationConfig"]["frequencyPenalty"] = 0; }},
        {"JSON output without functions", "++++++",
         [](json& r) {
             r = json::object();
             r["contents"] = json::array({content("user", text("Hello?"))});
             r["generationConfig"]["responseMimeType"] = "application/json";
         }},
        // The knobs.
        {"no id in the replies", "++----",
         [](json& r) {
             parts(r, 2)[0]["functionResponse"].erase("id");
             parts(r, 2)[1]["functionResponse"].erase("id");
         }},
        {"no signature on the first call", "+-----", [](json& r) { parts(r, 1)[0].erase("thoughtSignature"); }},
        {"the signature on the second call", "+-----",
         [](json& r) { std::swap(parts(r, 1)[0]["thoughtSignature"], parts(r, 1)[1]["thoughtSignature"]); }},
        {"media in a reply", "-+++++",
         [](json& r) {
             parts(r, 2)[0]["functionResponse"]["parts"] =
                 *ai::parse_json(R"([{"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}])");
         }},
        {"replies of the role function", "++----", [](json& r) { r["contents"][2]["role"] = "function"; }},
        {"the model's turn last", "+++---", [](json& r) { r["contents"].push_back(content("model", text("So"))); }},
        {"text after the replies", "+++---", [](json& r) { parts(r, 2).push_back(text("Hurry.")); }},
        {"media after the replies", "+++---",
         [](json& r) { parts(r, 2).push_back(*ai::parse_json(R"({"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}})")); }},
        {"a thinking budget", "+++++-", [](json& r) { r["generationConfig"]["thinkingConfig"]["thinkingBudget"] = 1024; }},
        {"a thinking level", "-+++++", [](json& r) { r["generationConfig"]["thinkingConfig"]["thinkingLevel"] = "LOW"; }},
        {"the thinking level MINIMAL", "-+++--", [](json& r) { r["generationConfig"]["thinkingConfig"]["thinkingLevel"] = "MINIMAL"; }},
        {"JSON output beside functions", "-+++++", [](json& r) { r["generationConfig"]["responseMimeType"] = "application/json"; }},
        {"JSON output beside functions in mode ANY", "------",
         [](json& r) {
             r["generationConfig"]["responseMimeType"] = "application/json";
             r["toolConfig"]["functionCallingConfig"]["mode"] = "ANY";
         }},
        {"a penalty", "-++---", [](json& r) { r["generationConfig"]["presencePenalty"] = 0.5; }},
        {"a built-in tool beside functions", "------", [](json& r) { r["tools"].push_back(*ai::parse_json(R"({"googleSearch": {}})")); }},
        {"a built-in tool beside functions, with its calls included", "-+++++",
         [](json& r) {
             r["tools"].push_back(*ai::parse_json(R"({"googleSearch": {}})"));
             r["toolConfig"]["includeServerSideToolInvocations"] = true;
         }},
        // Wrong for every one of them.
        {"budget and level together", "------",
         [](json& r) { r["generationConfig"]["thinkingConfig"] = *ai::parse_json(R"({"thinkingBudget": 1, "thinkingLevel": "LOW"})"); }},
        {"another id in a reply", "------", [](json& r) { parts(r, 2)[0]["functionResponse"]["id"] = "fc-9"; }},
        {"ids in replies to calls without", "------",
         [](json& r) {
             parts(r, 1)[0]["functionCall"].erase("id");
             parts(r, 1)[1]["functionCall"].erase("id");
         }},
        {"the replies exchanged", "++++++", [](json& r) { std::swap(parts(r, 2)[0], parts(r, 2)[1]); }},
        {"a reply too few", "------", [](json& r) { parts(r, 2).erase(1); }},
        {"a reply too many", "------", [](json& r) { parts(r, 2).push_back(parts(r, 2)[1]); }},
        {"a reply by the model", "------", [](json& r) { r["contents"][2]["role"] = "model"; }},
        {"a system role", "------", [](json& r) { r["contents"][0]["role"] = "system"; }},
        {"calls nobody has answered", "------", [](json& r) { r["contents"].erase(2); }},
        {"the model's turn first", "------",
         [](json& r) { r["contents"].insert(r["contents"].begin(), content("model", text("Welcome."))); }},
        {"an empty part", "------", [](json& r) { parts(r, 0).push_back(json::object()); }},
        {"a part of an unknown kind", "------", [](json& r) { parts(r, 0).push_back(*ai::parse_json(R"({"tool_result": {}})")); }},
        {"an answer that is no object", "------", [](json& r) { parts(r, 2)[0]["functionResponse"]["response"] = json::array({1}); }},
        {"an answer left out", "------", [](json& r) { parts(r, 2)[0]["functionResponse"].erase("response"); }},
        {"a name with a space", "------", [](json& r) { r["tools"][0]["functionDeclarations"][1]["name"] = "get time"; }},
        {"no description", "++++++", [](json& r) { r["tools"][0]["functionDeclarations"][1].erase("description"); }},
        {"a schema that is no object", "------",
         [](json& r) { r["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"]["type"] = "string"; }},
        {"an image as instruction", "------",
         [](json& r) { r["systemInstruction"] = content("user", *ai::parse_json(R"({"inlineData": {"data": "iVBORw0KGgo="}})")); }},
        {"a safety category twice", "------",
         [](json& r) {
             const json one = *ai::parse_json(R"({"category": "HARM_CATEGORY_HARASSMENT", "threshold": "OFF"})");
             r["safetySettings"] = json::array({one, one});
         }},
        {"six stop sequences", "------",
         [](json& r) { r["generationConfig"]["stopSequences"] = json::array({"a", "b", "c", "d", "e", "f"}); }},
        {"a temperature of 2.5", "------", [](json& r) { r["generationConfig"]["temperature"] = 2.5; }},
        {"a response schema without its mime type", "------",
         [](json& r) { r["generationConfig"]["responseJsonSchema"] = json::object(); }},
        {"a stream member", "------", [](json& r) { r["stream"] = true; }},
    };
    return all;
}

fake::gemini_service service_of(const char* version) {
    fake::gemini_service out;
    out.profile = *fake::gemini_profile_of_version(version);
    return out;
}

}  // namespace

TEST_CASE("each profile takes and refuses what the models of its version do") {
    for (std::size_t index = 0; index < std::size(versions); ++index) {
        const fake::gemini_service service = service_of(versions[index]);
        for (const variant& one : variants()) {
            json request = good_request();
            one.change(request);
            for (const char* method : {":generateContent", ":streamGenerateContent?alt=sse"}) {
                const auto refusal = fake::check_gemini_request("POST", std::string("/v1beta/models/gemini-3.8-flash") + method,
                                                                {{"x-goog-api-key", "test-key"}}, ai::dump_json(request), service);
                CAPTURE(versions[index], one.name, method, refusal ? refusal->message() : std::string());
                REQUIRE(std::string(one.verdicts).size() == std::size(versions));
                CHECK(refusal.has_value() == (one.verdicts[index] == '-'));
                CHECK((!refusal || refusal->status == 400));
            }
        }
    }
}

TEST_CASE("every profile takes the requests recorded from the official client, streams included") {
    if (!golden_requests_are_there()) {
        return;
    }
    for (const char* version : versions) {
        const fake::gemini_service service = service_of(version);
        for (const char* number : {"01", "02", "03", "04", "05", "06", "16", "17", "91", "93", "96"}) {
            for (const golden_request& one : golden_requests(number)) {
                const std::string target = one.path + (one.path.ends_with(":streamGenerateContent") ? "?alt=sse" : "");
                const auto refusal =
                    fake::check_gemini_request("POST", target, {{"x-goog-api-key", "test-key"}}, ai::dump_json(one.body), service);
                CAPTURE(version, number, refusal ? refusal->message() : std::string());
                CHECK_FALSE(refusal);
            }
        }
    }
}

TEST_CASE("a model's name says which profile it has, and one without a version counts as the strictest in use") {
    CHECK(fake::gemini_profile_of_model("gemini-2.5-pro").name == "2.5");
    CHECK(fake::gemini_profile_of_model("models/gemini-3-flash-preview").name == "3.0");
    CHECK(fake::gemini_profile_of_model("gemini-3.5-flash-lite").name == "3.5");
    CHECK(fake::gemini_profile_of_model("gemini-4-argon").name == "4");
    CHECK(fake::gemini_profile_of_model("gemini-flash-latest").name == "3.8");
    CHECK(fake::gemini_profile_of_model("somebody-else-1.0").name == "3.8");
    CHECK_FALSE(fake::gemini_profile_of_model("gemini-2.5-flash").emits_call_ids);
    CHECK(fake::gemini_profile_of_model("gemini-3.1-flash-lite").takes_minimal_thinking);
    CHECK_FALSE(fake::gemini_profile_of_model("gemini-3.1-pro-preview").takes_minimal_thinking);
    CHECK_FALSE(fake::gemini_profile_of_model("gemini-4-argon").takes_thinking_budget);
}

TEST_CASE("a default profile is that of 3.8, and versions that are none are refused with those that are") {
    const fake::gemini_profile standard;
    const auto read = fake::gemini_profile_of_version("3.8");
    REQUIRE(read);
    CHECK(read->name == standard.name);
    CHECK(read->takes_minimal_thinking == standard.takes_minimal_thinking);
    CHECK(read->takes_thinking_budget == standard.takes_thinking_budget);
    CHECK(read->requires_id_echo == standard.requires_id_echo);
    CHECK(read->takes_penalties == standard.takes_penalties);
    CHECK(fake::gemini_profile_of_version("3")->name == "3.0");
    for (const char* wrong : {"", "2.0", "five", "3.", "3.8-flash", "5", "-3"}) {
        CAPTURE(wrong);
        const auto refused = fake::gemini_profile_of_version(wrong);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ai::errc::invalid_argument);
        CHECK(refused.error().hint.find("2.5") != std::string::npos);
    }
}
