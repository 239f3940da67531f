#pragma once
#include "anthropic/message_text.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// The prefixes after which the service has refused a thinking block.
using refused_prefixes = std::set<std::uint64_t>;

/// Encodes the `messages` of a request message by message. Adding a message does not touch the earlier text.
///
/// Enforces section 3.1 of the wire document for any history: the first message is the user's, the roles alternate, and no message is
/// empty. The message after calls begins with exactly their results, in order; texts and images follow. A trailing model message is held
/// back until a user message follows.
///
/// A thinking block is bound to everything before it (section 6.2). Its message records the fingerprint of that. If it differs now, the
/// thinking blocks of the message are left out. Then the later ones, which were bound to them, differ too and are left out as well.
class messages_text {
public:
    messages_text() = default;
    /// `start` is the fingerprint of the instructions and declarations. `refused` may be null.
    messages_text(std::uint64_t start, std::shared_ptr<const refused_prefixes> refused)
        : start_(start), hash_(start), refused_(std::move(refused)) {}

    /// Whether the text was begun for these arguments of the constructor.
    [[nodiscard]] bool is_for(std::uint64_t start, const std::shared_ptr<const refused_prefixes>& refused) const noexcept {
        return start_ == start && refused_ == refused;
    }

    /// Adds a message. Messages of `writer` are sent back unchanged.
    void add(const message& one, std::string_view writer);

    /// Whether there is nothing to send.
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    /// Whether the last message has the results of calls.
    [[nodiscard]] bool answers_calls() const noexcept { return !open_by_model_ && !due_.empty(); }
    /// The names of all calls.
    [[nodiscard]] const std::set<std::string, std::less<>>& called() const noexcept { return called_; }
    /// The prefix of the first thinking block that is sent.
    [[nodiscard]] std::optional<std::uint64_t> first_thinking() const noexcept { return first_thinking_; }

    /// The number of bytes that `append_to` appends, without frames and without results that it makes up for unanswered calls.
    [[nodiscard]] std::size_t size() const noexcept;
    /// Appends the messages, separated by commas, and returns the fingerprint of all that precedes the response.
    std::uint64_t append_to(std::string& out) const;

private:
    void add_model(const message& one, std::string_view writer);
    void add_user(const message& one);
    void close(const std::string& text);
    [[nodiscard]] bool keeps_thinking(const message& one, std::uint64_t before) const;
    [[nodiscard]] std::string open_user() const;

    std::uint64_t start_ = 0;
    std::uint64_t hash_ = 0;  ///< of the instructions, the declarations and `closed_`
    std::shared_ptr<const refused_prefixes> refused_ = {};
    std::string closed_ = {};  ///< messages that are complete
    std::string open_ = {};    ///< blocks of the last message, if it is the model's
    /// A text as a JSON string, or an image as a block.
    struct user_piece {
        std::string json = {};
        bool is_text = true;
    };
    std::vector<user_piece> texts_ = {};  ///< of the last message, if it is the user's
    bool open_by_model_ = false;          ///< whether the last message is the model's
    bool lost_thinking_ = false;          ///< whether a thinking block was left out
    detail::call_replies due_ = {};       ///< calls of the open model message, or of the one before the open user message
    std::vector<std::string> due_ids_ = {};
    call_ids ids_ = {};
    std::set<std::string, std::less<>> called_ = {};
    std::optional<std::uint64_t> first_thinking_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
