#include "anthropic/message_text.hpp"

#include "anthropic/wire.hpp"
#include "core/base64.hpp"
#include "core/fingerprint.hpp"
#include "core/surrogates.hpp"
#include "provider/image_text.hpp"

#include <pyaichat/core/text.hpp>

#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

namespace {

/// Appends a call of an own message. The block is edited only where the service would refuse it.
void append_own_call(model_text& out, const json& block, call_ids& ids) {
    const std::string id = string_of(block, "id");
    const std::string name = string_of(block, "name");
    std::string sent = ids.take(id);
    const json* input = find_member(block, "input");
    if (sent != id || input == nullptr || !input->is_object()) {
        json edited = block;
        edited["id"] = sent;
        if (input == nullptr || !input->is_object()) {
            edited["input"] = json::object();
        }
        append_json(out.blocks, edited, max_json_depth + 1);
    } else {
        append_json(out.blocks, block, max_json_depth + 1);
    }
    out.calls.push_back({id, name});
    out.ids.push_back(std::move(sent));
    out.names.push_back(name);
}

}  // namespace

bool is_own(const message& one, std::string_view writer) noexcept {
    return one.wire && one.wire->provider == writer;
}

std::optional<std::uint64_t> recorded_prefix(const message& one) {
    std::uint64_t prefix = 0;
    const auto text = one.wire ? string_member(one.wire->body, "prefix") : std::nullopt;
    return text && detail::read_hexadecimal(*text, prefix) ? std::optional(prefix) : std::nullopt;
}

model_text own_blocks(const message& one, bool with_thinking, call_ids& ids) {
    model_text out;
    for (const json& block : elements_of(one.wire->body, "content")) {
        const std::string_view type = string_member(block, "type").value_or("");
        // The service writes texts without words, and refuses them.
        if (type.empty() || (type == "text" && detail::is_blank(string_member(block, "text").value_or("")))) {
            continue;
        }
        if (is_thinking(block)) {
            (with_thinking ? out.has_thinking : out.lost_thinking) = true;
            if (!with_thinking) {
                continue;
            }
        }
        append_comma(out.blocks);
        if (type == "tool_use") {
            append_own_call(out, block, ids);
        } else {
            const std::size_t begin = out.blocks.size();
            append_json(out.blocks, block, max_json_depth + 1);
            if (is_thinking(block)) {
                detail::escape_surrogates(out.blocks, begin);
            }
        }
    }
    return out;
}

model_text foreign_blocks(const message& one, call_ids& ids) {
    model_text out;
    for (const part& piece : one.parts) {
        if (const auto* text = piece.as<text_part>(); text != nullptr && !detail::is_blank(text->text)) {
            append_comma(out.blocks);
            out.blocks += R"({"text":)";
            append_string(out.blocks, text->text);
            out.blocks += R"(,"type":"text"})";
        } else if (const auto* call = piece.as<call_part>()) {
            out.ids.push_back(ids.take(call->id));
            out.names.push_back(call->name.empty() ? "unknown" : plain_name(call->name));
            append_comma(out.blocks);
            append_json(out.blocks,
                        {{"type", "tool_use"},
                         {"id", out.ids.back()},
                         {"name", out.names.back()},
                         {"input", call->arguments.is_object() ? call->arguments : json::object()}},
                        max_json_depth + 1);
            out.calls.push_back({call->id, call->name});
        }
    }
    return out;
}

std::string image_block(const image& picture) {
    constexpr std::array<std::string_view, 4> types = {"image/png", "image/jpeg", "image/gif", "image/webp"};
    std::string out;
    if (!detail::is_taken(picture, types)) {
        out = R"({"text":)";
        append_string(out, detail::missing_image_text(picture));
        return out + R"(,"type":"text"})";
    }
    out = R"({"source":{"data":")";
    out += detail::encode_base64(picture.data());
    out += R"(","media_type":)";
    append_string(out, picture.mime_type());
    return out + R"(,"type":"base64"},"type":"image"})";
}

std::string result_block(std::string_view id, const json& response, const std::vector<image>& images) {
    const json* const ok = find_member(response, "ok");
    const bool failed = ok != nullptr && ok->is_boolean() && !as_bool(*ok).value_or(true);
    const auto words = as_string(response);
    const bool with_images = !images.empty() && !failed;
    std::string out = with_images ? R"({"content":[{"text":)" : R"({"content":)";
    append_string(out, words ? std::string(*words) : dump_json(response));
    if (with_images) {
        out += R"(,"type":"text"})";
        for (const image& picture : images) {
            out += "," + image_block(picture);
        }
        out += ']';
    }
    out += failed ? R"(,"is_error":true,"tool_use_id":)" : R"(,"tool_use_id":)";
    append_string(out, id);
    out += R"(,"type":"tool_result"})";
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
