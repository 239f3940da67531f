#include "net/json_stream.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

namespace ai = pyaichat;
namespace net = pyaichat::net;
using ai::json;

namespace {

struct outcome {
    ai::result<void> end = ai::failure();
    std::vector<std::string> chunks = {};  ///< the type of each event and its JSON
    std::vector<std::string> strays = {};
    bool done = false;
    bool whole = false;
};

outcome read(const std::string& body, std::size_t limit = 1000) {
    outcome out;
    net::json_stream stream(
        limit, "sk-1",
        [&out](const json& chunk, std::string_view type) -> std::optional<ai::failure> {
            out.chunks.push_back(std::string(type) + " " + ai::dump_json(chunk));
            return ai::find_member(chunk, "stop") != nullptr ? std::optional(ai::failure{.code = ai::errc::busy}) : std::nullopt;
        },
        [&out](const json& document) -> std::optional<ai::failure> {
            out.strays.push_back(ai::dump_json(document));
            return std::nullopt;
        });
    for (const char byte : body) {
        if (!stream.feed(std::string_view(&byte, 1))) {
            break;
        }
    }
    out.end = stream.finish();
    out.done = stream.done();
    out.whole = stream.whole();
    return out;
}

}  // namespace

TEST_CASE("each event is a chunk with its type, until the stream says that it is done") {
    const outcome out = read(": comment\n\nevent: e\ndata: {\"a\":1}\n\ndata: {\"b\":2}\n\ndata: [DONE]\n\ndata: {\"c\":3}\n\n");
    CHECK(out.end);
    CHECK(out.done);
    CHECK(out.chunks == std::vector<std::string>{"e {\"a\":1}", "message {\"b\":2}"});
}

TEST_CASE("a failure of the owner ends the stream, and is its failure") {
    const outcome out = read("data: {\"stop\":1}\n\ndata: {\"b\":2}\n\n");
    REQUIRE_FALSE(out.end);
    CHECK(out.end.error().code == ai::errc::busy);
    CHECK(out.chunks.size() == 1);
}

TEST_CASE("a document or a list in place of events is read") {
    CHECK(read("{\n\"a\": 1}\n").whole);
    CHECK(read("{\n\"a\": 1}\n").chunks == std::vector<std::string>{"message {\"a\":1}"});
    CHECK(read("[{\"a\":1},{\"b\":2}]").chunks.size() == 2);
    CHECK_FALSE(read("[{\"a\":1}]").whole);
}

TEST_CASE("what stands outside of events after the first one is told apart") {
    CHECK(read("data: {}\n\n{\"x\": 1}\n").strays == std::vector<std::string>{"{\"x\":1}"});
    CHECK(read("data: {}\n\nerror: {\"x\": 1}\n\n").chunks.back() == "error {\"error\":{\"x\":1}}");
    CHECK(read("data: {}\n\nnonsense\n").end);
}

TEST_CASE("a stream that is empty, cut, too long or no JSON fails, without the secret") {
    CHECK(read("").end.error().code == ai::errc::connection_failed);
    CHECK(read("data: [DONE]\n\n").end.error().code == ai::errc::connection_failed);
    CHECK(read("data: {\"a\":").end.error().code == ai::errc::connection_failed);
    CHECK(read("data: sk-1 <html>\n\n").end.error().message.find("sk-1") == std::string::npos);
    CHECK(read("data: <html>\n\n").end.error().code == ai::errc::bad_response);
    CHECK(read("<html>").end.error().code == ai::errc::bad_response);
    CHECK(read("data: {}\n\n" + std::string(2000, ':')).end.error().code == ai::errc::too_large);
}

TEST_CASE("the values of all events count, and the budget ends the stream with its own failure") {
    const auto end_of = [](ai::json_budget budget, std::string_view body) {
        net::json_stream stream(
            1000, "", [](const json&, std::string_view) { return std::nullopt; }, [](const json&) { return std::nullopt; },
            ai::lone_surrogates::replaced, std::move(budget));
        static_cast<void>(stream.feed(body));
        const ai::result<void> end = stream.finish();
        return end ? std::string("fine") : std::string(to_string(end.error().code));
    };
    const std::string two = "data: [1,2]\n\ndata: [1,2]\n\n";
    CHECK(end_of({.values = 6}, two) == "fine");
    CHECK(end_of({.values = 5}, two) == "too_large");
    CHECK(end_of({.values = 2}, "[1,2]") == "too_large");
    CHECK(end_of({.values = 4}, "data: [1,2]\n\n[1]") == "too_large");
}
