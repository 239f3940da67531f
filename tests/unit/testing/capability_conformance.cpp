#include <pyaichat/testing/capability_conformance.hpp>

#include "catch.hpp"

#include <stdexcept>

using namespace std::chrono_literals;
namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace capability_conformance_tests {

namespace {

/// A source that keeps to everything; each mutant is this with one member changed.
struct pliable_source {
    std::vector<ai::capability_spec> own = {
        {.name = "door",
         .description = "State of a door.",
         .parameters = {{"type", "object"}, {"properties", {{"id", {{"type", "string"}}}}}, {"required", {"id"}}},
         .effects = ai::effects::read,
         .headline = "state"},
        {.name = "wait", .description = "Waits."}};
    std::function<void(pliable_source&, const ai::capability_call&, ai::capability_responder&)> run = good_run;
    std::function<std::vector<ai::call_decision>(std::span<const ai::proposed_call>)> decide =
        [](std::span<const ai::proposed_call> batch) { return std::vector<ai::call_decision>(batch.size()); };
    std::function<void(pliable_source&)> declaring = [](pliable_source&) {};
    mutable ai::capability_list declared = {};
    ai::capability_responder waiting = {};
    std::unique_ptr<ai::cancel_callback<std::function<void()>>> tripped = {};

    static void good_run(pliable_source& self, const ai::capability_call& call, ai::capability_responder& responder) {
        if (call.name == "wait") {
            self.waiting = std::move(responder);
            self.tripped = std::make_unique<ai::cancel_callback<std::function<void()>>>(call.cancel, [&self] {
                if (self.waiting) {
                    self.waiting(ai::reply_error(ai::reply_code::cancelled, "cancelled"));
                }
            });
        } else if (call.arguments.value("id", "") == "attic") {
            responder(ai::reply_with({{"state", "open"}}));
        } else {
            responder(ai::reply_error(ai::reply_code::internal, "there is no such door"));
        }
    }

    [[nodiscard]] ai::result<ai::capability_list> specs() const {
        declaring(const_cast<pliable_source&>(*this));
        if (ai::result<ai::capability_list> now = ai::declare(own, declared)) {
            declared = *now;
        } else {
            return now;
        }
        return declared;
    }
    void invoke(const ai::capability_call& call, ai::capability_responder responder) { run(*this, call, responder); }
    [[nodiscard]] std::vector<ai::call_decision> review(std::span<const ai::proposed_call> batch) { return decide(batch); }
};

fake::conformance_report judge(pliable_source& source, ai::duration patience = 10s) {
    fake::source_subject subject =
        fake::source_under_test(source, {{.name = "door", .arguments = {{"id", "attic"}}},
                                         {.name = "door", .arguments = {{"id", "x"}}, .wanted = ai::reply_code::internal}});
    subject.slow = fake::sample_call{.name = "wait"};
    subject.patience = patience;
    return fake::check_source(subject);
}

template <class Change>
void rejects(const char* check, Change change, ai::duration patience = 10s) {
    pliable_source source;
    change(source);
    const fake::conformance_report report = judge(source, patience);
    INFO(check << "\n" << report.text());
    CHECK(report.rejects(check));
}

}  // namespace

TEST_CASE("a source that keeps to everything passes") {
    pliable_source source;
    const fake::conformance_report report = judge(source);
    INFO(report.text());
    CHECK(report.ok());
    CHECK(report.passed.size() == 10);
    CHECK(report.skipped.empty());
}

TEST_CASE("a source without samples is not judged to be good") {
    ai::no_capabilities none;
    CHECK(fake::check_source(fake::source_under_test(none, {})).rejects("declares what its samples call"));
}

TEST_CASE("sources with declarations that cannot be used are rejected") {
    const char* check = "declares what every service takes";
    rejects(check, [](pliable_source& source) { source.own[0].name = "the door"; });
    rejects(check, [](pliable_source& source) { source.own[0].description = ""; });
    rejects(check, [](pliable_source& source) { source.own[1].name = "door"; });
    rejects(check, [](pliable_source& source) { source.own[0].parameters["properties"]["id"]["type"] = "text"; });
    rejects(check, [](pliable_source& source) { source.own[0].timeout = 0s; });
    rejects("declares what its samples call", [](pliable_source& source) { source.own[0].name = "gate"; });
    rejects("declares what its samples call", [](pliable_source& source) { source.own[0].parameters["required"].push_back("floor"); });
    rejects("has the headlines that it declares", [](pliable_source& source) { source.own[0].headline = "status"; });
    rejects("declares the same as long as nothing has changed",
            [](pliable_source& source) { source.declaring = [](pliable_source& self) { self.own[1].description += "."; }; });
    rejects("declares the same as long as nothing has changed",
            [](pliable_source& source) { source.declaring = [](pliable_source& self) { self.declared = {}; }; });
    rejects("declares the same as long as nothing has changed", [](pliable_source& source) {
        source.run = [](pliable_source& self, const ai::capability_call& call, ai::capability_responder& responder) {
            self.own[1].description = "Waits, and counts.";
            pliable_source::good_run(self, call, responder);
        };
    });
}

TEST_CASE("sources that reply wrongly or not at all are rejected") {
    const auto doors = [](auto run) {
        return [run](pliable_source& source) {
            source.run = [run](pliable_source& self, const ai::capability_call& call, ai::capability_responder& responder) {
                if (call.name == "door") {
                    run(self, call, responder);
                } else {
                    pliable_source::good_run(self, call, responder);
                }
            };
        };
    };
    using call_type = const ai::capability_call&;
    using responder_type = ai::capability_responder&;
    rejects("answers every call", doors([](pliable_source&, call_type, responder_type responder) { responder = {}; }));
    rejects("answers every call", doors([](pliable_source&, call_type, responder_type) { throw std::runtime_error("broken"); }));
    rejects("answers every call",
            doors([](pliable_source& self, call_type, responder_type responder) { self.waiting = std::move(responder); }), 50ms);
    rejects("replies what the samples want",
            doors([](pliable_source&, call_type, responder_type responder) { responder(ai::reply_with({{"state", "open"}})); }));
    rejects("tells errors in words",
            doors([](pliable_source&, call_type, responder_type responder) { responder(ai::reply_error(ai::reply_code::internal, " ")); }));
    rejects("replies what can be sent", doors([](pliable_source&, call_type, responder_type responder) {
                ai::json deep;
                for (int i = 0; i < 200; ++i) {
                    deep = ai::json::array({std::move(deep)});
                }
                responder(ai::reply_with(std::move(deep)));
            }));
}

TEST_CASE("sources that do not end a cancelled call are rejected") {
    rejects(
        "ends a call whose token is tripped",
        [](pliable_source& source) {
            source.run = [](pliable_source& self, const ai::capability_call& call, ai::capability_responder& responder) {
                if (call.name == "wait") {
                    self.waiting = std::move(responder);
                } else {
                    pliable_source::good_run(self, call, responder);
                }
            };
        },
        50ms);
}

TEST_CASE("sources that review too few, too many, or throw are rejected") {
    const char* check = "decides about each call of a batch";
    rejects(check, [](pliable_source& source) { source.decide = [](auto) { return std::vector<ai::call_decision>{}; }; });
    rejects(check, [](pliable_source& source) { source.decide = [](auto) { return std::vector<ai::call_decision>(2); }; });
    rejects(check, [](pliable_source& source) {
        source.decide = [](auto) -> std::vector<ai::call_decision> { throw std::runtime_error("broken"); };
    });
}

TEST_CASE("a source that needs turns of the test's thread is given them") {
    ai::capability_responder open;
    pliable_source source;
    source.run = [&](pliable_source& self, const ai::capability_call& call, ai::capability_responder& responder) {
        if (call.name == "door" && !open) {
            open = std::move(responder);
        } else {
            pliable_source::good_run(self, call, responder);
        }
    };
    fake::source_subject subject = fake::source_under_test(source, {{.name = "door", .arguments = {{"id", "attic"}}}});
    subject.turn = [&] {
        if (open) {
            open(ai::reply_with({{"state", "open"}}));
        }
    };
    const fake::conformance_report report = fake::check_source(subject);
    INFO(report.text());
    CHECK(report.ok());
    CHECK(report.skipped.size() == 1);
}

}  // namespace capability_conformance_tests
