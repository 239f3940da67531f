#pragma once
#include <pyaichat/anthropic/anthropic.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/openai/openai.hpp>

#include "assistant/dotenv.hpp"
#include "options.hpp"

#include <functional>
#include <optional>
#include <string>

namespace repl {

/// The chosen provider, and a notice about it.
struct provider_choice {
    std::optional<ai::gemini_options> gemini = {};
    std::optional<ai::openai_options> openai = {};
    std::optional<ai::anthropic_options> anthropic = {};  ///< none of these = the offline provider
    std::string notice = {};                              ///< for the person: how to use a model, or which setting was ignored
    std::string name = {};                                ///< "gemini-3.8-flash" or "offline provider"

    /// Whether a language model answers.
    [[nodiscard]] bool is_model() const noexcept { return gemini || openai || anthropic; }

    /// Returns the key that is sent to the service, or an empty text.
    [[nodiscard]] std::string api_key() const;
};

/// Looks up an environment variable. Returns nothing if it is not set.
using environment = std::function<std::optional<std::string>(const char* name)>;

[[nodiscard]] std::optional<std::string> process_environment(const char* name);

/// Chooses the provider from the command line, the environment and the `.env` file, in this order of precedence. The base URL of `.env` is
/// used only if the key is from `.env` too: otherwise a `.env` in a foreign folder could send the environment's key anywhere. Fails with
/// `invalid_argument`: no key for a service that needs one, no model, a key with control characters, an invalid base URL or `http://` to
/// another machine. The message never contains the key.
///
/// A service other than OpenAI gets the key of its own variable only. A server on the own machine gets a key only together with
/// `OPENAI_BASE_URL`.
[[nodiscard]] ai::result<provider_choice> choose_provider(const options& chosen, const environment& outside, const variables& file);

}  // namespace repl
