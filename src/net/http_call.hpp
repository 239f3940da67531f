#pragma once
#include "net/http_engine.hpp"
#include "net/response_reader.hpp"

#include <pyaichat/policy/async_http_transport.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// One exchange in flight: waits for a free connection, makes one, sends the request, reads the response, and is repeated at most once.
///
/// Made on any thread; then used by the thread that runs the loop. The members of the exchange are called in `arrive` (the request), while
/// bytes are read (the body) and in `conclude` (the outcome); between these the host gets no control.
class http_call final : public loop_work,
                        public std::enable_shared_from_this<http_call>,
                        connection_pool::waiter,
                        connection_setup::user,
                        http_connection::user {
public:
    http_call(http_engine& engine, loop_runner& runner, std::unique_ptr<http_exchange> exchange);
    ~http_call() override;

    /// Listens to the token. Call it once, before the call is given to the runner.
    void listen(const cancel_token& cancel);

    void arrive() override;
    void refuse(failure why) override;
    /// Ends because the transport is destroyed.
    void end_with_transport();
    /// Gives back the connection and the outcome.
    void conclude();

    // The place in the engine's list.
    [[nodiscard]] std::size_t place() const noexcept { return place_; }
    void set_place(std::size_t place) noexcept { place_ = place; }

private:
    using time_point = std::chrono::steady_clock::time_point;

    struct cancel_hook {
        http_call* call;
        void operator()() const { call->request_cancel(); }
    };
    struct cancel_message final : loop_message {
        explicit cancel_message(http_call& owner) noexcept : call(owner) {}
        void arrive() override;
        http_call& call;
    };

    void request_cancel();
    void begin();
    void admitted() override;
    void connect();
    void setup_done(std::unique_ptr<http_connection> connection) override;
    void setup_failed(failure why) override;
    void exchange_on(std::unique_ptr<http_connection> connection);
    void connection_ready(http_connection&) override;
    void send();
    void receive();
    void exchange_over(bool nothing_follows);
    void shorten_for_refusal();
    void time_over();
    void end(result<http_response> outcome);

    [[nodiscard]] bool take(std::string_view piece);
    [[nodiscard]] bool cancelled() const noexcept { return cancel_requested_.load(std::memory_order_relaxed); }
    [[nodiscard]] bool late() const { return std::chrono::steady_clock::now() >= deadline_; }
    [[nodiscard]] std::string peer() const;
    [[nodiscard]] failure cancellation() const;
    [[nodiscard]] failure timeout() const;
    [[nodiscard]] failure explain(failure error) const;

    http_engine& engine_;
    loop_runner& runner_;
    std::unique_ptr<http_exchange> exchange_;
    const time_point started_ = std::chrono::steady_clock::now();
    std::atomic<bool> cancel_requested_ = false;
    std::atomic<bool> listening_ = false;
    cancel_message cancel_message_{*this};
    std::optional<cancel_callback<cancel_hook>> cancel_callback_ = {};

    std::size_t place_ = 0;
    http_request request_ = {};
    url target_ = {};
    std::string origin_ = {};
    time_point deadline_ = time_point::max();
    timer timer_;
    http_body_sink sink_ = {};  ///< null: the body is collected
    connection_pool::service* service_ = nullptr;
    bool waiting_ = false;  ///< for a free connection
    bool in_use_ = false;   ///< counted by the pool
    std::unique_ptr<connection_setup> setup_ = {};

    std::unique_ptr<http_connection> connection_ = {};
    bool kept_ = false;  ///< the connection was used before
    std::string head_ = {};
    std::string_view unsent_head_ = {};
    std::string_view unsent_body_ = {};
    bool sent_ = false;
    bool send_broken_ = false;
    std::optional<response_reader> reader_ = {};
    std::optional<std::string> thrown_ = {};  ///< the text of an exception of the receiver
    bool reads_refusal_ = false;              ///< the time for the body of an error response runs

    std::optional<result<http_response>> outcome_ = {};
    bool reusable_ = false;  ///< the connection, after the outcome
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
