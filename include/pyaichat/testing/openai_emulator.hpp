#pragma once
#include <pyaichat/testing/openai_reply.hpp>
#include <pyaichat/testing/openai_request_checker.hpp>
#include <pyaichat/testing/service_emulator.hpp>

namespace pyaichat::inline PYAICHAT_ABI::testing {

using openai_emulator_options = service_emulator_options<openai_service>;

/// Emulates Chat Completions and the Responses API; see `service_emulator`. Serves `POST /v1/chat/completions`, `POST /v1/responses` and
/// `GET /v1/models`.
using openai_emulator = service_emulator<openai_reply, openai_service>;

extern template class service_emulator<openai_reply, openai_service>;

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
