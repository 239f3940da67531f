#pragma once
#include <pyaichat/config/config.hpp>

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// Chooses the ids under which the calls of a conversation are sent: letters, digits, `_` and `-`, unique in the conversation.
class call_ids {
public:
    /// Returns the id for a call that the history knows as `id`: the same if the service accepts it, else one made from it.
    [[nodiscard]] std::string take(std::string_view id);

private:
    std::set<std::string, std::less<>> used_ = {};
};

/// Replaces every character but letters, digits, `_` and `-` by `_`, and cuts the name to 64 characters.
[[nodiscard]] std::string plain_name(std::string_view name);

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
