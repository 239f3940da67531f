// Whatever a service answers is read without a crash, the same however it is split, and can be sent back.
#include "openai/completion_reader.hpp"

#include <pyaichat/openai/codec.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace ai = pyaichat;
namespace codec = pyaichat::openai_codec;

namespace {

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

struct outcome {
    std::string shown = {};
    ai::result<ai::model_response> response = ai::failure();
};

template <class Reader>
outcome read(std::string_view body, std::size_t piece, const std::string& writer) {
    static const ai::openai_profile profile;
    outcome out;
    const ai::delta_sink sink([&out](ai::delta_sink::kind, std::string_view text) { out.shown += text; });
    Reader reader(sink, {.writer = writer, .functions = true}, {.profile = &profile}, std::size_t{1} << 20);
    while (!body.empty() && reader.feed(body.substr(0, piece))) {
        body.remove_prefix(std::min(piece, body.size()));
    }
    out.response = reader.finish();
    return out;
}

/// The next request, with a reply to each call. Calls that the loop would refuse are left alone: it does not keep their message.
void send_back(const ai::model_response& response, const ai::openai_options& options) {
    for (const ai::candidate& one : response.candidates) {
        ai::model_request request;
        request.messages.push_back(ai::user_message("x"));
        request.messages.push_back(one.content);
        ai::message replies{.parts = {ai::text_part{"and?"}}};
        bool kept = true;
        for (const ai::part& piece : one.content.parts) {
            if (const auto* call = piece.as<ai::call_part>()) {
                replies.parts.push_back(ai::response_part{call->id, call->name, ai::json::object({{"ok", true}})});
                kept = kept && call->arguments.is_object() && call->id.size() <= 40;
            }
        }
        request.messages.push_back(replies);
        const auto body = codec::encode_request(request, options);
        require(body.has_value());
        const auto parsed = ai::parse_json(*body, ai::max_json_depth + 8);
        require(parsed.has_value());
        if (!kept || codec::uses_responses(options)) {
            continue;
        }
        for (const ai::json& message : (*parsed)["messages"]) {
            const bool calls = ai::find_member(message, "tool_calls") != nullptr;
            require(ai::find_member(message, "role") != nullptr && (calls || ai::find_member(message, "content") != nullptr));
        }
    }
}

template <class Reader>
void check(std::string_view body, const ai::openai_options& options) {
    const std::string writer = codec::wire_writer(options);
    const outcome whole = read<Reader>(body, std::string_view::npos, writer);
    const outcome split = read<Reader>(body, 1, writer);
    require(whole.response.has_value() == split.response.has_value());
    if (whole.response) {
        require(whole.shown == split.shown);
        send_back(*whole.response, options);
    } else {
        require(whole.response.error().code == split.response.error().code);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view body(reinterpret_cast<const char*>(data), size);
    check<codec::chat_reader>(body, {});
    check<codec::responses_reader>(body, {.api = ai::openai_api::responses});
    return 0;
}
