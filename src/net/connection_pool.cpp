#include "net/connection_pool.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

constexpr auto longest_idle = std::chrono::seconds(60);  // services close idle connections after a few minutes

}  // namespace

bool connection_pool::admit(service& to) noexcept {
    if (to.in_use >= max_in_use_) {
        return false;
    }
    ++to.in_use;
    return true;
}

std::unique_ptr<http_connection> connection_pool::take(service& from) {
    while (!from.idle.empty()) {
        service::idle_connection candidate = std::move(from.idle.back());
        from.idle.pop_back();
        if (loop_.now() - candidate.since < longest_idle && candidate.connection->idle()) {
            return std::move(candidate.connection);
        }
    }
    return nullptr;
}

void connection_pool::release(service& of, std::unique_ptr<http_connection> connection) {
    if (connection != nullptr && max_idle_ > 0) {
        if (connection->tls() != nullptr && of.ticket == nullptr) {
            of.ticket = connection->tls()->ticket();
        }
        connection->set_user(*this);
        const auto fresh = [&](const service::idle_connection& entry) { return loop_.now() - entry.since < longest_idle; };
        of.idle.erase(of.idle.begin(), std::find_if(of.idle.begin(), of.idle.end(), fresh));
        if (of.idle.size() >= max_idle_) {
            of.idle.erase(of.idle.begin());
        }
        of.idle.push_back({std::move(connection), loop_.now()});
    }
    connection.reset();
    if (of.waiting.empty()) {
        --of.in_use;
        return;
    }
    waiter* const next = of.waiting.front();
    of.waiting.pop_front();
    next->admitted();
}

void connection_pool::clear() noexcept {
    for (auto& [origin, entry] : services_) {
        entry.idle.clear();
    }
}

/// A kept connection has received something: a farewell, or a TLS message.
void connection_pool::connection_ready(http_connection& connection) {
    if (connection.idle()) {
        return;
    }
    for (auto& [origin, entry] : services_) {
        const auto gone = std::find_if(entry.idle.begin(), entry.idle.end(),
                                       [&](const service::idle_connection& one) { return one.connection.get() == &connection; });
        if (gone != entry.idle.end()) {
            entry.idle.erase(gone);
            return;
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
