#pragma once
#include "net/http_connection.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// A pool of idle connections by origin. Thread-safe.
class connection_pool {
public:
    /// Returns the reusable connection that was used last, or null. The older ones can then expire.
    [[nodiscard]] std::unique_ptr<http_connection> take(const std::string& origin);
    /// Keeps the connection if it is reusable.
    void give_back(const std::string& origin, std::unique_ptr<http_connection> connection);

private:
    struct idle_connection {
        std::unique_ptr<http_connection> connection;
        std::chrono::steady_clock::time_point since;
    };

    std::mutex mutex_;
    std::map<std::string, std::vector<idle_connection>> idle_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
