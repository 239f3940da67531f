#include "message/part_json.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

json written(const part& piece) {
    json out = json::object();
    if (const auto* text = piece.as<text_part>()) {
        out["text"] = text->text;
    } else if (const auto* thought = piece.as<thought_part>()) {
        out["thought"] = thought->text;
    } else if (const auto* call = piece.as<call_part>()) {
        out["call"] = detail::written(*call);
    } else if (const auto* reply = piece.as<response_part>()) {
        out["response"]["id"] = reply->id;
        out["response"]["name"] = reply->name;
        out["response"]["response"] = reply->response;
    } else if (const auto* opaque = piece.as<opaque_part>()) {
        out["opaque"] = opaque->wire;
    }
    return out;
}

part read_part(const json_fields& from) {
    if (from.has("text")) {
        return text_part{.text = from.text("text")};
    }
    if (from.has("thought")) {
        return thought_part{.text = from.text("thought")};
    }
    if (from.has("call")) {
        return read_call(from.object("call"));
    }
    if (from.has("response")) {
        const json_fields reply = from.object("response");
        return response_part{.id = reply.text("id"), .name = reply.text("name"), .response = reply.value("response")};
    }
    if (from.has("opaque")) {
        return opaque_part{.wire = from.value("opaque")};
    }
    from.report("text", "or another kind of part is missing");
    return {};
}

}  // namespace

json written(const call_part& call) {
    json out = json::object();
    out["id"] = call.id;
    out["name"] = call.name;
    out["arguments"] = call.arguments;
    return out;
}

call_part read_call(const json_fields& from) {
    return {.id = from.text("id"), .name = from.text("name"), .arguments = from.value("arguments")};
}

json written(const message& one) {
    json out = json::object();
    out["role"] = std::string(to_string(one.role));
    out["parts"] = json::array();
    for (const part& piece : one.parts) {
        out["parts"].push_back(written(piece));
    }
    if (one.wire) {
        out["wire"]["provider"] = one.wire->provider;
        out["wire"]["body"] = one.wire->body;
    }
    if (one.synthetic) {
        out["synthetic"] = true;
    }
    return out;
}

message read_message(const json_fields& from) {
    message one{.role = from.word("role", role::model)};
    from.each("parts", [&](const json_fields& piece) { one.parts.push_back(read_part(piece)); });
    if (from.has("wire")) {
        const json_fields wire = from.object("wire");
        one.wire = wire_form{.provider = wire.text("provider"), .body = wire.value("body")};
    }
    one.synthetic = from.flag_or_false("synthetic");
    return one;
}

json written(const capability_reply& reply) {
    json out = json::object();
    out["code"] = std::string(to_string(reply.code));
    if (reply.ok()) {
        out["result"] = reply.result;
    } else {
        out["message"] = reply.message;
        out["details"] = reply.details;
    }
    if (!reply.note.empty()) {
        out["note"] = reply.note;
    }
    if (!reply.truncated.is_null()) {
        out["truncated"] = reply.truncated;
    }
    return out;
}

capability_reply read_reply(const json_fields& from) {
    capability_reply reply{.code = from.word("code", reply_code::in_doubt)};
    if (reply.ok()) {
        reply.result = from.value("result");
    } else {
        reply.message = from.text("message");
        reply.details = from.value("details");
    }
    reply.note = from.text_or_nothing("note");
    if (from.has("truncated")) {
        reply.truncated = from.value("truncated");
    }
    return reply;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
