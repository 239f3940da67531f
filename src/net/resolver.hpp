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

/// Resolves names on threads that can be left behind: the system's look-up cannot be interrupted and may hang for half a minute.
/// Those who ask for one name at the same time share one look-up, so that a dead name server costs one thread per name, not one per
/// attempt.
class resolver {
public:
    using addresses = std::vector<std::string>;
    using lookup = std::function<result<addresses>(const std::string& host)>;

    explicit resolver(lookup look_up);

    /// Any thread. Fails with what the look-up fails with, `timeout` or `cancelled`.
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
