#include <pyaichat/message/history.hpp>

#include "message/value_depth.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

constexpr const char* unfinished_turn = "(This turn ended without an answer.)";
constexpr const char* beginning = "(The conversation begins with a message from the model.)";

message synthetic_message(role author, const char* text) {
    return {.role = author, .parts = {text_part{.text = text}}, .synthetic = true};
}

/// A message of the history, without the parts that no provider accepts in it.
struct piece {
    std::size_t index = 0;  ///< in the history
    bool changed = false;   ///< a part was left out
    bool replies_last = true;
    std::vector<const part*> parts = {};  ///< all but the replies
    std::vector<const response_part*> replies = {};
};

/// A call of the current model message, with its reply.
struct open_call {
    const call_part* call = nullptr;
    const response_part* reply = nullptr;
};

bool is_usable(const json& arguments) {
    return arguments.is_object() && !nests_deeper_than(arguments, detail::max_value_depth);
}

/// Whether a message has something that only its provider understands, such as a video, and still its wire form.
bool has_opaque(const piece& message) {
    return !message.changed && std::any_of(message.parts.begin(), message.parts.end(),
                                           [](const part* content) { return content->as<opaque_part>() != nullptr; });
}

bool has_content(const piece& message) {
    return std::any_of(message.parts.begin(), message.parts.end(), [](const part* content) {
        const auto* text = content->as<text_part>();
        return content->as<call_part>() != nullptr || content->as<image_part>() != nullptr ||
               (text != nullptr && !detail::is_blank(text->text));
    });
}

/// Why a part must be left out of its message, whatever comes before and after; null if it may stay.
const char* fault_of(const part& content, const message& message) {
    const bool by_model = message.role == role::model;
    if (const auto* reply = content.as<response_part>()) {
        return by_model                                                      ? "is from the model and has a reply to a call"
               : nests_deeper_than(reply->response, detail::max_value_depth) ? "has a reply that nests too deep"
                                                                             : nullptr;
    }
    if (const auto* call = content.as<call_part>()) {
        return !by_model ? "is from the user and has a call" : call->name.empty() ? "has a call without a name" : nullptr;
    }
    if (const auto* picture = content.as<image_part>()) {
        return by_model ? "is from the model and has an image" : check(picture->image) ? nullptr : "has an image that is not valid";
    }
    if (content.as<thought_part>() != nullptr) {
        return by_model ? nullptr : "is from the user and has a thought";
    }
    if (message.wire) {
        return nullptr;
    }
    const auto* text = content.as<text_part>();
    return text == nullptr                ? "has a part that only its provider understands, without its wire form"
           : detail::is_blank(text->text) ? "has an empty text"
                                          : nullptr;
}

/// Reads a history once, and builds the repaired one. Each change is a fault.
class repair {
public:
    explicit repair(const conversation& history) : history_(history) {
        for (std::size_t i = 0; i < history.size(); ++i) {
            read(i);
        }
        close_user_turn();
        close_model_turn();
    }

    [[nodiscard]] std::vector<std::string> faults() && { return std::move(faults_); }
    /// Without faults this is the history itself, so that it still shares its messages with other copies.
    [[nodiscard]] conversation repaired() && { return faults_.empty() ? conversation(history_) : std::move(out_); }

private:
    void fault(std::size_t index, const std::string& what) { faults_.push_back("messages[" + std::to_string(index) + "] " + what); }

    void read(std::size_t index) {
        piece message = usable_parts(index);
        const bool by_user = history_[index].role == role::user;
        if (message.replies.empty() && !has_content(message) && !(by_user && has_opaque(message))) {
            fault(index, "is empty");
        } else if (history_[index].role == role::model) {
            if (!user_.empty()) {
                close_user_turn();
            }
            model_.push_back(std::move(message));
        } else {
            user_.push_back(std::move(message));
        }
    }

    piece usable_parts(std::size_t index) {
        piece usable{.index = index};
        for (const part& content : history_[index].parts) {
            const auto* reply = content.as<response_part>();
            const auto* call = content.as<call_part>();
            const char* why = fault_of(content, history_[index]);
            if (why == nullptr && reply != nullptr) {
                usable.replies.push_back(reply);
            } else if (why == nullptr) {
                usable.replies_last = usable.replies_last && usable.replies.empty();
                usable.parts.push_back(&content);
                if (call != nullptr && !is_usable(call->arguments)) {
                    why = "has a call whose arguments are not an object, or nest too deep";  // `merged` makes them empty
                }
            }
            if (why != nullptr) {
                usable.changed = true;
                fault(index, why);
            }
        }
        return usable;
    }

    /// Ends the user's turn: replies to the calls of the model, then perhaps a new question.
    void close_user_turn() {
        std::vector<open_call> calls;
        for (const piece& message : model_) {
            for (const part* content : message.parts) {
                if (const auto* call = content->as<call_part>()) {
                    calls.push_back({.call = call});
                }
            }
        }
        const auto without_content = [](const piece& message) { return !has_content(message) && !has_opaque(message); };
        const auto question = user_.begin() + static_cast<std::ptrdiff_t>(match_replies(calls));
        if (!calls.empty()) {
            close_model_turn();
            put_replies(calls, {user_.begin(), question});
            user_.erase(user_.begin(), question);
            std::erase_if(user_, without_content);
            if (!user_.empty()) {
                fault(user_.front().index, "is a question after replies, without a model message between them");
                out_.push_back(synthetic_message(role::model, unfinished_turn));
            }
        }
        std::erase_if(user_, without_content);
        if (!user_.empty()) {
            close_model_turn();
            put(user_);
        }
        user_.clear();
    }

