#pragma once
#include <pyaichat/testing/gemini_reply.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A page token of the model list is this prefix and the index of the page's first model.
inline constexpr std::string_view page_token_prefix = "page-from-";

/// A parsed request target: `/{version}/models[/{model}[:{method}]][?query]`.
struct gemini_target {
    gemini_method method = gemini_method::generate;
    std::string version = {};
    std::string model = {};  ///< without `models/`, but with `tunedModels/`
    std::vector<std::pair<std::string, std::string>> query = {};

    [[nodiscard]] std::optional<std::string_view> parameter(std::string_view name) const;
    /// Whether the response is a stream of events. A stream without `alt=sse` is one JSON array.
    [[nodiscard]] bool events() const { return method == gemini_method::stream && parameter("alt") == "sse"; }
};

/// Returns nothing if the service does not have this path for this HTTP method.
[[nodiscard]] std::optional<gemini_target> parse_gemini_target(std::string_view http_method, std::string_view target);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
