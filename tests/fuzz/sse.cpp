// The event stream parser: whatever comes, split anywhere, it neither breaks nor grows, and the split makes no difference.
#include <pyaichat/net/sse.hpp>

#include "fuzz.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace net = pyaichat::net;

namespace {

constexpr std::size_t limit = 4096;

/// What the parser says about the bytes when they come in pieces of `size`.
std::string transcript(std::string_view bytes, std::size_t size) {
    std::string out;
    net::sse_parser parser(limit);
    const auto on_event = [&](const net::sse_event& event) {
        out += "event ";
        out += event.type;
        out += '\0';
        out += event.data;
        out += '\0';
        out += event.id;
        out += event.terminated ? '.' : '?';
        if (event.data.size() > limit) {
            std::abort();
        }
    };
    const auto on_stray = [&](std::string_view line) {
        out += "stray ";
        out += line;
        out += '\0';
    };
    for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size()))) {
        const std::string piece(bytes.substr(0, size));  // a buffer of its own, so that a view kept too long is noticed
        if (!parser.feed(piece, on_event, on_stray)) {
            out += "too large";
            break;
        }
    }
    parser.finish(on_event, on_stray);
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::compare_splits(data, size, transcript);
}
