// Whatever a service answers is read without a crash, the same however it is split, and can be sent back.
#include "anthropic/stream_reader.hpp"

#include <pyaichat/anthropic/codec.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace ai = pyaichat;
namespace codec = pyaichat::anthropic_codec;

namespace {

const codec::origin from{.writer = codec::wire_writer({}), .prefix = 7};

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

struct outcome {
    std::string shown = {};  ///< "!" stands for a restart
    ai::result<ai::model_response> response = ai::failure();
};

outcome read(std::string_view body, std::size_t piece) {
    outcome out;
    const ai::delta_sink sink(
        [&out](ai::delta_sink::kind what, std::string_view text) { out.shown += what == ai::delta_sink::kind::restart ? "!" : text; });
    codec::stream_reader reader(sink, from, {}, std::size_t{1} << 20);
    while (!body.empty() && reader.feed(body.substr(0, piece))) {
        body.remove_prefix(std::min(piece, body.size()));
    }
    out.response = reader.finish();
    return out;
}

/// The next request, with a reply to each call.
void send_back(const ai::model_response& response) {
    ai::model_request request;
    request.messages.push_back(ai::user_message("x"));
    request.messages.push_back(response.candidates.front().content);
    ai::message replies = ai::user_message("Go on.");
    for (const ai::part& piece : response.candidates.front().content.parts) {
        if (const auto* call = piece.as<ai::call_part>()) {
            replies.parts.push_back(ai::response_part{call->id, call->name, ai::json::object({{"ok", true}})});
        }
    }
    request.messages.push_back(replies);
    const auto body = codec::encode_request(request);
    require(body.has_value() && ai::parse_json(*body, 2 * ai::max_json_depth).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);

    const outcome whole = read(body, body.size() + 1);
    const outcome split = read(body, 1 + data[0] % 16);
    require(whole.response.has_value() == split.response.has_value());
    require(whole.shown == split.shown);
    if (whole.response) {
        require(whole.response->usage == split.response->usage);
        send_back(*whole.response);
    } else {
        require(whole.response.error().code == split.response.error().code);
    }

    if (auto document = ai::parse_json(body)) {
        if (const auto response = codec::decode_response(*std::move(document), from)) {
            send_back(*response);
        }
    }
    static_cast<void>(codec::decode_error(400 + data[0], body));
    return 0;
}
