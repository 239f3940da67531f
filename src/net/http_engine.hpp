#pragma once
#include "net/connection_pool.hpp"
#include "net/connection_setup.hpp"
#include "net/loop_runner.hpp"

#include <pyaichat/net/https.hpp>

#include <memory>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

class http_call;

/// The exchanges of a transport, and what they share. Used by the thread that runs the loop.
class http_engine final : public loop_client {
public:
    http_engine(loop_runner& runner, const https_options& options, host_lookup look_up);
    ~http_engine() override;

    [[nodiscard]] connection_services& shared() noexcept { return shared_; }
    [[nodiscard]] connection_pool& pool() noexcept { return pool_; }
    /// Returns whether the transport has been destroyed.
    [[nodiscard]] bool closing() const noexcept { return closing_; }

    void add(std::shared_ptr<http_call> call);
    /// Concludes the call in the next `settle`: results never reach the host from the depth of the loop.
    void conclude_later(http_call& call);

    void settle() override;
    [[nodiscard]] bool settled() const noexcept override { return ended_.empty(); }
    void end_all() override;

private:
    loop_runner& runner_;
    connection_services shared_;
    connection_pool pool_;
    std::vector<std::shared_ptr<http_call>> active_ = {};
    std::vector<std::shared_ptr<http_call>> ended_ = {};
    std::vector<std::shared_ptr<http_call>> concluding_ = {};
    bool closing_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
