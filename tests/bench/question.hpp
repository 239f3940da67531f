#pragma once
/// One question, the same in all benchmarks: three model calls, two capability calls.
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace bench {

namespace ai = pyaichat;

inline constexpr const char* question = "The dragon is near and I am hurt. What should I do now?";

inline ai::json health_result() {
    return {{"points", 40}, {"maximum", 100}, {"status", {"bleeding", "tired"}}};
}
inline ai::json enemies_result() {
    return {{{"name", "dragon"}, {"distance", 31.5}, {"awake", true}}, {{"name", "wolf"}, {"distance", 54.25}, {"awake", false}}};
}

/// What the model says to it, in order.
inline std::array<ai::message, 3> model_turns() {
    const auto turn = [](ai::part content) { return ai::message{.role = ai::role::model, .parts = {std::move(content)}}; };
    return {
        turn(ai::call_part{.id = "call-1", .name = "get_health", .arguments = {{"who", "the player"}}}),
        turn(ai::call_part{.id = "call-2", .name = "list_enemies", .arguments = {{"radius", 60.0}, {"awake_only", false}, {"limit", 5}}}),
        turn(ai::text_part{.text = "Drink a potion first: you have 40 of 100 points. The dragon is awake, 31 metres away; leave by the "
                                   "northern door, past the wolf, which sleeps."})};
}

inline ai::model_response response_with(ai::message content) {
    ai::model_response response;
    response.candidates.push_back({.content = std::move(content), .finish = ai::finish_reason::stop, .finish_text = "STOP"});
    response.usage = {.input_tokens = 412, .output_tokens = 37};
    return response;
}

/// Says the three turns over and over, as a scripted provider that keeps no record of what it was asked.
class looping_provider {
public:
    ai::result<ai::model_response> complete(const ai::model_request& request, const ai::delta_sink&, const ai::cancel_token&) {
        return response_with(turns_[request.messages.size() / 2 % turns_.size()]);
    }

private:
    std::array<ai::message, 3> turns_ = model_turns();
};

/// The conversation that the question comes to, as JSON text in the form that a service would be sent.
inline std::string conversation_text() {
    ai::json contents = ai::json::array();
    const auto say = [&](const char* role, ai::json part) {
        contents.push_back({{"role", role}, {"parts", ai::json::array({std::move(part)})}});
    };
    const auto turns = model_turns();
    const std::array<ai::json, 2> results = {health_result(), enemies_result()};
    say("user", {{"text", question}});
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto& call = *turns[i].parts[0].as<ai::call_part>();
        say("model", {{"functionCall", {{"id", call.id}, {"name", call.name}, {"args", call.arguments}}}});
        say("user", {{"functionResponse", {{"id", call.id}, {"name", call.name}, {"response", {{"ok", true}, {"result", results[i]}}}}}});
    }
    say("model", {{"text", turns[2].text()}});
    return ai::dump_json(contents);
}

}  // namespace bench
