// A response as the client reads it: whatever a server sends, split anywhere, the same status, headers and decoded body come out, within
// bounds.
#include "net/response_reader.hpp"

#include "fuzz.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace net = pyaichat::net;

namespace {

std::string transcript(std::string_view bytes, std::size_t size) {
    constexpr std::size_t most = 100'000;
    const pyaichat::http_request request{.max_response_bytes = most};
    net::response_reader reader(request, nullptr);
    std::string left;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size()))) {
        const std::string buffer(bytes.substr(0, size));
        std::string_view piece = buffer;
        if (!reader.has_ended()) {
            reader.take(piece);
        }
        left += reader.now() == net::response_reader::state::failed ? "" : std::string(piece);
    }
    reader.end_of_connection(true);
    std::string out = std::to_string(static_cast<int>(reader.now())) + " " + std::to_string(static_cast<int>(reader.why())) +
                      (reader.keeps_connection() ? " keep " : " close ");
    const pyaichat::result<pyaichat::http_response> response = reader.take_response("peer");
    if (!response) {
        return out + response.error().message;
    }
    if (response->body.size() > most) {
        std::abort();
    }
    out += std::to_string(response->status) + " ";
    for (const pyaichat::http_header& header : response->headers) {
        out += header.name + ":" + header.value + "\n";
    }
    return out + response->body + left;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::compare_splits(data, size, transcript);
}
