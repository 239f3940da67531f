#pragma once
#include <pyaichat/policy/http_transport.hpp>
#include <pyaichat/testing/service_refusal.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A request that an emulator received, valid or not.
struct recorded_request {
    std::string method = {};
    std::string path = {};
    std::string query = {};  ///< without `?`
    std::vector<http_header> headers = {};
    std::string text = {};                        ///< the body as sent
    json body = {};                               ///< the body as JSON; null if it is not JSON
    int connection = 0;                           ///< the number of the connection, from 1
    std::optional<service_refusal> refusal = {};  ///< why the emulator refused the request, if it did

    /// Returns the value of a header, or an empty string. The name is not case-sensitive.
    [[nodiscard]] std::string header(std::string_view name) const;
    /// Returns the values of this member in all objects of the body, in order: `every("thoughtSignature")`.
    [[nodiscard]] std::vector<json> every(std::string_view member) const;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
