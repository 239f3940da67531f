#include "agent/driver/mailbox.hpp"

#include "catch.hpp"

#include <string>
#include <thread>
#include <utility>

namespace ai = pyaichat;
using ai::detail::mailbox;

namespace {
std::uint64_t next_call(mailbox& box) {
    const auto in = box.take();
    return in ? std::get<ai::input::call_reply>(std::get<ai::machine_input>(*in)).call : 0;
}
}  // namespace

TEST_CASE("what is posted is taken in order, one at a time") {
    mailbox box;
    box.post(ai::input::call_reply{.call = 1});
    box.post(ai::input::call_reply{.call = 2});
    CHECK(next_call(box) == 1);
    CHECK(next_call(box) == 2);
    CHECK_FALSE(box.take());
}

TEST_CASE("work is taken as it was posted, in its place among the inputs") {
    mailbox box;
    int done = 0;
    box.post(ai::task([&] { done = 1; }));
    box.post(ai::input::call_reply{.call = 2});
    auto first = box.take();
    REQUIRE(first);
    CHECK(done == 0);
    std::get<ai::task> (*first)();
    CHECK(done == 1);
    CHECK(next_call(box) == 2);
}

TEST_CASE("a cancel is taken once, and trips the work that is open and the work that comes after it") {
    mailbox box;
    ai::cancel_source before;
    box.opened(before);
    box.cancel();
    box.cancel();
    CHECK(before.stop_requested());
    CHECK(box.take_cancel());
    CHECK_FALSE(box.take_cancel());
    ai::cancel_source later;
    box.opened(later);
    CHECK(later.stop_requested());
}

TEST_CASE("a closed mailbox drops what is posted and trips the open work") {
    mailbox box;
    ai::cancel_source work;
    box.opened(work);
    box.post(ai::input::call_reply{.call = 1});
    box.close();
    box.post(ai::input::call_reply{.call = 2});
    CHECK(work.stop_requested());
    CHECK_FALSE(box.take());
    box.cancel();
    CHECK_FALSE(box.take_cancel());
}

namespace {

/// How many items the pieces have become, and their texts one behind the other.
std::pair<std::size_t, std::string> taken_pieces(mailbox& box) {
    std::pair<std::size_t, std::string> all;
    while (const auto in = box.take()) {
        ++all.first;
        const ai::machine_input& one = std::get<ai::machine_input>(*in);
        const auto* shown = std::get_if<ai::input::model_delta>(&one);
        all.second += shown != nullptr ? shown->text : std::get<ai::input::call_output>(one).text;
    }
    return all;
}

}  // namespace

TEST_CASE("pieces of a text that pile up are joined, none is lost, and what is of another kind stays apart") {
    using ai::input::model_delta;
    mailbox box;
    std::string expected;
    const auto show = [&](model_delta piece) {
        expected += piece.text;
        box.post(std::move(piece));
    };
    for (int i = 0; i < 256; ++i) {
        show({.attempt = 1, .text = std::to_string(i)});
    }
    SECTION("of one kind") {
        for (int i = 0; i < 100'000; ++i) {
            show({.attempt = 1, .text = std::to_string(i)});
        }
        const auto [count, text] = taken_pieces(box);
        CHECK(text == expected);
        CHECK(count > 256);
        CHECK(count < 300);  // half a megabyte in pieces of 16 KiB
    }
    SECTION("of kinds that take turns") {
        std::string thoughts;
        for (int i = 0; i < 1000; ++i) {
            show({.attempt = 1, .text = "x"});
            box.post(model_delta{.attempt = 1, .what = model_delta::kind::thought, .text = "y"});
            thoughts += 'y';
        }
        const auto [count, text] = taken_pieces(box);
        CHECK(count == 257);
        CHECK(text == expected + thoughts);
    }
    SECTION("of streams that come at the same time") {
        std::string printed;
        for (int i = 0; i < 10'000; ++i) {
            show({.attempt = 1, .text = "x"});
            box.post(ai::input::call_output{.call = 1, .text = "y"});
            printed += 'y';
        }
        const auto [count, text] = taken_pieces(box);
        CHECK(count == 257);
        CHECK(text == expected + printed);
    }
    SECTION("but stay in front of what came behind them") {
        box.post(ai::input::call_reply{.call = 7});
        box.post(model_delta{.attempt = 1, .text = "behind"});
        box.post(model_delta{.attempt = 1, .text = " it"});
        for (int i = 0; i < 256; ++i) {
            CHECK(box.take());
        }
        CHECK(next_call(box) == 7);
        CHECK(taken_pieces(box) == std::pair<std::size_t, std::string>(1, "behind it"));
    }
    SECTION("and withdrawn before they were taken") {
        for (int i = 0; i < 1000; ++i) {
            box.post(model_delta{.attempt = 2, .text = "withdrawn"});
            box.post(model_delta{.attempt = 2, .what = model_delta::kind::restart});
        }
        show({.attempt = 2, .text = "stays"});
        const auto [count, text] = taken_pieces(box);
        CHECK(count == 256 + 2);
        CHECK(text == expected);
    }
    SECTION("of several") {
        show({.attempt = 1, .what = model_delta::kind::thought, .text = "a thought"});
        show({.attempt = 2, .what = model_delta::kind::thought, .text = "of another attempt"});
        for (const std::uint64_t call : {1, 2, 2}) {
            box.post(ai::input::call_output{.call = call, .text = "out"});
            expected += "out";
        }
        const auto [count, text] = taken_pieces(box);
        CHECK(text == expected);
        CHECK(count == 256 + 2 + 2);
    }
}

