#pragma once
#include "agent/machine/run_state.hpp"
#include "message/stored_form.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

struct stored_call {
    std::uint64_t number = 0;
    call_part call = {};
    open_call::stage stage = open_call::stage::gated;
    pyaichat::effects effects = pyaichat::effects::once;
    provenance from = provenance::host;
    std::string origin = {};
    std::string headline = {};
    std::string reason = {};
    std::optional<duration> timeout = {};
    std::optional<capability_reply> reply = {};
};
/// Times, as what is left until then.
struct stored_times {
    duration total = {};
    duration step = {};
    duration delay = {};
    duration call = {};
    duration call_started = {};
};
struct stored_answer {
    std::string text = {};
    stop_reason reason = stop_reason::misconfigured;
    std::optional<failure> error = {};
};

/// A snapshot, field by field: this is the format. A field that an earlier format did not have is optional.
struct stored_run {
    /// Counted up when a reader of the format before could not read what is written now. tests/unit/agent/golden/ has one of each.
    static constexpr int newest_format = 2;

    int format = newest_format;
    std::string run_id = {};
    std::string seed = {};
    std::string instructions = {};
    std::string question = {};
    pyaichat::limits limits = {};
    std::optional<tool_mode> mode = {};  ///< from format 2 on
    conversation messages = {};
    std::map<std::string, std::string> declarations = {};  ///< marks of what calls rely on
    std::string phase = {};
    int steps = 0;
    int invalid_responses = 0;
    int calls_run = 0;
    bool calls_exceeded = false;
    token_usage usage = {};
    std::string commentary = {};
    pyaichat::detail::findings::stored findings = {};
    std::vector<repeat_guard::stored> repeats = {};
    std::uint64_t attempt = 0;
    int retries = 0;
    bool text_shown = false;
    bool thoughts_shown = false;
    std::vector<stored_call> calls = {};
    std::size_t running = 0;
    std::uint64_t last_call_number = 0;
    std::uint64_t events = 0;
    stored_times remaining = {};
    std::optional<stored_answer> answer = {};  ///< when the run has ended
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
