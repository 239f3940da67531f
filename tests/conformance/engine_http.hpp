#pragma once
/// The HTTP of an imaginary engine: requests go into a queue, and callbacks come on threads of the engine. A test needs a real network
/// behind it, which is the SDK's own here.
#include <pyaichat/net/https.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace engine {

using ticket = std::uint64_t;
using header_list = std::vector<std::pair<std::string, std::string>>;

struct http_callbacks {
    std::function<void(int status, header_list headers)> on_head;
    std::function<void(std::string piece)> on_data;
    std::function<void(bool complete)> on_end;  ///< the last one
};

class http_queue {
public:
    http_queue() = default;
    http_queue(const http_queue&) = delete;
    http_queue& operator=(const http_queue&) = delete;
    ~http_queue() {
        for (auto& [number, each] : jobs_) {
            each.stop.request_stop();
            each.thread.join();
        }
    }

    ticket submit(std::string method, std::string url, header_list headers, std::string body, http_callbacks callbacks) {
        pyaichat::http_request request;
        request.method = std::move(method);
        request.url = std::move(url);
        request.body = std::move(body);
        for (auto& [name, value] : headers) {
            request.headers.push_back({name, value});
        }
        const std::lock_guard lock(mutex_);
        job& added = jobs_[++last_];
        added.thread = std::thread([this, request = std::move(request), callbacks = std::move(callbacks), stop = added.stop.get_token()] {
            run(request, callbacks, stop);
        });
        return last_;
    }

    /// Gives a request up. Its callbacks may still be called.
    void abandon(ticket number) {
        const std::lock_guard lock(mutex_);
        jobs_[number].stop.request_stop();
    }

private:
    struct job {
        pyaichat::cancel_source stop;
        std::thread thread;
    };

    void run(const pyaichat::http_request& request, const http_callbacks& callbacks, const pyaichat::cancel_token& stop) {
        const auto outcome = network_.send(request, stop);
        if (outcome) {
            header_list headers;
            for (const pyaichat::http_header& header : outcome->headers) {
                headers.emplace_back(header.name, header.value);
            }
            callbacks.on_head(outcome->status, std::move(headers));
            callbacks.on_data(outcome->body);
        }
        callbacks.on_end(outcome.has_value());
    }

    pyaichat::net::https_transport network_{{.proxy = ""}};
    std::mutex mutex_;
    std::map<ticket, job> jobs_;
    ticket last_ = 0;
};

}  // namespace engine
