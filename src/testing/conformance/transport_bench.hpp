#pragma once
/// What the checks of the transport suite share: the subject, exchanges on their own threads, and judgements of their outcomes.
#include <pyaichat/testing/transport_conformance.hpp>

#include "testing/emulation/loopback_server.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

enum class exchange_form : unsigned char { send, stream };
inline constexpr exchange_form both_forms[] = {exchange_form::send, exchange_form::stream};

/// One exchange, made on its own detached thread because it may never return.
class transport_exchange {
public:
    /// The sink returns false for piece number `stop_at` (0: for none). `stop` may have been tripped before.
    transport_exchange(any_http_transport transport, http_request request, exchange_form form, std::size_t stop_at = 0,
                       cancel_source stop = {});
    transport_exchange(const transport_exchange&) = delete;
    transport_exchange& operator=(const transport_exchange&) = delete;
    ~transport_exchange();

    /// Trips the token. The delay is measured from here on.
    void cancel();
    /// Waits for the end of the exchange. Returns whether it ended within `span`.
    [[nodiscard]] bool ends_within(duration span) const;
    /// Waits until the sink has got so many bytes. Returns whether that happened within `span`.
    [[nodiscard]] bool receives(std::size_t bytes, duration span) const;

    // After the end:
    [[nodiscard]] const result<http_response>& outcome() const { return *state_->outcome; }
    [[nodiscard]] const std::string& streamed() const { return state_->streamed; }
    [[nodiscard]] std::size_t pieces() const { return state_->pieces; }
    [[nodiscard]] bool used_other_thread() const { return state_->used_other_thread; }
    [[nodiscard]] bool changed_mask() const { return state_->changed_mask; }
    /// The time from the start, or from `cancel`, to the end.
    [[nodiscard]] duration took() const { return state_->ended - state_->since; }

private:
    struct shared {
        mutable std::mutex mutex;
        mutable std::condition_variable changed;
        cancel_source stop;
        std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
        std::chrono::steady_clock::time_point ended = {};
        std::optional<result<http_response>> outcome;
        std::string streamed;
        std::size_t pieces = 0;
        bool used_other_thread = false;
        bool changed_mask = false;
    };
    static void run(const std::shared_ptr<shared>& state, any_http_transport& transport, const http_request& request, exchange_form form,
                    std::size_t stop_at);

    std::shared_ptr<shared> state_ = std::make_shared<shared>();
};

/// The surroundings of one check. A check returns what is wrong, or an empty text.
class transport_bench {
public:
    transport_bench(const transport_subject& subject, conformance_report& report) : subject_(subject), report_(report) {}

    [[nodiscard]] any_http_transport make() const { return subject_.make(); }
    [[nodiscard]] duration patience() const noexcept { return subject_.patience; }
    [[nodiscard]] duration slack() const noexcept { return subject_.slack; }

    /// A GET request to a server on 127.0.0.1. Its timeout is longer than the patience of the suite.
    [[nodiscard]] http_request request_to(int port, std::string_view target = "/") const;
    /// Makes one exchange and waits for it. If it does not return, `wrong` says so and the result is a failure.
    [[nodiscard]] result<http_response> perform(const any_http_transport& transport, const http_request& request, exchange_form form,
                                                std::string& wrong) const;
    /// Cancels the exchange. Returns what is wrong unless it ends with `cancelled` in time. The report notes the delay.
    [[nodiscard]] std::string objection_to_abort(transport_exchange& exchange, const std::string& state) const;
    /// Returns what is wrong unless the exchange fails with `timeout` in time. The report notes the delay.
    [[nodiscard]] std::string objection_to_deadline(const any_http_transport& transport, http_request request, exchange_form form,
                                                    const std::string& state) const;
    /// Returns what is wrong unless the exchange fails with one of the codes, with a message.
    [[nodiscard]] std::string objection_to_failure(const any_http_transport& transport, const http_request& request, exchange_form form,
                                                   std::initializer_list<errc> codes) const;

    void note(std::string text) const { report_.notes.push_back(std::move(text)); }

private:
    const transport_subject& subject_;
    conformance_report& report_;
};

struct transport_check {
    transport_promise promise;
    std::string (*objection)(const transport_bench& bench);
};

// The checks of each source file.
[[nodiscard]] std::span<const transport_check> checks_of_messages() noexcept;
[[nodiscard]] std::span<const transport_check> checks_of_connections() noexcept;
[[nodiscard]] std::span<const transport_check> checks_of_endings() noexcept;
[[nodiscard]] std::span<const transport_check> checks_of_limits() noexcept;
[[nodiscard]] std::span<const transport_check> checks_of_manners() noexcept;

/// Describes an outcome: "it returned status 200" or "it failed with timeout: ...".
[[nodiscard]] std::string described(const result<http_response>& outcome);
[[nodiscard]] std::string_view name_of(exchange_form form) noexcept;

/// Waits until the condition holds. Returns whether it held within `span`.
template <class Condition>
[[nodiscard]] bool holds_within(duration span, Condition condition) {
    const auto until = std::chrono::steady_clock::now() + span;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= until) {
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
