#pragma once
#include "net/shared_job.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

using host_addresses = std::vector<std::string>;
using host_lookup = std::function<result<host_addresses>(const std::string& host)>;

/// Resolves host names on detached threads, because the system's lookup cannot be interrupted and may block for 30 seconds.
/// Concurrent requests for the same name share one lookup: a dead name server costs one thread per name, not one per attempt.
class resolver {
public:
    using job = shared_job<host_addresses>;

    /// `look_up` is called on threads that may outlive the resolver.
    resolver(std::weak_ptr<loop_runner> loop, host_lookup look_up) : loop_(std::move(loop)), look_up_(std::move(look_up)) {}

    /// Returns the running lookup of the name, to wait for. Fails if the system refuses a thread.
    [[nodiscard]] result<std::shared_ptr<job>> find(const std::string& host);

private:
    std::weak_ptr<loop_runner> loop_;
    host_lookup look_up_;
    std::map<std::string, std::shared_ptr<job>> running_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
