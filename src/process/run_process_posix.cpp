#include "process/child_streams.hpp"
#include "process/run_process.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::process {

namespace {

using clock = std::chrono::steady_clock;
using time_point = output_listener::time_point;

constexpr std::size_t piece_size = std::size_t{64} << 10;
/// A system without descriptors of processes is asked in this interval.
constexpr auto poll_interval = std::chrono::milliseconds(10);
constexpr int no_descriptor = -1;

/// Makes a descriptor readable when the token is cancelled.
class cancel_bell {
public:
    explicit cancel_bell(const cancel_token& token) : token_(token) {
        if (auto made = make_pipe(); made && token.stop_possible()) {
            ends_ = *std::move(made);
            unblock(ends_.write);
            callback_.emplace(token, ring{ends_.write.number()});
        }
    }
    /// Whether it is cancelled. Afterwards the descriptor is none, because it would be readable from now on.
    bool take() noexcept {
        if (!token_.stop_requested()) {
            return false;
        }
        callback_.reset();
        ends_ = {};
        token_ = {};
        return true;
    }
    [[nodiscard]] int number() const noexcept { return ends_.read.number(); }
    /// Whether a cancellation has to be looked for, because there is no descriptor for it.
    [[nodiscard]] bool is_silent() const noexcept { return token_.stop_possible() && !ends_.read; }

private:
    struct ring {
        int descriptor;
        void operator()() const noexcept {
            const char byte = 0;
            static_cast<void>(!::write(descriptor, &byte, 1));
        }
    };
    cancel_token token_;
    pipe_ends ends_ = {};
    std::optional<cancel_callback<ring>> callback_ = {};
};

/// One run: the loop and its state.
class process_run {
public:
    process_run(child_process& child, const run_terms& terms, output_listener& listener)
        : child_(child), terms_(terms), listener_(listener), bell_(terms.cancel), piece_(piece_size) {}

    run_ending to_end() {
        while (!ended_) {
            stop_if_due(clock::now());
            wait_once(std::min(next_tick_, next_stop_), child_.end_descriptor());
        }
        child_.input.close();
        const time_point until = clock::now() + terms_.grace * 4 / 5;
        drain(until);
        child_.send(child_process::signal::kill);
        drain(clock::now() + terms_.grace / 5);
        ending_.left_running = child_.output || child_.errors;
        next_tick_ = listener_.tick(clock::now());
        ending_.end = child_.reap();
        return ending_;
    }

private:
    void stop_if_due(time_point now) {
        const bool cancelled = bell_.take();
        if (ending_.by == run_ending::cause::itself) {
            if (cancelled || now >= terms_.deadline) {
                ending_.by = cancelled ? run_ending::cause::cancelled : run_ending::cause::deadline;
                child_.send(child_process::signal::terminate);
                next_stop_ = now + terms_.patience;
            }
        } else if (now >= next_stop_) {
            child_.send(child_process::signal::kill);
            next_stop_ = now + terms_.patience;  // again, for a member that was being started
        }
    }

    /// Reads what is there until both outputs are closed, at most until then.
    void drain(time_point until) {
        while ((child_.output || child_.errors) && clock::now() < until) {
            bell_.take();
            wait_once(until, no_descriptor);
        }
    }

    /// Waits for something to do. `end` becomes readable at the end of the process.
    void wait_once(time_point until, int end) {
        std::array<pollfd, 5> waiting = {{{child_.output.number(), POLLIN, 0},
                                          {child_.errors.number(), POLLIN, 0},
                                          {child_.input.number(), POLLOUT, 0},
                                          {end, POLLIN, 0},
                                          {bell_.number(), POLLIN, 0}}};
        if (terms_.input.size() == written_) {
            child_.input.close();
            waiting[2].fd = -1;
        }
        const time_point now = clock::now();
        auto span = std::chrono::ceil<std::chrono::milliseconds>(std::max(until - now, time_point::duration::zero()));
        span = std::min(span, end < 0 || bell_.is_silent() ? poll_interval : std::chrono::milliseconds(60000));
        const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(span.count()));
        if (ready > 0) {
            read_from(child_.output, waiting[0].revents, output_stream::out);
            read_from(child_.errors, waiting[1].revents, output_stream::err);
            if (waiting[2].revents != 0) {
                write_input();
            }
        }
        if (end < 0 || waiting[3].revents != 0) {
            ended_ = child_.has_ended();
        }
        next_tick_ = listener_.tick(clock::now());
    }

    void read_from(descriptor& from, short events, output_stream stream) {
        if (events == 0) {
            return;
        }
        // A terminal gives little at a time.
        std::size_t size = 0;
        ssize_t added = 0;
        do {
            added = ::read(from.number(), piece_.data() + size, piece_.size() - size);
            size += added > 0 ? static_cast<std::size_t>(added) : 0;
        } while (added > 0 && size < piece_.size());
        const bool ended = added == 0 || (added < 0 && errno != EAGAIN && errno != EINTR);
        if (size > 0) {
            listener_.receive(stream, {piece_.data(), size});
        }
        if (ended && size < piece_.size()) {
            from.close();  // a terminal that nobody holds open fails with EIO
        }
    }

    void write_input() {
        const std::string_view rest = terms_.input.substr(written_);
        const ssize_t size = ::write(child_.input.number(), rest.data(), rest.size());
        if (size > 0) {
            written_ += static_cast<std::size_t>(size);
        } else if (errno != EAGAIN && errno != EINTR) {
            written_ = terms_.input.size();  // the process has closed its input
        }
    }

    child_process& child_;
    const run_terms& terms_;
    output_listener& listener_;
    cancel_bell bell_;
    std::vector<char> piece_;
    std::size_t written_ = 0;
    bool ended_ = false;
    time_point next_tick_ = time_point::max();
    time_point next_stop_ = terms_.deadline;
    run_ending ending_ = {};
};

}  // namespace

run_ending run_to_end(child_process& child, const run_terms& terms, output_listener& listener) {
    return process_run(child, terms, listener).to_end();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::process
