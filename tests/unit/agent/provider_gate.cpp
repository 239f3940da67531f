#include <pyaichat/agent/detail/provider_gate.hpp>

#include "catch.hpp"

#include <atomic>
#include <thread>

namespace ai = pyaichat;
using ai::detail::mailbox;
using ai::detail::provider_gate;

TEST_CASE("a closed gate lets nobody in") {
    provider_gate gate;
    {
        CHECK(gate.enter(ai::cancel_source()));
    }
    gate.close();
    CHECK_FALSE(gate.enter(ai::cancel_source()));
}

TEST_CASE("closing trips whoever is inside and waits until he has left") {
    provider_gate gate;
    std::atomic<bool> entered = false;
    std::atomic<bool> left = false;
    std::thread inside([&] {
        ai::cancel_source stop;
        const provider_gate::pass pass = gate.enter(stop);
        entered = true;
        while (!stop.stop_requested()) {
            std::this_thread::yield();
        }
        left = true;
    });
    while (!entered) {
        std::this_thread::yield();
    }
    gate.close();
    CHECK(left);
    inside.join();
}

namespace {
std::optional<ai::machine_input> next_input(mailbox& box) {
    auto item = box.take();
    return item ? std::optional(std::get<ai::machine_input>(*std::move(item))) : std::nullopt;
}
}  // namespace

TEST_CASE("an attempt reports its outcome once, and its loss when there was none") {
    const auto box = std::make_shared<mailbox>();
    {
        ai::model_reply responder = ai::detail::reply_of(box, 3);
        ai::detail::sink_of(box, 3).text("piece");
        responder(ai::model_response{});
    }
    {
        const ai::model_reply dropped = ai::detail::reply_of(box, 4);
    }
    const auto delta = next_input(*box);
    REQUIRE(delta);
    CHECK(std::get<ai::input::model_delta>(*delta).text == "piece");
    const auto first = next_input(*box);
    REQUIRE(first);
    CHECK(std::get<ai::input::model_result>(*first).outcome.has_value());
    const auto second = next_input(*box);
    REQUIRE(second);
    CHECK(std::get<ai::input::model_result>(*second).attempt == 4);
    CHECK_FALSE(std::get<ai::input::model_result>(*second).outcome.has_value());
    CHECK_FALSE(box->take());
}
