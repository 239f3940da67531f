#include "net/connection_pool.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

constexpr std::size_t idle_per_origin = 8;
constexpr auto idle_for = std::chrono::seconds(60);  // services close idle connections after a few minutes

}  // namespace

std::unique_ptr<http_connection> connection_pool::take(const std::string& origin) {
    std::vector<idle_connection> worn_out;  // closed after the lock is released
    const std::lock_guard lock(mutex_);
    std::vector<idle_connection>& candidates = idle_[origin];
    while (!candidates.empty()) {
        idle_connection one = std::move(candidates.back());
        candidates.pop_back();
        if (std::chrono::steady_clock::now() - one.since < idle_for && one.connection->reusable()) {
            return std::move(one.connection);
        }
        worn_out.push_back(std::move(one));
    }
    return nullptr;
}

void connection_pool::give_back(const std::string& origin, std::unique_ptr<http_connection> connection) {
    if (!connection->reusable()) {
        return;
    }
    idle_connection oldest;  // closed after the lock is released
    const std::lock_guard lock(mutex_);
    std::vector<idle_connection>& kept = idle_[origin];
    if (kept.size() >= idle_per_origin) {
        oldest = std::move(kept.front());
        kept.erase(kept.begin());
    }
    kept.push_back({std::move(connection), std::chrono::steady_clock::now()});
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
