#include "shell/exec/live_output.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

using pyaichat::detail::live_output;
using namespace std::chrono_literals;

namespace {

struct screen {
    std::vector<std::string> pieces = {};
    live_output::time_point now{1000s};
    live_output live{[this](std::string_view text) { pieces.emplace_back(text); }, now};

    void print(std::string_view bytes, std::size_t stream = 0) {
        live.feed(stream, bytes, now);
        static_cast<void>(live.tick(now));
    }
    void pass(live_output::time_point::duration span) {
        now += span;
        static_cast<void>(live.tick(now));
    }
};

}  // namespace

TEST_CASE("the first output is shown at once, and more is joined", "[live_output]") {
    screen out;
    out.print("a");
    CHECK(out.pieces == std::vector<std::string>{"a"});
    out.print("b");
    out.print("c");
    CHECK(out.pieces.size() == 1);
    out.pass(50ms);
    CHECK(out.pieces == std::vector<std::string>{"a", "bc"});
    out.print("d");
    out.live.finish(out.now);
    CHECK(out.pieces.back() == "d");
}

TEST_CASE("the next time is that of the next piece, or never", "[live_output]") {
    screen out;
    CHECK(out.live.tick(out.now) == live_output::time_point::max());
    out.print("a");
    out.live.feed(0, "b", out.now);
    CHECK(out.live.tick(out.now) == out.now + 50ms);
}

TEST_CASE("a flood is cut to what a person could see, and counted", "[live_output]") {
    screen out;
    const std::string line = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde\n";
    std::size_t printed = 0;
    for (int i = 0; i < 100; ++i) {
        std::string much;
        for (int each = 0; each < 1000; ++each) {
            much += line;
        }
        printed += much.size();
        out.print(much);
        out.pass(10ms);
    }
    out.live.finish(out.now);
    std::size_t shown = 0;
    for (const std::string& piece : out.pieces) {
        shown += piece.size();
        CHECK(piece.size() < 66000);
    }
    CHECK(printed > 6000000);
    CHECK(shown < 200000);
    CHECK(out.pieces.size() <= 22);
    CHECK(out.pieces[1].find(" bytes not shown]\n") != std::string::npos);
}

TEST_CASE("a cut leaves no sequence that the next output could complete", "[live_output]") {
    for (std::size_t before = 65530; before < 65540; ++before) {
        screen out;
        out.print(std::string(before, 'x') + "\x1B[31mred\x1B[0m\n");
        out.pass(50ms);
        out.print("2J");
        out.live.finish(out.now);
        std::string all;
        for (const std::string& piece : out.pieces) {
            all += piece;
        }
        for (std::size_t at = all.find('\x1B'); at != std::string::npos; at = all.find('\x1B', at + 1)) {
            INFO(before);
            const std::size_t end = all.find_first_not_of("[0123456789;", at + 1);
            REQUIRE(end != std::string::npos);
            CHECK(all[end] == 'm');
        }
    }
}

TEST_CASE("the two outputs are read apart and shown together", "[live_output]") {
    screen out;
    out.print("\x1B[3", 0);
    out.print("error\n", 1);
    out.print("1mred", 0);
    out.live.finish(out.now);
    std::string all;
    for (const std::string& piece : out.pieces) {
        all += piece;
    }
    CHECK(all == "error\n\x1B[31mred\x1B[0m");
}

TEST_CASE("the state of a progress bar is shown every second", "[live_output]") {
    screen out;
    out.print("1%");
    out.print("\r2%\r3%");
    out.pass(100ms);
    CHECK(out.pieces == std::vector<std::string>{"1%"});
    out.pass(1s);
    CHECK(out.pieces == std::vector<std::string>{"1%", "\n3%"});
}
