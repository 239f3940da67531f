#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/time.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A function call of the emulated model.
struct anthropic_call {
    std::string id = {};
    std::string name = {};
    json input = json::object();
};

/// One scripted reply of the emulator: its content, and faults to inject. The request decides the format: one document, or events.
///
///     anthropic_reply::text("Hello.")
///     anthropic_reply::calls({{"toolu_1", "get_type", input}}).thinking("", "c2lnbmF0dXJl")
///     anthropic_reply::text("Hello.").with_pings().byte_by_byte()
class anthropic_reply {
public:
    /// Replies with a text and the stop reason `end_turn`.
    [[nodiscard]] static anthropic_reply text(std::string_view words);
    /// Replies with function calls and the stop reason `tool_use`.
    [[nodiscard]] static anthropic_reply calls(const std::vector<anthropic_call>& function_calls);
    /// Replies with these blocks.
    [[nodiscard]] static anthropic_reply content(json blocks, std::string_view stop_reason = "end_turn");
    /// Replies with an error. `details` is `error.details`, null = none.
    [[nodiscard]] static anthropic_reply error(int status, std::string_view type, std::string_view message, json details = {});
    /// Replies with 429 and the header `retry-after` in seconds; an empty text leaves it out.
    [[nodiscard]] static anthropic_reply rate_limit(std::string_view retry_after);
    /// Replies with 429 for a spending limit that lasts until the month ends.
    [[nodiscard]] static anthropic_reply spend_limit();
    /// Replies with 529.
    [[nodiscard]] static anthropic_reply overloaded();
    /// Replies to any request with this status, these headers and this body.
    [[nodiscard]] static anthropic_reply http(int status, std::vector<http_header> headers, std::string body);
    /// Replies with these events of a stream, unchanged.
    [[nodiscard]] static anthropic_reply events(std::vector<json> all);
    /// Sends no response and keeps the connection open.
    [[nodiscard]] static anthropic_reply hang();
    /// Sends no response and resets the connection.
    [[nodiscard]] static anthropic_reply reset();

    /// Adds a thinking block before the other blocks.
    [[nodiscard]] anthropic_reply thinking(std::string_view words, std::string_view signature) &&;
    /// Adds a hidden thinking block before the other blocks.
    [[nodiscard]] anthropic_reply redacted_thinking(std::string_view data) &&;
    /// Sets the stop reason and, for a refusal, `stop_details`.
    [[nodiscard]] anthropic_reply stopping(std::string_view reason, json details = {}) &&;
    /// Sets the members of `usage`.
    [[nodiscard]] anthropic_reply usage(json counts) && { return with(&anthropic_reply::usage_, std::move(counts)); }
    /// Sends a ping before each event of a block.
    [[nodiscard]] anthropic_reply with_pings() && { return with(&anthropic_reply::pings_, true); }
    /// Sends the input of calls in the start event, without deltas, as gateways do.
    [[nodiscard]] anthropic_reply with_whole_input() && { return with(&anthropic_reply::whole_input_, true); }
    /// Leaves out the event `message_stop`, as gateways do.
    [[nodiscard]] anthropic_reply without_message_stop() && { return with(&anthropic_reply::message_stop_, false); }
    /// Ends a stream with an error event in place of the stop reason.
    [[nodiscard]] anthropic_reply then_error(std::string_view type, std::string_view message) &&;
    /// Closes the connection after this many events.
    [[nodiscard]] anthropic_reply cut_after(std::size_t events) && { return with(&anthropic_reply::event_limit_, events); }
    /// Answers a request for a stream with one document.
    [[nodiscard]] anthropic_reply never_streamed() && { return with(&anthropic_reply::never_streamed_, true); }
    /// Waits before the first byte.
    [[nodiscard]] anthropic_reply after(duration delay) && { return with(&anthropic_reply::delay_, delay); }
    /// Sends one byte per write, without pauses.
    [[nodiscard]] anthropic_reply byte_by_byte() && { return with(&anthropic_reply::piece_, std::size_t{1}); }

private:
    friend class anthropic_renderer;
    enum class form : unsigned char { message, events, body, hang, reset };

    template <class Member, class Value>
    [[nodiscard]] anthropic_reply with(Member anthropic_reply::* member, Value&& value) {
        this->*member = std::forward<Value>(value);
        return std::move(*this);
    }

    form form_ = form::message;
    json content_ = json::array();
    std::string stop_reason_ = "end_turn";
    json stop_details_ = {};
    json usage_ = {{"input_tokens", 612}, {"output_tokens", 48}};
    std::vector<json> events_ = {};
    json late_error_ = {};
    bool pings_ = false;
    bool whole_input_ = false;
    bool message_stop_ = true;
    bool never_streamed_ = false;
    std::size_t event_limit_ = static_cast<std::size_t>(-1);
    int status_ = 200;
    std::vector<http_header> headers_ = {};
    std::string body_ = {};
    duration delay_ = {};
    std::size_t piece_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
