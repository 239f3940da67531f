#pragma once
#include <pyaichat/testing/gemini_reply.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// How the tokens of the emulated list of models begin; the rest is the number of the first model.
inline constexpr std::string_view page_token_prefix = "page-from-";

/// A request target of the service in parts: `/{version}/models[/{model}[:{method}]][?query]`.
struct gemini_target {
    gemini_method method = gemini_method::generate;
    std::string version = {};
    std::string model = {};  ///< without `models/`, yet with `tunedModels/`
    std::vector<std::pair<std::string, std::string>> query = {};

    /// The value of a query parameter, or nothing when it is not there.
    [[nodiscard]] std::optional<std::string_view> parameter(std::string_view name) const;
    /// Whether the answer is a stream of events; a stream without `alt=sse` is one JSON array.
    [[nodiscard]] bool events() const { return method == gemini_method::stream && parameter("alt") == "sse"; }
};

/// Nothing when the service has no such path for this HTTP method.
[[nodiscard]] std::optional<gemini_target> parse_gemini_target(std::string_view http_method, std::string_view target);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
