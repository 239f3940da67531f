#pragma once
#include <pyaichat/openai/openai_profile.hpp>

#include <set>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Makes a call id from a seed: `call_` and nine letters or digits. The same seed always gives the same id.
[[nodiscard]] std::string made_up_id(std::string_view seed);

/// Chooses the ids under which the calls of a conversation are sent.
class call_ids {
public:
    /// `in_conversation` says whether ids must be unique in the conversation, and not only in their message.
    explicit call_ids(openai_call_ids style = openai_call_ids::any, bool in_conversation = false)
        : style_(style), in_conversation_(in_conversation) {}

    void begin_message();

    /// Returns the id for a call that the history knows as `id`. `own` says whether the service itself wrote the id: then it is kept if it
    /// is unique.
    [[nodiscard]] std::string take(std::string_view id, bool own);

private:
    [[nodiscard]] bool acceptable(std::string_view id, bool own) const;

    openai_call_ids style_;
    bool in_conversation_;
    std::set<std::string, std::less<>> used_ = {};
    std::size_t count_ = 0;  ///< of all calls so far
};

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
