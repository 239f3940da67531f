// A game loop with an agent in it: nothing blocks a frame, nothing is locked.
//
// The bubble shows the text as it comes. Capabilities and events run on this thread, inside of pump().
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/provider/any_provider.hpp>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

namespace ai = pyaichat;
using namespace std::chrono_literals;

namespace {

// [model]
/// A model that takes its time, so that the example needs no network.
struct slow_model {
    ai::result<ai::model_response> complete(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel) {
        const bool asked_before = request.messages.size() > 1;
        std::this_thread::sleep_for(60ms);
        if (cancel.stop_requested()) {
            return ai::failure{.code = ai::errc::cancelled};
        }
        ai::message content{.role = ai::role::model};
        if (asked_before) {
            sink.text("Look behind ");
            std::this_thread::sleep_for(40ms);
            sink.text("the barrel.");
            content.parts.push_back(ai::text_part{.text = "Look behind the barrel."});
        } else {
            content.parts.push_back(ai::call_part{.name = "nearest_cover"});
        }
        ai::model_response response;
        response.candidates.push_back({.content = std::move(content), .finish = ai::finish_reason::stop});
        return response;
    }
};
// [/model]

// [npc]
class npc {
public:
    void hear(std::string words) {
        thinking_ = mind_.ask(std::move(words), ai::on{[this](const ai::text_delta& piece) { bubble_ += piece.text; }});
    }

    /// Once a frame, on the game thread.
    void update() {
        look_around();
        if (thinking_ && thinking_.pump(1ms) == ai::progress::done) {
            thinking_ = {};
        }
    }

    [[nodiscard]] bool thinking() const { return static_cast<bool>(thinking_); }
    [[nodiscard]] const std::string& bubble() const { return bubble_; }

private:
    /// A search takes a few frames, so the capability keeps the responder and returns.
    ai::function_capability nearest_cover() {
        return ai::capability("nearest_cover", "What to hide behind.", [this](ai::capability_responder responder) {
            search_ = std::move(responder);
            frames_to_search_ = 3;
        });
    }
    void look_around() {
        if (search_ && --frames_to_search_ == 0) {
            search_(ai::reply_with("a barrel"));
        }
    }

    std::string bubble_;
    ai::capability_responder search_;  // empty: not searching
    int frames_to_search_ = 0;
    ai::agent mind_{slow_model{}, {nearest_cover()}};
    ai::run thinking_;  // empty: not thinking
};
// [/npc]

}  // namespace

int main() {
    npc guard;
    guard.hear("Where can I hide?");
    int frames = 0;
    for (; guard.thinking(); ++frames) {
        guard.update();
        std::this_thread::sleep_for(16ms);  // the rest of the frame
    }
    std::printf("\"%s\" (after %d frames)\n", guard.bubble().c_str(), frames);
}
