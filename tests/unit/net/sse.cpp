#include <pyaichat/net/sse.hpp>

#include "catch.hpp"

#include <string>
#include <vector>

namespace ai = pyaichat;
namespace net = pyaichat::net;
using namespace std::chrono_literals;

namespace {

/// What a parser says about a stream: one line an event, `type|data|id`, with `?` for one without its end and `!line` for a stray line.
struct transcript {
    net::sse_parser parser;
    std::vector<std::string> lines = {};

    explicit transcript(std::size_t limit = 1000) : parser(limit) {}

    [[nodiscard]] auto on_event() {
        return [this](const net::sse_event& event) {
            lines.push_back(std::string(event.type) + "|" + std::string(event.data) + "|" + std::string(event.id) +
                            (event.terminated ? "" : "?"));
        };
    }
    [[nodiscard]] auto on_stray() {
        return [this](std::string_view line) { lines.push_back("!" + std::string(line)); };
    }
    ai::result<void> feed(std::string_view piece) {
        const std::string own(piece);  // gone after the call, as a network buffer is
        return parser.feed(own, on_event(), on_stray());
    }
    void finish() { parser.finish(on_event(), on_stray()); }
};

std::vector<std::string> events(std::string_view stream) {
    transcript all;
    CHECK(all.feed(stream));
    all.finish();
    return all.lines;
}

using lines = std::vector<std::string>;

}  // namespace

TEST_CASE("an event is its data line and ends with a blank line") {
    CHECK(events("data: one\n\ndata: two\n\n") == lines{"message|one|", "message|two|"});
    CHECK(events("data: one\r\n\r\ndata: two\r\n\r\n") == lines{"message|one|", "message|two|"});
    CHECK(events("data: one\r\rdata: two\r\r") == lines{"message|one|", "message|two|"});
    CHECK(events("data: one\r\n\ndata: two\n\r\n") == lines{"message|one|", "message|two|"});
}

TEST_CASE("several data lines are joined, and one blank after the colon is dropped") {
    CHECK(events("data:a\ndata: b\ndata:  c\n\n") == lines{"message|a\nb\n c|"});
    CHECK(events("data\ndata:\n\n") == lines{"message|\n|"});
    CHECK(events("data:\n\n") == lines{"message||"});
}

TEST_CASE("type and id are told, the type for one event and the id until the next") {
    CHECK(events("event: add\nid: 7\ndata: x\n\ndata: y\n\nid\ndata: z\n\n") == lines{"add|x|7", "message|y|7", "message|z|"});
    CHECK(events("event: lost\n\ndata: x\n\n") == lines{"message|x|"});
    CHECK(events(std::string_view("id: a\0b\ndata: x\n\n", 17)) == lines{"message|x|"});
}

TEST_CASE("comments, blank lines and a byte order mark are skipped") {
    CHECK(events("\xEF\xBB\xBF: hello\n\n\n\n:\ndata: x\n: between\n\n") == lines{"message|x|"});
    CHECK(events("\xEF\xBB\xBF\ndata: x\n\n") == lines{"message|x|"});
    CHECK(events("data: \xEF\xBB\xBFx\n\n") == lines{"message|\xEF\xBB\xBFx|"});
}

TEST_CASE("bytes are passed on as they are") {
    const std::string odd("data: \0\xff\xc3 \t\n\n", 13);
    CHECK(events(odd) == lines{std::string("message|\0\xff\xc3 \t|", 14)});
}

TEST_CASE("the waiting time of a retry line is kept when it is a number") {
    transcript all;
    CHECK(all.parser.retry() == std::nullopt);
    REQUIRE(all.feed("retry: 2500\nretry: soon\nretry: 5x\nretry:\nretry: 99999999999999999999\n"));
    CHECK(all.parser.retry() == 2500ms);
    CHECK(all.lines.empty());
}

TEST_CASE("lines that are no field are shown apart") {
    CHECK(events("data: x\n\n{\n  \"error\": {}\n}\n") == lines{"message|x|", "!{", "!  \"error\": {}", "!}"});
    CHECK(events("{\"error\": 1}") == lines{"!{\"error\": 1}"});
    CHECK(events("data: x\nstray\ndata: y\n\n") == lines{"!stray", "message|x\ny|"});
    transcript all;
    REQUIRE(all.parser.feed("stray\ndata: x\n\n", all.on_event()));  // nobody asked for them
    CHECK(all.lines == lines{"message|x|"});
}

TEST_CASE("an event without its blank line is delivered at the end and marked") {
    CHECK(events("data: one\n\ndata: two\n") == lines{"message|one|", "message|two|?"});
    CHECK(events("data: one\n\ndata: two") == lines{"message|one|", "message|two|?"});
    CHECK(events("data: one\n\n: comment") == lines{"message|one|"});
    CHECK(events("") == lines{});
    transcript all;
    REQUIRE(all.feed("event: old\nid: 1\ndata: half"));
    all.finish();
    all.lines.clear();
    REQUIRE(
        all.feed("\xEF\xBB\xBF"
                 "data: new\n\n"));  // another stream, which knows nothing of the first
    CHECK(all.lines == lines{"message|new|"});
}

TEST_CASE("wherever the stream is split, the events are the same") {
    const std::string stream =
        "\xEF\xBB\xBF: c\r\nevent: e\r\ndata: \xC3\xA9 one\r\ndata: two\r\n\r\nid: 4\rdata: three\r\rretry: 1\n{x\n"
        "data: four\n\ndata: five";
    const lines expected = events(stream);
    REQUIRE(expected.size() == 5);
    for (std::size_t first = 0; first <= stream.size(); ++first) {
        for (std::size_t second = first; second <= stream.size(); ++second) {
            transcript all;
            REQUIRE(all.feed(std::string_view(stream).substr(0, first)));
            REQUIRE(all.feed(std::string_view(stream).substr(first, second - first)));
            REQUIRE(all.feed(std::string_view(stream).substr(second)));
            all.finish();
            REQUIRE(all.lines == expected);
        }
    }
    transcript bytes;
    for (const char byte : stream) {
        REQUIRE(bytes.feed(std::string_view(&byte, 1)));
    }
    bytes.finish();
    CHECK(bytes.lines == expected);
}

TEST_CASE("an event or a line over the limit is refused, however it arrives, and the parser stays refused") {
    const std::string text = GENERATE(std::string("data: ") + std::string(100, 'x'), ":" + std::string(105, 'x'),
                                      std::string("data: x\ndata: y\n") + "data: " + std::string(95, 'z'));
    const bool whole = GENERATE(true, false);
    transcript all(100);
    ai::result<void> fed;
    for (std::size_t at = 0; at < text.size() && fed; at += whole ? text.size() : 1) {
        fed = all.feed(whole ? text : text.substr(at, 1));
    }
    REQUIRE_FALSE(fed);
    CHECK(fed.error().code == ai::errc::too_large);
    CHECK_FALSE(all.feed("\n\ndata: x\n\n"));
    all.finish();
    CHECK(all.lines.empty());
}

TEST_CASE("the limit is one event's, not the stream's") {
    transcript all(100);
    for (int i = 0; i < 1000; ++i) {
        REQUIRE(all.feed("data: " + std::string(90, 'x') + "\n\n"));
    }
    CHECK(all.lines.size() == 1000);
}
