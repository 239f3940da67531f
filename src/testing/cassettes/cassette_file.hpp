#pragma once
/// The format of a cassette: one JSON document that people read and compare.
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// One request and what came of it, without secrets.
struct cassette_exchange {
    http_request request = {};
    http_response response = {};  ///< status 0 when there was none
    /// The ends of the pieces of a streamed body, as offsets into it. Nothing when it was not streamed.
    std::optional<std::vector<std::size_t>> pieces = {};
    std::optional<failure> failed = {};  ///< after what `response` has
};

[[nodiscard]] std::string write_cassette(const std::vector<cassette_exchange>& exchanges);

/// Fails with `invalid_argument`; the message says where the document is no cassette.
[[nodiscard]] result<std::vector<cassette_exchange>> read_cassette(std::string_view text);

/// Replaces the file as a whole: who reads it meanwhile sees the old or the new one.
[[nodiscard]] result<void> save_cassette(const std::string& path, const std::vector<cassette_exchange>& exchanges);

/// Fails with `not_found`, or as `read_cassette` does; the message begins with the path.
[[nodiscard]] result<std::vector<cassette_exchange>> load_cassette(const std::string& path);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
