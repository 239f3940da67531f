#pragma once
#include "net/shared_job.hpp"
#include "net/tls_context.hpp"

#include <memory>
#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Loads the CA certificates of a transport when they are first needed, on a thread of their own: it takes up to 100 ms. Loads them again
/// if that has failed.
class certificate_store {
public:
    using job = shared_job<tls_context>;

    certificate_store(std::weak_ptr<loop_runner> loop, std::string ca_file) : loop_(std::move(loop)), ca_file_(std::move(ca_file)) {}

    /// Returns the certificates if they are loaded, else null.
    [[nodiscard]] const tls_context& loaded() const noexcept { return context_; }
    void keep(const tls_context& context) { context_ = context; }

    /// Returns the loading, to wait for. Fails if the system refuses a thread.
    [[nodiscard]] result<std::shared_ptr<job>> load() {
        if (job_ == nullptr || job_->done()) {
            result<std::shared_ptr<job>> started = job::start(loop_, [file = ca_file_] { return load_tls_context(file); });
            if (!started) {
                return started;
            }
            job_ = std::move(*started);
        }
        return job_;
    }

private:
    std::weak_ptr<loop_runner> loop_;
    std::string ca_file_;
    tls_context context_ = {};
    std::shared_ptr<job> job_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
