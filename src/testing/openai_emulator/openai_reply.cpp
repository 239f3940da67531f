#include <pyaichat/testing/openai_reply.hpp>

#include <pyaichat/testing/openai_request_checker.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

openai_reply openai_reply::deltas(std::vector<std::string> pieces) {
    openai_reply out;
    out.pieces_ = std::move(pieces);
    return out;
}

openai_reply openai_reply::calls(std::vector<openai_call> function_calls) {
    openai_reply out;
    out.calls_ = std::move(function_calls);
    out.finish_ = "tool_calls";
    return out;
}

openai_reply openai_reply::output(json items) {
    openai_reply out;
    out.output_ = std::move(items);
    return out;
}

openai_reply openai_reply::error(int status, std::string_view message, std::string_view code, std::string_view type) {
    return http(status, {{"Content-Type", "application/json"}}, dump_json(openai_error_body(message, type, {}, code)));
}

openai_reply openai_reply::document(const json& body) {
    return http(200, {{"Content-Type", "application/json"}}, dump_json(body));
}

openai_reply openai_reply::http(int status, std::vector<http_header> headers, std::string body) {
    openai_reply out;
    out.status_ = status;
    out.headers_ = std::move(headers);
    out.body_ = std::move(body);
    return out;
}

openai_reply openai_reply::hang() {
    openai_reply out;
    out.hangs_ = true;
    return out;
}

openai_reply openai_reply::with_member(std::string_view name, json value) && {
    members_[std::string(name)] = std::move(value);
    return std::move(*this);
}

openai_reply openai_reply::with_call_member(std::string_view name, json value) && {
    call_members_[std::string(name)] = std::move(value);
    return std::move(*this);
}

openai_reply openai_reply::then_error(int code, std::string_view message) && {
    json error = json::object();
    error["code"] = code;
    error["message"] = message;
    late_error_ = json::object();
    late_error_["error"] = std::move(error);
    return std::move(*this);
}

openai_reply openai_reply::header(std::string_view name, std::string_view value) && {
    headers_.push_back({std::string(name), std::string(value)});
    return std::move(*this);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
