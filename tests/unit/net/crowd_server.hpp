#pragma once
#include <atomic>
#include <cstddef>
#include <string>
#include <thread>

/// A server on 127.0.0.1 for many connections on one thread. It reads a request on each, and answers all of them when it is told to.
class crowd_server {
public:
    explicit crowd_server(std::string response);
    ~crowd_server();

    [[nodiscard]] int port() const { return port_; }
    /// The number of requests that wait for the answer.
    [[nodiscard]] std::size_t waiting() const { return waiting_; }
    void answer();

private:
    void serve();

    std::string response_;
    int listener_ = -1;
    int wake_[2] = {-1, -1};
    int port_ = 0;
    std::atomic<std::size_t> waiting_ = 0;
    std::thread thread_;
};
