#pragma once
#include "net/http_connection.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Idle connections by the origin that they lead to. Any thread.
class connection_pool {
public:
    /// One that is fit for use, the one that was used last first (the older ones may then grow old); null when there is none.
    [[nodiscard]] std::unique_ptr<http_connection> take(const std::string& origin);
    /// Keeps it when it is fit for another exchange.
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
