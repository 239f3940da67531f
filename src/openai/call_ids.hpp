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
    explicit call_ids(openai_call_ids style = openai_call_ids::any) : style_(style) {}

    /// Begins a message: ids need to be unique only in their message, unless the service wants them unique in the conversation.
    void begin_message();

    /// Returns the id for a call that the history knows as `id`. `own` says whether the service itself wrote the id: then it is kept if it
    /// is unique.
    [[nodiscard]] std::string take(std::string_view id, bool own);

private:
    [[nodiscard]] bool acceptable(std::string_view id, bool own) const;

    openai_call_ids style_;
    std::set<std::string, std::less<>> used_ = {};
    std::size_t count_ = 0;  ///< of all calls so far
};

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
