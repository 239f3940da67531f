#pragma once
#include "net/loop_runner.hpp"

#include <pyaichat/policy/async_http_transport.hpp>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// An exchange whose starter waits for it.
class blocking_exchange final : public http_exchange {
public:
    /// Where the response goes: the exchange may outlive the wait.
    struct wait_block {
        wait_block(std::shared_ptr<loop_runner> on, const http_body_sink* to) noexcept : loop(std::move(on)), sink(to) {}
        void changed();

        const std::shared_ptr<loop_runner> loop;
        const http_body_sink* const sink;  ///< used on the waiting thread only
        const std::thread::id waiting = std::this_thread::get_id();
        std::mutex mutex;
        std::condition_variable arrived;
        std::string pieces;  ///< of a streamed body, not taken yet
        std::optional<result<http_response>> outcome;
    };

    blocking_exchange(http_request request, std::shared_ptr<wait_block> to) : request_(std::move(request)), to_(std::move(to)) {}

    result<http_request> request() override { return std::move(request_); }
    bool streams() const noexcept override { return to_->sink != nullptr; }
    bool take(std::string_view piece) override;
    void finish(result<http_response> outcome) override;

private:
    http_request request_;
    std::shared_ptr<wait_block> to_;
};

/// Waits for a blocking exchange: runs the loop on the calling thread if no other thread does. Make it before the exchange is started.
class blocking_wait {
public:
    blocking_wait(loop_runner& runner, std::shared_ptr<blocking_exchange::wait_block> from, bool has_thread);
    blocking_wait(const blocking_wait&) = delete;
    blocking_wait& operator=(const blocking_wait&) = delete;
    ~blocking_wait();

    /// Returns the response. If other exchanges are in flight, the sink is called outside of the loop: they do not wait for it. If it
    /// returns false, `stop` is tripped.
    [[nodiscard]] result<http_response> wait(cancel_source& stop);

private:
    enum class claim : unsigned char { none, own, of_caller };
    void wait_once();
    [[nodiscard]] std::optional<failure> pass_on(std::string_view pieces);

    loop_runner& runner_;
    std::shared_ptr<blocking_exchange::wait_block> from_;
    bool has_thread_;
    claim claim_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
