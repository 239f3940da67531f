#pragma once
#include <pyaichat/testing/transport_conformance.hpp>

#include <string_view>
#include <vector>

/// Returns the promises that the table in docs/reference/http_transport.md says "yes" or something else to, for the column of a transport.
[[nodiscard]] std::vector<pyaichat::testing::transport_promise> promises_with(bool yes, std::string_view column);
