#pragma once
#include <pyaichat/testing/anthropic_reply.hpp>
#include <pyaichat/testing/anthropic_request_checker.hpp>
#include <pyaichat/testing/service_emulator.hpp>

namespace pyaichat::inline PYAICHAT_ABI::testing {

using anthropic_emulator_options = service_emulator_options<anthropic_service>;

/// Emulates Anthropic's Messages API; see `service_emulator`. It remembers the thinking blocks that it has written and what preceded them.
/// Serves `POST /v1/messages`, `POST /v1/messages/count_tokens`, `GET /v1/models` and `GET /v1/models/{id}`.
using anthropic_emulator = service_emulator<anthropic_reply, anthropic_service>;

extern template class service_emulator<anthropic_reply, anthropic_service>;

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
