#pragma once
#include <pyaichat/anthropic/anthropic.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/openai/openai.hpp>

#include <string>

namespace repl {

namespace ai = pyaichat;

/// The result of the check at start.
struct model_check {
    bool usable = true;       ///< false if the model does not call functions
    std::string remark = {};  ///< a message for the person, or empty
};

/// Returns an error message if the model with this name does not call functions, else an empty string.
[[nodiscard]] std::string refuse_model(const ai::gemini_options& chosen);

/// Asks the service about the model, for at most three seconds. Ctrl-C skips the check. Only a model without function calls is unusable. A
/// rejected key or a network failure is only a remark, because the first question reports it in detail.
[[nodiscard]] model_check check_model(const ai::gemini_options& chosen);

/// The same for a service with the interface of OpenAI, which lists its models but does not say what they can do.
[[nodiscard]] model_check check_model(const ai::openai_options& chosen);

/// The same for Anthropic, whose models all call functions.
[[nodiscard]] model_check check_model(const ai::anthropic_options& chosen);

}  // namespace repl
