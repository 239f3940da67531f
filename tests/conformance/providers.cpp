#include "judged.hpp"

#include <pyaichat/offline/offline.hpp>
#include <pyaichat/provider/any_provider.hpp>
#include <pyaichat/provider/fallback.hpp>

#include <thread>

namespace {

/// A subject made of scripts: `wrap` puts the provider to be judged over one.
template <class Wrap>
fake::provider_subject over_scripts(Wrap wrap) {
    fake::provider_subject subject;
    const auto script = std::make_shared<fake::scripted_provider>();
    subject.make = [script, wrap](situation meets) -> std::optional<ai::any_provider> {
        if (meets == situation::hangs_past_time) {
            return std::nullopt;  // a script that hangs does so until it is cancelled
        }
        *script = scripted_for(meets);
        return ai::any_provider(wrap(*script));
    };
    subject.attempts = [script] { return script->request_count(); };
    return subject;
}

/// Answers from another thread, as an event-driven transport does.
struct threaded {
    void start(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel, ai::model_reply responder) {
        std::thread([model = model, request, sink, cancel, responder = std::move(responder)]() mutable {
            responder(model.complete(request, sink, cancel));
        }).detach();
    }
    fake::scripted_provider model = {};
};

}  // namespace

TEST_CASE("the scripted provider conforms") {
    require_conforming(fake::check_provider(over_scripts([](fake::scripted_provider& script) { return script; })), 1);
}

TEST_CASE("a borrowed provider conforms") {
    require_conforming(fake::check_provider(over_scripts([](fake::scripted_provider& script) { return ai::borrow(script); })), 1);
}

TEST_CASE("an asynchronous provider that is waited for conforms") {
    require_conforming(fake::check_provider(over_scripts([](fake::scripted_provider& script) { return threaded{script}; })), 1);
}

TEST_CASE("a fallback conforms, whichever of its providers serves") {
    require_conforming(
        fake::check_provider(over_scripts([](fake::scripted_provider& script) { return ai::fallback{script, ai::no_provider{}}; })), 1);
    require_conforming(
        fake::check_provider(over_scripts([](fake::scripted_provider& script) { return ai::fallback{ai::no_provider{}, script}; })), 1);
}

TEST_CASE("the offline provider conforms") {
    fake::provider_subject subject;
    subject.make = [](situation meets) {
        return meets == situation::answers || meets == situation::calls ? std::optional<ai::any_provider>(ai::offline{}) : std::nullopt;
    };
    subject.question = "what type is x";
    subject.capabilities = {{.name = "get_type",
                             .description = "The type of an object.",
                             .parameters = {{"type", "object"}, {"properties", {{"expr", {{"type", "string"}}}}}, {"required", {"expr"}}}}};
    subject.reply = {{"type", "builtins.list"}};
    require_conforming(fake::check_provider(subject), 4);
}
