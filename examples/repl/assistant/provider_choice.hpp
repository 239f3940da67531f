#pragma once
#include <pyaichat/gemini/gemini.hpp>

#include "assistant/dotenv.hpp"
#include "options.hpp"

#include <functional>
#include <optional>
#include <string>

namespace repl {

/// Who answers, and what to say about it.
struct provider_choice {
    std::optional<ai::gemini_options> gemini = {};  ///< empty = the offline provider
    std::string notice = {};                        ///< for the person: how to get a model, or what was ignored; empty = nothing to say
    std::string name = {};                          ///< "gemini-3.8-flash" or "offline provider"
};

/// Looks up an environment variable; nothing when it is not set, an empty text when it is set to one.
using environment = std::function<std::optional<std::string>(const char* name)>;

[[nodiscard]] std::optional<std::string> process_environment(const char* name);

/// Chooses by the command line, the environment and the `.env` file, which never overrides the environment. The base URL of `.env` counts
/// only if the key is from there too: else a `.env` in a strange folder could send the environment's key anywhere. Fails with
/// `invalid_argument`: no key for `--provider gemini`, a key with control characters, a base URL that is none or is `http://` to another
/// machine. The key itself is never in the message.
[[nodiscard]] ai::result<provider_choice> choose_provider(const options& chosen, const environment& outside, const variables& file);

}  // namespace repl
