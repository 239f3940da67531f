#pragma once
#include "message/json_fields.hpp"

#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/message/message.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

[[nodiscard]] json written(const call_part& call);
[[nodiscard]] call_part read_call(const json_fields& from);

[[nodiscard]] json written(const message& one);
[[nodiscard]] message read_message(const json_fields& from);

[[nodiscard]] json written(const capability_reply& reply);
[[nodiscard]] capability_reply read_reply(const json_fields& from);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
