#include "net/connection_pool.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

constexpr std::size_t idle_per_origin = 8;
constexpr auto idle_for = std::chrono::seconds(60);  // services close idle connections after a few minutes

}  // namespace

std::unique_ptr<http_connection> connection_pool::take(const std::string& origin) {
    std::vector<idle_connection> expired;  // closed after the mutex is released
    const std::lock_guard lock(mutex_);
    std::vector<idle_connection>& candidates = idle_[origin];
    while (!candidates.empty()) {
        idle_connection candidate = std::move(candidates.back());
        candidates.pop_back();
        if (std::chrono::steady_clock::now() - candidate.since < idle_for && candidate.connection->reusable()) {
            return std::move(candidate.connection);
        }
        expired.push_back(std::move(candidate));
    }
    return nullptr;
}

void connection_pool::give_back(const std::string& origin, std::unique_ptr<http_connection> connection) {
    if (!connection->reusable()) {
        return;
    }
    idle_connection oldest;  // closed after the mutex is released
    const std::lock_guard lock(mutex_);
    std::vector<idle_connection>& connections = idle_[origin];
    if (connections.size() >= idle_per_origin) {
        oldest = std::move(connections.front());
        connections.erase(connections.begin());
    }
    connections.push_back({std::move(connection), std::chrono::steady_clock::now()});
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
