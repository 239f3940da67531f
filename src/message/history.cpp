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
constexpr const char* beginning = "(The conversation begins with a message of the model's.)";

message synthetic_message(role who, const char* text) {
    message made = user_message(text);
    made.role = who;
    made.synthetic = true;
    return made;
}

/// One message on its way: what of it every provider takes.
struct piece {
    std::size_t index = 0;  ///< in the history
    bool changed = false;   ///< something was left out of it
    bool replies_last = true;
    std::vector<const part*> parts = {};  ///< all but the replies
    std::vector<const response_part*> replies = {};
};

/// A call of the model's message at hand.
struct open_call {
    const call_part* call = nullptr;
    const response_part* reply = nullptr;
};

bool is_usable(const json& arguments) {
    return arguments.is_object() && !nests_deeper_than(arguments, detail::max_value_depth);
}

bool says_something(const part& one) {
    const auto* text = one.as<text_part>();
    return one.as<call_part>() != nullptr || (text != nullptr && !detail::is_blank(text->text));
}

bool says_nothing(const piece& one) {
    return std::none_of(one.parts.begin(), one.parts.end(), [](const part* each) { return says_something(*each); });
}

/// Reads a history from its beginning to its end, once: what it would change is a fault.
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
    /// What has no fault is the history itself, which others have gone on from.
    [[nodiscard]] conversation repaired() && { return faults_.empty() ? conversation(history_) : std::move(out_); }

