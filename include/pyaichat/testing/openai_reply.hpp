#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/time.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A function call of the emulated model. `arguments` is the text that the model wrote.
struct openai_call {
    std::string id = {};
    std::string name = {};
    std::string arguments = "{}";
};

/// One scripted reply of the emulator: its content, and faults to inject. The request decides the format: one document, or events.
///
///     openai_reply::text("Hello.")
///     openai_reply::calls({{"call_1", "get_type", R"({"path":"x"})"}}).without_index()
///     openai_reply::error(503, "Overloaded").after(20ms)
class openai_reply {
public:
    /// Replies with a text, in one delta per piece if streamed.
    [[nodiscard]] static openai_reply text(std::string_view words) { return deltas({std::string(words)}); }
    [[nodiscard]] static openai_reply deltas(std::vector<std::string> pieces);
    /// Replies with function calls and the finish reason `tool_calls`. The arguments of each call come in two deltas.
    [[nodiscard]] static openai_reply calls(std::vector<openai_call> function_calls);
    /// Replies to a request of the Responses API with these items, unchanged.
    [[nodiscard]] static openai_reply output(json items);
    /// Replies with an error.
    [[nodiscard]] static openai_reply error(int status, std::string_view message, std::string_view code = {},
                                            std::string_view type = "server_error");
    /// Replies with HTTP 200 and any JSON body, also to a request for a stream.
    [[nodiscard]] static openai_reply document(const json& body);
    /// Replies with this status, these headers and this body.
    [[nodiscard]] static openai_reply http(int status, std::vector<http_header> headers, std::string body);
    /// Sends no response and keeps the connection open.
    [[nodiscard]] static openai_reply hang();

    // Content. Each function below returns the changed reply.
    /// Adds `reasoning_content`, or on the Responses API an item with a summary and encrypted content.
    [[nodiscard]] openai_reply thinking(std::string_view words) && { return with(&openai_reply::reasoning_, words); }
    /// Adds a member to the message (`phase` on the Responses API), or to the first call.
    [[nodiscard]] openai_reply with_member(std::string_view name, json value) &&;
    [[nodiscard]] openai_reply with_call_member(std::string_view name, json value) &&;
    [[nodiscard]] openai_reply finishing(std::string_view reason) && { return with(&openai_reply::finish_, std::string(reason)); }
    /// Leaves out the finish reason, `[DONE]`, or the index of calls.
    [[nodiscard]] openai_reply without_finish() && { return with(&openai_reply::finish_, std::nullopt); }
    [[nodiscard]] openai_reply without_done() && { return with(&openai_reply::done_, false); }
    [[nodiscard]] openai_reply without_index() && { return with(&openai_reply::index_, false); }
    /// Ends the stream with an error event before the finish reason.
    [[nodiscard]] openai_reply then_error(int code, std::string_view message) &&;

    // Transport.
    [[nodiscard]] openai_reply header(std::string_view name, std::string_view value) &&;
    /// Waits before the first byte.
    [[nodiscard]] openai_reply after(duration delay) && { return with(&openai_reply::delay_, delay); }
    /// Sends one byte per write.
    [[nodiscard]] openai_reply byte_by_byte() && { return with(&openai_reply::piece_, std::size_t{1}); }
    /// Closes the connection after this many bytes of the body.
    [[nodiscard]] openai_reply cut_after(std::size_t body_bytes) && { return with(&openai_reply::body_limit_, body_bytes); }

private:
    friend class openai_renderer;
    friend class response_renderer;

    template <class Member, class Value>
    [[nodiscard]] openai_reply with(Member openai_reply::* member, Value&& value) {
        this->*member = std::forward<Value>(value);
        return std::move(*this);
    }

    json output_ = {};  ///< the items of a response; null = made of the following members
    std::vector<std::string> pieces_ = {};
    std::vector<openai_call> calls_ = {};
    std::string reasoning_ = {};
    json members_ = json::object();       ///< further members of the message
    json call_members_ = json::object();  ///< further members of the first call
    std::optional<std::string> finish_ = "stop";
    bool done_ = true;
    bool index_ = true;
    json late_error_ = {};

    int status_ = 0;  ///< not 0: `body_` is the whole response
    std::vector<http_header> headers_ = {};
    std::string body_ = {};
    bool hangs_ = false;
    duration delay_ = {};
    std::size_t piece_ = 0;
    std::optional<std::size_t> body_limit_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
