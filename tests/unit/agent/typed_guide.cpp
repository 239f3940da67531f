// The snippets of docs/guide/typed_answers.md.
#include <pyaichat/agent/typed_run.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

using namespace bench;
using ai::json;

namespace {

struct mood {
    std::string line = {};
    int anger = 0;
};

// [bubble]
/// Shows what a character says while the model still writes.
class speech_bubble {
public:
    ai::on observers() {
        return ai::on{[this](const ai::partial_value& piece) { line_ = ai::string_member(piece.value, "line").value_or(""); },
                      [this](const ai::step_withdrawn&) { line_.clear(); }};
    }
    [[nodiscard]] const std::string& line() const { return line_; }

private:
    std::string line_;
};
// [/bubble]

}  // namespace

TEST_CASE("guide: a schema that is known at run time") {
    agent_bench b{{fake::give({"Ann", "Bo"})}};
    auto& agent = b.agent;
    // [json]
    const ai::result<json> names = ai::parse_json(R"({"type": "array", "items": {"type": "string"}, "maxItems": 5})");
    auto run = agent.ask_json("Who is here?", *names);
    // [/json]
    REQUIRE(b.settle(run) == ai::progress::done);
    CHECK(run.reply().value->size() == 2);
}

TEST_CASE("guide: a partial value is shown, and the run is pumped") {
    agent_bench b{{fake::stream({R"({"line": "Who )", R"(goes there?", )", R"("anger": 3})"})}};
    b.model.take_answer_schemas(true);
    auto& agent = b.agent;
    speech_bubble bubble;
    // [pump]
    ai::typed_run<mood, ai::pumped_run> thinking = agent.ask_for<mood>("Somebody comes.", bubble.observers());
    // once a frame:
    if (thinking && thinking.pump(1ms) == ai::progress::done) {
        const ai::typed_answer<mood> reply = thinking.reply();
        thinking = {};
    }
    // [/pump]
    REQUIRE(b.settle(thinking) == ai::progress::done);
    CHECK(bubble.line() == "Who goes there?");
    CHECK(thinking.reply().value->anger == 3);
}

TEST_CASE("guide: a stored run of a typed question goes on to its value") {
    agent_bench b{{fake::give({{"line", "Halt!"}, {"anger", 5}})}};
    auto& agent = b.agent;
    auto asked = agent.ask_for<mood>("Somebody comes.");
    asked.pump();
    const json stored = asked.snapshot();
    asked = {};
    b.background.drop_all();
    // [restore]
    ai::result<ai::pumped_run> restored = agent.restore(stored);
    ai::typed_run<mood, ai::pumped_run> run(restored ? std::move(*restored) : ai::pumped_run());
    // [/restore]
    REQUIRE(restored);
    REQUIRE(b.settle(run) == ai::progress::done);
    CHECK(run.reply().value->line == "Halt!");
    CHECK(ai::typed_run<mood, ai::pumped_run>(*agent.restore(run.snapshot())).reply().value->anger == 5);
}
