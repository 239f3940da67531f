#include "judged.hpp"

#include <pyaichat/capability/adapt.hpp>
#include <pyaichat/capability/any_capabilities.hpp>
#include <pyaichat/capability/combine.hpp>
#include <pyaichat/capability/deferred.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/testing/manual_executor.hpp>

#include <map>

namespace {

struct door_args {
    std::string id = {};
};

auto door() {
    return ai::capability("door", "State of a door.", [](const door_args& args) -> ai::result<std::string> {
        if (args.id != "attic") {
            return ai::failure{.code = ai::errc::not_found, .message = "no such door", .hint = "Ask for `attic`."};
        }
        return std::string("open");
    });
}

/// One that keeps its responder until the call is cancelled.
auto wait_for_cancel() {
    using callback = ai::cancel_callback<std::function<void()>>;
    ai::capability_spec spec{.name = "wait", .description = "Waits."};
    auto open = std::make_shared<std::map<std::uint64_t, std::unique_ptr<callback>>>();
    return ai::function_capability(std::move(spec), [open](const ai::capability_call& call, ai::capability_responder responder) {
        auto kept = std::make_shared<ai::capability_responder>(std::move(responder));
        (*open)[call.number] = std::make_unique<callback>(call.cancel, [kept] {
            if (*kept) {
                (*kept)(ai::reply_error(ai::reply_code::cancelled, "cancelled"));
            }
        });
    });
}

std::vector<fake::sample_call> samples(const std::string& prefix = {}) {
    return {{.name = prefix + "door", .arguments = {{"id", "attic"}}},
            {.name = prefix + "door", .arguments = {{"id", "cellar"}}, .wanted = ai::reply_code::internal}};
}

/// Judges a source that offers `door` and `wait`.
template <class Source>
void require_good_source(Source source, const std::string& prefix = {}) {
    fake::source_subject subject = fake::source_under_test(source, samples(prefix));
    subject.slow = fake::sample_call{.name = prefix + "wait"};
    require_conforming(fake::check_source(subject), 0);
}

}  // namespace

TEST_CASE("a capability made of a function conforms") {
    auto source = door();
    // [subject]
    fake::source_subject subject =
        fake::source_under_test(source, {{.name = "door", .arguments = {{"id", "attic"}}},
                                         {.name = "door", .arguments = {{"id", "cellar"}}, .wanted = ai::reply_code::internal}});
    const fake::conformance_report report = fake::check_source(subject);
    // [/subject]
    require_conforming(report, 1);
}

TEST_CASE("combined sources conform") {
    require_good_source(ai::combine(door(), wait_for_cancel()));
}

TEST_CASE("erased and borrowed sources conform") {
    ai::any_capabilities open{door(), wait_for_cancel()};
    require_good_source(ai::borrow(open));
    require_good_source(std::move(open));
}

TEST_CASE("adapted sources conform") {
    const auto both = [] { return ai::combine(door(), wait_for_cancel()); };
    require_good_source(both() | ai::prefix{"back_"}, "back_");
    require_good_source(both() | ai::only{"door", "wait"} | ai::timeout{std::chrono::seconds(2)} | ai::approve{ai::ask_before_effects});
    require_good_source(ai::combine(both() | ai::prefix{"a_"}, both() | ai::approve{ai::allow_all} | ai::prefix{"b_"}), "b_");
}

TEST_CASE("deferred sources conform, on threads of their own and on an executor") {
    require_good_source(ai::deferred(ai::combine(door(), wait_for_cancel())));
    fake::manual_executor background;
    auto source = ai::deferred(ai::combine(door(), wait_for_cancel()), ai::borrow(background));
    fake::source_subject subject = fake::source_under_test(source, samples());
    subject.slow = fake::sample_call{.name = "wait"};
    subject.turn = [&] { background.run_all(); };
    require_conforming(fake::check_source(subject), 0);
}