    /// Assigns the replies to the calls, drops the other replies, and returns the number of messages up to the last assigned reply.
    std::size_t match_replies(std::vector<open_call>& calls) {
        using queues = std::map<std::string_view, std::deque<std::size_t>>;
        const auto take = [&](queues& waiting, std::string_view key, const response_part* reply) {
            const auto found = waiting.find(key);
            if (found == waiting.end() || found->second.empty()) {
                return false;
            }
            calls[found->second.front()].reply = reply;
            found->second.pop_front();
            return true;
        };
        queues by_id;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (!calls[i].call->id.empty()) {
                by_id[calls[i].call->id].push_back(i);
            }
        }
        struct unmatched_reply {
            std::size_t message = 0;
            const response_part* reply = nullptr;
        };
        std::vector<unmatched_reply> unmatched;
        std::size_t answered = 0;
        for (std::size_t i = 0; i < user_.size(); ++i) {
            for (const response_part* reply : user_[i].replies) {
                if (take(by_id, reply->id, reply)) {
                    answered = i + 1;
                } else {
                    unmatched.push_back({i, reply});
                }
            }
        }
        // By name, if the call or the reply has no id.
        queues with_id;
        queues without_id;
        for (std::size_t i = 0; i < calls.size() && !unmatched.empty(); ++i) {
            if (calls[i].reply == nullptr) {
                (calls[i].call->id.empty() ? without_id : with_id)[calls[i].call->name].push_back(i);
            }
        }
        for (const auto& [message, reply] : unmatched) {
            if (take(without_id, reply->name, reply) || (reply->id.empty() && take(with_id, reply->name, reply))) {
                answered = std::max(answered, message + 1);
            } else {
                fault(user_[message].index, "has a reply to `" + detail::one_line(reply->name, 64) + "`, which was not called before it");
                user_[message].changed = true;
            }
        }
        return answered;
    }

    /// Puts one message with a reply to each call. `messages` are those that replied.
    void put_replies(const std::vector<open_call>& calls, const std::vector<piece>& messages) {
        bool echoed = true;
        for (const auto& [call, reply] : calls) {
            if (reply == nullptr) {
                faults_.push_back("the call of `" + detail::one_line(call->name, 64) + "` has no reply");
            }
            echoed = echoed && reply != nullptr && reply->id == call->id && reply->name == call->name;
        }
        if (echoed && messages.size() == 1 && !messages[0].changed && messages[0].replies_last &&
            std::equal(calls.begin(), calls.end(), messages[0].replies.begin(), messages[0].replies.end(),
                       [](const open_call& open, const response_part* reply) { return open.reply == reply; })) {
            out_.push_back(history_.share(messages[0].index));
            return;
        }
        if (!messages.empty()) {
            fault(messages[0].index,
                  "is not one message of texts, then replies in the order of their calls, with the calls' ids and names");
        }
        message replies = merged(messages);
        for (const auto& [call, reply] : calls) {
            const auto cancelled = [] {
                return reply_error(reply_code::cancelled, "the run ended before this call got a reply").envelope();
            };
            replies.parts.emplace_back(response_part{.id = call->id,
                                                     .name = call->name,
                                                     .response = reply != nullptr ? reply->response : cancelled(),
                                                     .images = reply != nullptr ? reply->images : std::vector<image>()});
        }
        out_.push_back(std::move(replies));
    }

    void close_model_turn() {
        if (model_.empty()) {
            return;
        }
        if (out_.empty()) {
            fault(model_.front().index, "is the first, and from the model");
            out_.push_back(synthetic_message(role::user, beginning));
        }
        put(model_);
        model_.clear();
    }

    /// Puts consecutive messages of the same role as one message.
    void put(const std::vector<piece>& messages) {
        if (messages.size() == 1 && !messages[0].changed) {
            out_.push_back(history_.share(messages[0].index));
            return;
        }
        for (std::size_t i = 1; i < messages.size(); ++i) {
            fault(messages[i].index, "has the same role as the message before it");
        }
        if (messages.size() > 1 && history_[messages[0].index].role == role::user &&
            std::any_of(messages.begin(), messages.end(), has_opaque)) {
            // Merged, they would lose what is in their wire forms only.
            for (const piece& message : messages) {
                if (message.index != messages[0].index) {
                    out_.push_back(synthetic_message(role::model, unfinished_turn));
                }
                put({message});
            }
            return;
        }
        out_.push_back(merged(messages));
    }

    [[nodiscard]] message merged(const std::vector<piece>& messages) const {
        message all;
        all.synthetic = !messages.empty();
        for (const piece& source : messages) {
            all.role = history_[source.index].role;
            all.synthetic = all.synthetic && history_[source.index].synthetic;
            for (const part* content : source.parts) {
                const auto* text = content->as<text_part>();
                const auto* call = content->as<call_part>();
                if (content->as<opaque_part>() != nullptr || (text != nullptr && detail::is_blank(text->text))) {
                    continue;  // valid only in the wire form, which is lost
                }
                if (call != nullptr && !is_usable(call->arguments)) {
                    all.parts.emplace_back(call_part{.id = call->id, .name = call->name});
                } else {
                    all.parts.push_back(*content);
                }
            }
        }
        return all;
    }

    const conversation& history_;
    conversation out_;
    std::vector<std::string> faults_;
    std::vector<piece> model_;  // consecutive model messages that are not in `out_` yet
    std::vector<piece> user_;   // the user messages after them
};

}  // namespace

std::vector<std::string> check_history(const conversation& history) {
    return repair(history).faults();
}

conversation repair_history(const conversation& history) {
    return repair(history).repaired();
}

}  // namespace pyaichat::inline PYAICHAT_ABI
