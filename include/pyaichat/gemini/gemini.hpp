#pragma once
#include <pyaichat/core/task.hpp>
#include <pyaichat/policy/http_transport.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <functional>
#include <memory>
#include <string>

namespace pyaichat::inline v0 {

/// The model that is asked when nobody chooses one.
inline constexpr const char* default_gemini_model = "gemini-3.8-flash";

struct gemini_options {
    std::string api_key = {};  ///< sent in the header `x-goog-api-key`, and nowhere else
    std::string model = default_gemini_model;  ///< with or without `models/`
    std::string base_url = "https://generativelanguage.googleapis.com";
    std::string api_version = "v1beta";
    std::string key_variable = "GEMINI_API_KEY";  ///< named in texts for a person when the key is rejected
    std::string model_variable = "GEMINI_MODEL";  ///< named in texts for a person when the model is unknown
    std::size_t max_response_bytes = std::size_t{64} << 20;
};

/// What the service says about a model.
struct gemini_model_info {
    std::string name = {};  ///< without `models/`
    std::string display_name = {};
    bool generates = false;       ///< supports generateContent
    bool calls_functions = false; ///< by the name rule: the service has no flag for it
};

/// Google's Gemini Developer API over HTTPS: native function calling, one attempt per `complete`. Models `model_provider`.
/// Safe to use from several threads; a moved-from one must not be used.
class gemini {
public:
    /// Over the library's own HTTPS transport.
    explicit gemini(gemini_options options);
    /// Over a transport of the host's: any `http_transport`.
    template <http_transport Transport>
    gemini(gemini_options options, Transport transport)
        : gemini(std::move(options), sender([transport = std::make_shared<Transport>(std::move(transport))](
                                                const http_request& request, const cancel_token& cancel) { return transport->send(request, cancel); })) {}

    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel);

    /// `GET models/{model}` of the configured model: the start-up check. Blocks at most `timeout`.
    [[nodiscard]] result<gemini_model_info> describe_model(duration timeout, const cancel_token& cancel = {});

    [[nodiscard]] const gemini_options& options() const noexcept;

private:
    using sender = std::function<result<http_response>(const http_request&, const cancel_token&)>;
    gemini(gemini_options options, sender send);

    struct state;
    std::shared_ptr<state> state_;
};

/// Whether a model of this name calls functions, as far as a name tells: a `gemini-` model that is not for images, speech, embeddings and the
/// like. With or without `models/`.
[[nodiscard]] bool gemini_model_calls_functions(std::string_view model) noexcept;

}  // namespace pyaichat::inline v0
