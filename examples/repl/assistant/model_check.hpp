#pragma once
#include <pyaichat/gemini/gemini.hpp>

#include <string>

namespace repl {

namespace ai = pyaichat;

/// What the start-up check found.
struct model_check {
    bool usable = true;       ///< false: this model never calls functions, so there is no point in starting
    std::string remark = {};  ///< for the person; empty = all is well
};

/// Why a model with this name cannot be used: it calls no functions. Empty when nothing is known against it.
[[nodiscard]] std::string refuse_model(const ai::gemini_options& chosen);

/// Asks the service about the model, for at most three seconds; Ctrl-C skips it. Only a model that is known not to call functions is
/// unusable: a rejected key or a dead network is a remark, and a question will say the rest.
[[nodiscard]] model_check check_model(const ai::gemini_options& chosen);

}  // namespace repl
