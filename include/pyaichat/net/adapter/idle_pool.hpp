#pragma once
#include <pyaichat/config/config.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net::adapter {

/// For the adapters over HTTP libraries of the host: idle clients of the library, by origin. Thread-safe.
template <class Client>
class idle_pool {
public:
    /// Returns the client that was used last, or null. The older ones can then expire.
    [[nodiscard]] std::unique_ptr<Client> take(const std::string& origin) {
        std::vector<idle_client> expired;  // destroyed after the mutex is released
        const std::lock_guard lock(mutex_);
        std::vector<idle_client>& clients = idle_[origin];
        while (!clients.empty()) {
            idle_client last = std::move(clients.back());
            clients.pop_back();
            if (clock::now() - last.since < idle_for && last.client->reusable()) {
                return std::move(last.client);
            }
            expired.push_back(std::move(last));
        }
        return nullptr;
    }

    void give_back(const std::string& origin, std::unique_ptr<Client> client) {
        idle_client oldest;  // destroyed after the mutex is released
        const std::lock_guard lock(mutex_);
        std::vector<idle_client>& clients = idle_[origin];
        if (clients.size() >= idle_per_origin) {
            oldest = std::move(clients.front());
            clients.erase(clients.begin());
        }
        clients.push_back({std::move(client), clock::now()});
    }

private:
    using clock = std::chrono::steady_clock;
    static constexpr std::size_t idle_per_origin = 8;
    static constexpr auto idle_for = std::chrono::seconds(60);  // services close idle connections after a few minutes

    struct idle_client {
        std::unique_ptr<Client> client = {};
        clock::time_point since = {};
    };

    std::mutex mutex_;
    std::map<std::string, std::vector<idle_client>> idle_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net::adapter
