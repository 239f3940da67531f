#include <pyaichat/agent/detail/provider_gate.hpp>

#include "catch.hpp"

#include <atomic>
#include <thread>

namespace ai = pyaichat;
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

TEST_CASE("a gate that cannot close lets everybody in, and counts nobody") {
    const provider_gate gate(false);
    const provider_gate::pass first = gate.enter(ai::cancel_source(std::nostopstate));
    const provider_gate::pass second = gate.enter(ai::cancel_source(std::nostopstate));
    CHECK(first != nullptr);
    CHECK(first == second);
}
