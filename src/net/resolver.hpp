#pragma once
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/core/result.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Resolves host names on detached threads, because the system's lookup cannot be interrupted and may block for 30 seconds.
/// Concurrent requests for the same name share one lookup: a dead name server costs one thread per name, not one per attempt.
class resolver {
public:
    using addresses = std::vector<std::string>;
    using lookup = std::function<result<addresses>(const std::string& host)>;

    explicit resolver(lookup look_up);

    /// Returns the addresses of the host. Thread-safe. Fails with `timeout`, `cancelled` or the failure of the lookup.
    [[nodiscard]] result<addresses> resolve(const std::string& host, std::chrono::steady_clock::time_point deadline,
                                            const cancel_token& cancel);

private:
    struct pending;
    struct table {
        std::mutex mutex;
        std::map<std::string, std::shared_ptr<pending>> running;
    };
    result<std::shared_ptr<pending>> start(const std::string& host);

    lookup look_up_;
    std::shared_ptr<table> table_ = std::make_shared<table>();
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