private:
    void fault(std::size_t index, const std::string& what) { faults_.push_back("messages[" + std::to_string(index) + "] " + what); }

    void read(std::size_t index) {
        piece read = trimmed(index);
        if (read.replies.empty() && says_nothing(read)) {
            fault(index, "is empty");
        } else if (history_[index].role == role::model) {
            if (!user_.empty()) {
                close_user_turn();
            }
            model_.push_back(std::move(read));
        } else {
            user_.push_back(std::move(read));
        }
    }

    /// Without what has no place in a message of its role, whatever comes before and after.
    piece trimmed(std::size_t index) {
        const message& from = history_[index];
        const bool by_model = from.role == role::model;
        piece out{.index = index};
        const auto leave_out = [&](const std::string& why) {
            out.changed = true;
            fault(index, why);
        };
        for (const part& one : from.parts) {
            if (const auto* reply = one.as<response_part>()) {
                if (by_model) {
                    leave_out("is the model's and has a reply to a call");
                } else if (nests_deeper_than(reply->response, detail::max_value_depth)) {
                    leave_out("has a reply that nests too deep");
                } else {
                    out.replies.push_back(reply);
                }
                continue;
            }
            const auto* call = one.as<call_part>();
            if (call != nullptr && !by_model) {
                leave_out("is the user's and has a call");
            } else if (call != nullptr && call->name.empty()) {
                leave_out("has a call without a name");
            } else if (one.as<thought_part>() != nullptr && !by_model) {
                leave_out("is the user's and has a thought");
            } else if (const auto* text = one.as<text_part>(); text != nullptr && detail::is_blank(text->text) && !from.wire) {
                leave_out("has a text that is empty");
            } else if (one.as<opaque_part>() != nullptr && !from.wire) {
                leave_out("has a part that only its provider understands, and not that provider's form");
            } else {
                if (call != nullptr && !is_usable(call->arguments)) {
                    leave_out("has a call whose arguments are no object, or nest too deep");  // built anew, with none
                }
                out.replies_last = out.replies_last && out.replies.empty();
                out.parts.push_back(&one);
            }
        }
        return out;
    }

    /// What the user's side has said since the model spoke: replies to its calls, then perhaps a new question.
    void close_user_turn() {
        std::vector<open_call> calls;
        for (const piece& one : model_) {
            for (const part* each : one.parts) {
                if (const auto* call = each->as<call_part>()) {
                    calls.push_back({.call = call});
                }
            }
        }
        const std::size_t answered = match_replies(calls);
        const auto question = user_.begin() + static_cast<std::ptrdiff_t>(answered);
        if (!calls.empty()) {
            close_model_turn();
            put_replies(calls, {user_.begin(), question});
            user_.erase(user_.begin(), question);
            std::erase_if(user_, says_nothing);
            if (!user_.empty()) {
                fault(user_.front().index, "is a question behind replies, with nothing of the model's between them");
                out_.push_back(synthetic_message(role::model, unfinished_turn));
            }
        }
        std::erase_if(user_, says_nothing);
        if (!user_.empty()) {
            close_model_turn();
            put(user_);
        }
        user_.clear();
    }

    /// Gives each call its reply, drops the replies that are left over, and returns how many messages it took to reply.
    std::size_t match_replies(std::vector<open_call>& calls) {
        using queues = std::map<std::string_view, std::deque<std::size_t>>;
        const auto take = [&](queues& from, std::string_view key, const response_part* reply) {
            const auto found = from.find(key);
            if (found == from.end() || found->second.empty()) {
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
        struct place {
            std::size_t message = 0;
            const response_part* reply = nullptr;
        };
        std::vector<place> left;
        std::size_t answered = 0;
        for (std::size_t i = 0; i < user_.size(); ++i) {
            for (const response_part* reply : user_[i].replies) {
                if (take(by_id, reply->id, reply)) {
                    answered = i + 1;
                } else {
                    left.push_back({i, reply});
                }
            }
        }
        // By name where one side has no id.
        queues with_id;
        queues without_id;
        for (std::size_t i = 0; i < calls.size() && !left.empty(); ++i) {
            if (calls[i].reply == nullptr) {
                (calls[i].call->id.empty() ? without_id : with_id)[calls[i].call->name].push_back(i);
            }
        }
        for (const place& one : left) {
            if (take(without_id, one.reply->name, one.reply) || (one.reply->id.empty() && take(with_id, one.reply->name, one.reply))) {
                answered = std::max(answered, one.message + 1);
            } else {
                fault(user_[one.message].index,
                      "has a reply to `" + detail::one_line(one.reply->name, 64) + "`, which was not called before it");
                user_[one.message].changed = true;
            }
        }
        return answered;
    }

    /// One message that replies to all calls, made of those that did.
    void put_replies(const std::vector<open_call>& calls, const std::vector<piece>& from) {
        bool echoed = true;
        for (const open_call& one : calls) {
            if (one.reply == nullptr) {
                faults_.push_back("the call of `" + detail::one_line(one.call->name, 64) + "` has no reply");
            }
            echoed = echoed && one.reply != nullptr && one.reply->id == one.call->id && one.reply->name == one.call->name;
        }
        if (echoed && from.size() == 1 && !from[0].changed) {
            const bool in_order = std::equal(calls.begin(), calls.end(), from[0].replies.begin(), from[0].replies.end(),
                                             [](const open_call& one, const response_part* reply) { return one.reply == reply; });
            if (in_order && from[0].replies_last) {
                out_.push_back(history_.share(from[0].index));
                return;
            }
        }
        if (!from.empty()) {
            fault(from[0].index, "is not one message of texts, then replies in the order of their calls, with the calls' ids and names");
        }
        message made = merged(from);
        for (const open_call& one : calls) {
            response_part reply{.id = one.call->id, .name = one.call->name};
            reply.response = one.reply != nullptr
                                 ? one.reply->response
                                 : reply_error(reply_code::cancelled, "the run ended before this call was answered").envelope();
            made.parts.emplace_back(std::move(reply));
        }
        out_.push_back(std::move(made));
    }

    void close_model_turn() {
        if (model_.empty()) {
            return;
        }
        if (out_.empty()) {
            fault(model_.front().index, "is the model's, and the first");
            out_.push_back(synthetic_message(role::user, beginning));
        }
        put(model_);
        model_.clear();
    }

    /// Neighbours of one role as one message.
    void put(const std::vector<piece>& neighbours) {
        if (neighbours.size() == 1 && !neighbours[0].changed) {
            out_.push_back(history_.share(neighbours[0].index));
            return;
        }
        for (std::size_t i = 1; i < neighbours.size(); ++i) {
            fault(neighbours[i].index, "has the role of the one before it");
        }
        out_.push_back(merged(neighbours));
    }

    [[nodiscard]] message merged(const std::vector<piece>& from) const {
        message made;
        made.synthetic = !from.empty();
        for (const piece& one : from) {
            made.role = history_[one.index].role;
            made.synthetic = made.synthetic && history_[one.index].synthetic;
            for (const part* each : one.parts) {
                const auto* text = each->as<text_part>();
                if (each->as<opaque_part>() != nullptr || (text != nullptr && detail::is_blank(text->text))) {
                    continue;  // good only in the wire form, which is lost
                }
                const auto* call = each->as<call_part>();
                if (call != nullptr && !is_usable(call->arguments)) {
                    made.parts.emplace_back(call_part{.id = call->id, .name = call->name});
                } else {
                    made.parts.push_back(*each);
                }
            }
        }
        return made;
    }

    const conversation& history_;
    conversation out_;
    std::vector<std::string> faults_;
    std::vector<piece> model_;  // neighbours of the model's that are not in `out_` yet
    std::vector<piece> user_;   // and the user's behind them
};

}  // namespace

std::vector<std::string> check_history(const conversation& history) {
    return repair(history).faults();
}

conversation repair_history(const conversation& history) {
    return repair(history).repaired();
}

}  // namespace pyaichat::inline PYAICHAT_ABI
