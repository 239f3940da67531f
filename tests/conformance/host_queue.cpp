#include <pyaichat/net/adapter/incoming_body.hpp>
#include <pyaichat/net/adapter/outgoing_request.hpp>
#include <pyaichat/policy/http_transport.hpp>
#include <pyaichat/testing/transport_conformance.hpp>

#include "engine_http.hpp"

#include "catch.hpp"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace {

// [adapter]
/// Sends requests through the queue of the engine. Blocks the calling thread, which is one of the executor.
class engine_transport {
public:
    explicit engine_transport(engine::http_queue& queue) : queue_(&queue) {}

    ai::result<ai::http_response> send(const ai::http_request& request, const ai::cancel_token& cancel) {
        return perform(request, nullptr, cancel);
    }
    ai::result<ai::http_response> stream(const ai::http_request& request, const ai::http_body_sink& sink, const ai::cancel_token& cancel) {
        return perform(request, &sink, cancel);
    }

private:
    /// Shared with the callbacks, which may come after the exchange was given up.
    struct exchange {
        std::mutex mutex;
        std::condition_variable changed;
        ai::http_response head;
        std::deque<std::string> pieces;  // for the sink, which is called on the thread of the exchange
        bool ended = false;
        bool complete = false;

        template <class Change>
        void update(Change change) {
            const std::lock_guard lock(mutex);
            change();
            changed.notify_all();
        }
    };

    ai::result<ai::http_response> perform(const ai::http_request& request, const ai::http_body_sink* sink, const ai::cancel_token& cancel) {
        // URL, header names and values, and no plain HTTP except on this machine.
        const ai::result<ai::net::url> target = ai::net::adapter::check_request(request);
        if (!target) {
            return target.error();
        }
        const ai::net::adapter::exchange_limits limits(request, *target, cancel);
        if (limits.exceeded()) {
            return limits.explain({});
        }
        const auto shared = std::make_shared<exchange>();
        const engine::ticket ticket = submit(request, shared);
        const auto fail = [&](ai::failure error) -> ai::failure {
            queue_->abandon(ticket);
            return error;
        };

        const std::stop_callback wake(cancel, [&] { shared->update([] {}); });
        ai::net::adapter::incoming_body body(request, sink);  // limits the body; passes it to the sink, or collects it
        bool begun = false;
        for (std::unique_lock lock(shared->mutex);;) {
            shared->changed.wait_until(lock, limits.deadline(),
                                       [&] { return !shared->pieces.empty() || shared->ended || cancel.stop_requested(); });
            if (limits.exceeded()) {
                lock.unlock();
                return fail(limits.explain({}));
            }
            if (!std::exchange(begun, true)) {
                body.begin(shared->head.status);
            }
            if (!shared->pieces.empty()) {
                const std::string piece = std::move(shared->pieces.front());
                shared->pieces.pop_front();
                lock.unlock();
                if (!body.take(piece)) {
                    return fail(body.refusal(limits.origin()));
                }
                lock.lock();
            } else if (shared->complete) {
                shared->head.body = body.take_collected();
                return std::move(shared->head);
            } else {
                lock.unlock();
                return fail({.code = ai::errc::connection_failed, .message = "the engine got no response from " + limits.origin()});
            }
        }
    }

    engine::ticket submit(const ai::http_request& request, const std::shared_ptr<exchange>& shared) {
        engine::header_list headers;
        for (const ai::http_header& header : request.headers) {
            headers.emplace_back(header.name, header.value);
        }
        engine::http_callbacks callbacks;
        callbacks.on_head = [shared](int status, engine::header_list received) {
            shared->update([&] {
                shared->head.status = status;
                for (auto& [name, value] : received) {
                    shared->head.headers.push_back({name, value});
                }
            });
        };
        callbacks.on_data = [shared](std::string piece) { shared->update([&] { shared->pieces.push_back(std::move(piece)); }); };
        callbacks.on_end = [shared](bool complete) {
            shared->update([&] {
                shared->ended = true;
                shared->complete = complete;
            });
        };
        return queue_->submit(request.method, request.url, std::move(headers), request.body, std::move(callbacks));
    }

    engine::http_queue* queue_;  // outlives the transport
};
// [/adapter]

}  // namespace

TEST_CASE("an adapter over the queue of a host keeps the promises that the queue allows") {
    engine::http_queue queue;
    fake::transport_subject subject;
    subject.make = [&queue] { return ai::any_http_transport(engine_transport(queue)); };
    using promise = fake::transport_promise;
    // The engine of this test collects each body, and keeps its connections and threads itself.
    subject.without = {promise::streams, promise::sink_stops, promise::repeats, promise::bounded_head, promise::nothing_left};
    const fake::conformance_report report = fake::check_transport(subject);
    INFO(report.text());
    CHECK(report.ok());
}
