#include <pyaichat/policy/hook_responder.hpp>

#include "catch.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ai = pyaichat;

namespace {
struct desk {
    std::vector<std::optional<std::string>> got = {};
    ai::hook_responder<std::string> ask() {
        return ai::hook_responder<std::string>([this](std::optional<std::string> answer) { got.push_back(std::move(answer)); });
    }
};
}  // namespace

TEST_CASE("a hook's answer arrives once, wherever its responder was moved") {
    desk waiting;
    ai::hook_responder<std::string> first = waiting.ask();
    CHECK(first);
    ai::hook_responder<std::string> second = std::move(first);
    CHECK_FALSE(first);
    second(std::string("yes"));
    CHECK_FALSE(second);
    CHECK(waiting.got == std::vector<std::optional<std::string>>{"yes"});
}

TEST_CASE("a responder that goes away, or is overwritten, answers nothing") {
    desk waiting;
    {
        const ai::hook_responder<std::string> dropped = waiting.ask();
    }
    ai::hook_responder<std::string> kept = waiting.ask();
    kept = waiting.ask();
    CHECK(waiting.got == std::vector<std::optional<std::string>>{std::nullopt, std::nullopt});
    kept.release();
    kept = {};
    CHECK(waiting.got.size() == 2);
}
