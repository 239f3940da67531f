#pragma once
/// For the adapters over HTTP libraries of the host, on POSIX systems: lookups of names that can be abandoned.
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/core/detail/quiet_thread.hpp>
#include <pyaichat/core/result.hpp>

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net::adapter {

/// Looks up the numeric addresses of a name, in the order in which to try them. Blocks without a time limit. Fails with
/// `connection_failed`.
[[nodiscard]] inline result<std::vector<std::string>> look_up_addresses(const std::string& host) {
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &found); error != 0) {
        return failure{.code = errc::connection_failed,
                       .message = "the name " + host + " could not be resolved: " + ::gai_strerror(error),
                       .hint = "The service could not be reached (the name " + host + " was not found)."};
    }
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
    std::vector<std::string> addresses;
    for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
        char text[NI_MAXHOST] = {};
        if (::getnameinfo(entry->ai_addr, entry->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0 &&
            std::find(addresses.begin(), addresses.end(), text) == addresses.end()) {
            addresses.emplace_back(text);
        }
    }
    return addresses;
}

/// Looks up names on detached threads, because the system's lookup cannot be interrupted. Requests for the same name share a lookup, so a
/// dead name server costs a thread for each name. Thread-safe.
class name_lookup {
public:
    using time_point = std::chrono::steady_clock::time_point;
    using addresses = std::vector<std::string>;

    explicit name_lookup(std::function<result<addresses>(const std::string&)> look_up = &look_up_addresses)
        : look_up_(std::move(look_up)) {}

    /// Returns the addresses of a host. A numeric address and `localhost` need no lookup. Fails with `connection_failed`, or with any code
    /// after a cancellation and at the deadline.
    [[nodiscard]] result<addresses> find(const std::string& host, time_point deadline, const cancel_token& cancel) {
        in6_addr numeric = {};
        if (host == "localhost") {
            return addresses{"127.0.0.1", "::1"};
        }
        if (::inet_pton(AF_INET, host.c_str(), &numeric) == 1 || ::inet_pton(AF_INET6, host.c_str(), &numeric) == 1) {
            return addresses{host};
        }
        result<std::shared_ptr<lookup>> started = start(host);
        if (!started) {
            return std::move(started).error();
        }
        const std::shared_ptr<lookup>& running = *started;
        std::optional<result<addresses>> found;
        {
            const std::stop_callback wake(cancel, [&running] {
                const std::lock_guard lock(running->mutex);
                running->changed.notify_all();
            });
            std::unique_lock lock(running->mutex);
            running->changed.wait_until(lock, deadline, [&] { return running->found.has_value() || cancel.stop_requested(); });
            found = running->found;
            lock.unlock();  // the destructor of `wake` may wait for its callback, which locks this mutex
        }
        return found ? *std::move(found) : failure{.code = errc::timeout, .message = "the name " + host + " was not resolved in time"};
    }

private:
    struct lookup {
        std::mutex mutex;
        std::condition_variable changed;
        std::optional<result<addresses>> found;
    };
    struct table {
        std::mutex mutex;
        std::map<std::string, std::shared_ptr<lookup>> running;
    };

    [[nodiscard]] result<std::shared_ptr<lookup>> start(const std::string& host) {
        const std::lock_guard lock(table_->mutex);
        if (const auto running = table_->running.find(host); running != table_->running.end()) {
            return running->second;
        }
        auto started = std::make_shared<lookup>();
        // The thread owns copies because it may outlive this object.
        result<std::thread> thread = detail::start_quiet_thread([started, host, look_up = look_up_, lookups = table_] {
            result<addresses> found = look_up(host);
            {
                const std::lock_guard table_lock(lookups->mutex);
                lookups->running.erase(host);
            }
            const std::lock_guard started_lock(started->mutex);
            started->found.emplace(std::move(found));
            started->changed.notify_all();
        });
        if (!thread) {
            return std::move(thread).error();
        }
        thread->detach();
        table_->running.emplace(host, started);
        return started;
    }

    std::function<result<addresses>(const std::string&)> look_up_;
    std::shared_ptr<table> table_ = std::make_shared<table>();
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net::adapter
