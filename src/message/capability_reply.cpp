#include <pyaichat/message/capability_reply.hpp>

#include <pyaichat/schema/encode.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

json capability_reply::envelope() && {
    json built = json::object();
    built["ok"] = ok();
    if (!note.empty()) {
        built["note"] = std::move(note);
    }
    if (ok()) {
        built["result"] = std::move(result);
        if (!truncated.is_null()) {
            built["truncated"] = std::move(truncated);
        }
        return built;
    }
    json& error = built["error"] = json::object();
    error["code"] = std::string(to_string(code));
    error["message"] = std::move(message);
    error["details"] = details.is_null() ? json::object() : std::move(details);
    return built;
}

capability_reply reply_with(json result) {
    return {.result = std::move(result)};
}

capability_reply reply_with(json result, std::vector<image> images) {
    return {.result = std::move(result), .images = std::move(images)};
}

capability_reply reply_with_image(image picture) {
    json result = json::object({{"bytes", picture.data().size()}, {"image", picture.mime_type()}});
    return reply_with(std::move(result), {std::move(picture)});
}

capability_reply reply_error(reply_code code, std::string message, json details) {
    return {.code = code, .message = std::move(message), .details = std::move(details)};
}

capability_reply suspend_call(std::string reason) {
    return reply_error(reply_code::suspended, std::move(reason));
}

capability_reply reply_invalid_args(std::span<const schema_error> errors) {
    std::string text;
    for (const schema_error& error : errors) {
        text += text.empty() ? "" : "; ";
        text += (error.path.empty() ? "the arguments" : "`" + error.path + "`") + ": " + error.message;
    }
    return reply_error(reply_code::invalid_args, std::move(text), *encode(errors));
}

capability_reply to_reply(result<json> outcome) {
    if (outcome) {
        return reply_with(std::move(*outcome));
    }
    failure& error = outcome.error();
    const reply_code code = [&] {
        switch (error.code) {
            case errc::invalid_argument: return reply_code::invalid_args;
            case errc::not_allowed: return reply_code::not_allowed;
            case errc::busy: return reply_code::busy;
            case errc::timeout: return reply_code::timeout;
            case errc::cancelled: return reply_code::cancelled;
            default: return reply_code::internal;
        }
    }();
    std::string text = std::move(error.hint.empty() ? error.message : error.hint);
    return reply_error(code, text.empty() ? std::string(to_string(error.code)) : std::move(text));
}

}  // namespace pyaichat::inline PYAICHAT_ABI