TEST_CASE("whoever shows things without end is not listened to any more, and the next one is") {
    using ai::input::model_delta;
    mailbox box;
    const std::string piece(1 << 20, 'x');
    std::size_t bytes = 0;
    for (int i = 0; i < 200; ++i) {
        box.post(model_delta{.attempt = 1, .text = piece});
        box.post(ai::input::call_output{.call = 1, .text = piece});
        bytes += taken_pieces(box).second.size();
    }
    CHECK(bytes > 100u << 20);
    CHECK(bytes <= 128u << 20);
    for (int i = 0; i < 2'000'000; ++i) {
        box.post(model_delta{.attempt = 2});
    }
    CHECK(taken_pieces(box).first < 300);
    box.opened(ai::cancel_source(), 2);
    box.post(model_delta{.attempt = 3, .text = "the next"});
    box.post(ai::input::call_output{.call = 2, .text = " one"});
    box.post(model_delta{.attempt = 1, .text = "of an earlier one"});
    CHECK(taken_pieces(box).second == "the next one");
    for (int i = 0; i < 100; ++i) {
        box.post(ai::input::call_output{.call = 1, .text = piece});
        box.post(model_delta{.attempt = 1, .what = model_delta::kind::restart});
    }
    box.post(ai::input::call_output{.call = 2, .text = "goes on"});
    CHECK(taken_pieces(box).second == "goes on");  // nobody spends what belongs to another
}

TEST_CASE("restarts without end are one, also when the attempt may show no more") {
    using ai::input::model_delta;
    mailbox box;
    const std::string piece(1 << 20, 'x');
    std::size_t restarts = 0;
    for (int i = 0; i < 200; ++i) {
        box.post(model_delta{.attempt = 1, .text = piece});
        for (int j = 0; j < 3; ++j) {
            box.post(model_delta{.attempt = 1, .what = model_delta::kind::restart});
        }
        while (const auto in = box.take()) {
            restarts += std::get<model_delta>(std::get<ai::machine_input>(*in)).what == model_delta::kind::restart ? 1 : 0;
        }
    }
    CHECK(restarts > 60);
    CHECK(restarts <= 65);
}

TEST_CASE("so many calls may wait at a time, and there is room again when they are answered") {
    mailbox box;
    std::vector<ai::reply_code> codes;
    const auto ask = [&] { return box.enlist(ai::capability_responder([&](ai::capability_reply reply) { codes.push_back(reply.code); })); };
    std::uint64_t first = 0;
    for (int i = 0; i < 256; ++i) {
        const std::uint64_t ticket = ask();
        REQUIRE(ticket != 0);
        first = first == 0 ? ticket : first;
    }
    CHECK(codes.empty());
    CHECK(ask() == 0);
    CHECK(codes == std::vector{ai::reply_code::limit});
    box.answer(first, ai::reply_with(1));
    CHECK(ask() != 0);
    box.close();
    CHECK(ask() == 0);
    CHECK(codes.size() == 2 + 256 + 1);
    CHECK(codes.back() == ai::reply_code::cancelled);
}

TEST_CASE("whoever waits is woken by a post and by a cancel from another thread") {
    mailbox box;
    ai::detail::loop_claim no_loop(nullptr);
    std::thread poster([&] { box.post(ai::input::call_reply{.call = 7}); });
    box.wait(std::chrono::seconds(20), no_loop);
    CHECK(next_call(box) == 7);
    poster.join();
    std::thread canceller([&] { box.cancel(); });
    box.wait(std::chrono::seconds(20), no_loop);
    CHECK(box.take_cancel());
    canceller.join();
}
