#pragma once
#include <pyaichat/message/capability_spec.hpp>
#include <pyaichat/message/conversation.hpp>

#include <span>
#include <string>
#include <string_view>

namespace repl {

namespace ai = pyaichat;

/// What a model would be sent with the next question, for a person to read: instructions, functions in a line each, with whose they are,
/// and what is kept of earlier questions.
[[nodiscard]] std::string context_report(std::string_view instructions, std::span<const ai::capability_spec> functions,
                                         const ai::conversation& kept);

/// "open_door(id, force?)": a capability with the names of its parameters.
[[nodiscard]] std::string signature_of(const ai::capability_spec& spec);

}  // namespace repl
