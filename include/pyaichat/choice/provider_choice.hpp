#pragma once
#include <pyaichat/anthropic/anthropic_options.hpp>
#include <pyaichat/core/result.hpp>
#include <pyaichat/gemini/gemini_options.hpp>
#include <pyaichat/openai/openai_options.hpp>
#include <pyaichat/provider/any_provider.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

enum class provider_name : unsigned char { by_key, offline, gemini, openai, anthropic };

/// The provider that a person asks for by name.
struct provider_request {
    provider_name provider = provider_name::by_key;
    std::string profile = {};  ///< with `provider_name::openai`: how the service differs
    std::string model = {};    ///< empty = from the environment, or the default of the service
    /// Where a person can set a variable, for messages.
    std::string places = "in the environment or in a file .env";
};

/// Parses the name of a service: `offline`, `gemini`, `anthropic`, `gemini-openai` (Gemini through its interface like OpenAI's) or the name
/// of an OpenAI profile. Fails with `invalid_argument`; the hint lists the names.
[[nodiscard]] result<provider_request> provider_named(std::string_view name);

/// Environment variables by name.
using variables = std::map<std::string, std::string, std::less<>>;
/// Looks up an environment variable. Returns nothing if it is not set.
using environment = std::function<std::optional<std::string>(const char* name)>;
/// The environment of the process.
[[nodiscard]] std::optional<std::string> process_environment(const char* name);

/// The chosen provider, and a notice about it.
struct provider_choice {
    std::optional<gemini_options> gemini = {};
    std::optional<openai_options> openai = {};
    std::optional<anthropic_options> anthropic = {};  ///< none of these = the offline provider
    std::string notice = {};                          ///< for the person: how to use a model, or which setting was ignored
    std::string name = {};                            ///< "gemini-3.8-flash" or "offline provider"

    /// Returns whether a language model answers.
    [[nodiscard]] bool is_model() const noexcept { return gemini || openai || anthropic; }

    /// Returns the key that is sent to the service, or an empty text.
    [[nodiscard]] std::string api_key() const;
};

/// Chooses the provider from the request, the environment and the `.env` file, in this order of precedence. The base URL of `.env` is
/// used only if the key is from `.env` too: otherwise a `.env` in a foreign folder could send the environment's key anywhere. Fails with
/// `invalid_argument`: no key for a service that needs one, no model, a key with control characters, an invalid base URL or `http://` to
/// another machine. The message never contains the key.
///
/// A service other than OpenAI gets the key of its own variable only. A server on the own machine gets a key only together with
/// `OPENAI_BASE_URL`.
[[nodiscard]] result<provider_choice> choose_provider(const provider_request& chosen, const environment& outside, const variables& file);

/// Creates the chosen provider.
[[nodiscard]] any_provider make_provider(const provider_choice& choice);

}  // namespace pyaichat::inline PYAICHAT_ABI
