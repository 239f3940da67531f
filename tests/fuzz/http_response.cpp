// Head and framing of a response: whatever a server sends, split anywhere, the same status, headers and body come out, within bounds.
#include "net/response_head.hpp"

#include "fuzz.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace net = pyaichat::net;

namespace {

std::string transcript(std::string_view bytes, std::size_t size) {
    net::response_head head;
    net::response_body body = net::response_body::of_length(0);
    auto state = net::response_head::state::unfinished;
    std::string out;
    std::string left;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size()))) {
        const std::string buffer(bytes.substr(0, size));
        std::string_view piece = buffer;
        if (state == net::response_head::state::unfinished) {
            state = head.take(piece);
            if (state == net::response_head::state::finished) {
                body = head.body();
                out = std::to_string(head.status()) + (head.keeps_connection() ? " keep " : " close ");
                for (const auto& header : head.headers()) {
                    out += header.name + ":" + header.value + "\n";
                }
                if (out.size() > 2 * net::response_head::largest) {
                    std::abort();
                }
            } else if (state != net::response_head::state::unfinished) {
                return "refused " + std::to_string(static_cast<int>(state));
            }
        }
        if (state == net::response_head::state::finished) {
            while (!piece.empty() && !body.finished() && !body.malformed()) {
                out += body.take(piece);
            }
            left += body.malformed() ? "" : std::string(piece);
        }
    }
    body.end_of_connection();
    return out + (body.finished() ? "." : body.malformed() ? "!" : "?") + left;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::compare_splits(data, size, transcript);
}
