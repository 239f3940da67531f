#pragma once
/// The file format of a cassette: one JSON document, for people to read and compare.
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// One request with its response or failure, without secrets.
struct cassette_exchange {
    http_request request = {};
    http_response response = {};  ///< status 0 if no response arrived
    /// The end offsets of a streamed body's pieces. Nothing if the body was not streamed.
    std::optional<std::vector<std::size_t>> pieces = {};
    std::optional<failure> failed = {};  ///< occurred after the received part of `response`
};

[[nodiscard]] std::string write_cassette(const std::vector<cassette_exchange>& exchanges);

/// Fails with `invalid_argument`; the message has the place of the error.
[[nodiscard]] result<std::vector<cassette_exchange>> read_cassette(std::string_view text);

/// Replaces the file atomically. Fails with `internal`.
[[nodiscard]] result<void> save_cassette(const std::string& path, const std::vector<cassette_exchange>& exchanges);

/// Fails with `not_found` or `invalid_argument`; the message begins with the path.
[[nodiscard]] result<std::vector<cassette_exchange>> load_cassette(const std::string& path);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
