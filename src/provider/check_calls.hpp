#pragma once
#include <pyaichat/message/response.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Validates the arguments of each call of a declared function on the thread of the provider, which is not the pumping thread. The loop
/// handles unknown names.
inline void check_calls(model_response& response, const capability_list& declared) {
    for (candidate& one : response.candidates) {
        for (const part& piece : one.content.parts) {
            if (const auto* call = piece.as<call_part>()) {
                one.checks.push_back(declared.check(call->name, call->arguments));
            }
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
