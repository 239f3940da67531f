#pragma once
#include <pyaichat/message/capability_spec.hpp>
#include <pyaichat/message/conversation.hpp>

#include <span>
#include <string>
#include <string_view>

namespace repl {

namespace ai = pyaichat;

/// What the next question would send to the model, for a person: instructions, functions with their origin, and messages of earlier
/// questions.
[[nodiscard]] std::string context_report(std::string_view instructions, std::span<const ai::capability_spec> functions,
                                         const ai::conversation& kept);

/// A capability with its parameters: "open_door(id, force?)".
[[nodiscard]] std::string signature_of(const ai::capability_spec& spec);

}  // namespace repl
