#pragma once
/// A listener on 127.0.0.1 that hands each connection to a function, for tests that need every byte in their own hands.
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class raw_server {
public:
    /// Called on a thread of its own for each connection; the descriptor is closed after it.
    using handler = std::function<void(int descriptor)>;

    explicit raw_server(handler handle);
    /// Shuts every connection down, so that a handler that reads comes to its end, and joins.
    ~raw_server();

    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] int connections() const { return accepted_; }

private:
    void accept_all();

    handler handle_;
    int listener_ = -1;
    int port_ = 0;
    std::atomic<int> accepted_ = 0;
    std::mutex mutex_;
    bool stopping_ = false;
    std::vector<int> open_;
    std::vector<std::thread> threads_;
    std::thread acceptor_;
};

/// A listener whose queue is full and drops further connection requests: connecting to it hangs.
class deaf_listener {
public:
    explicit deaf_listener(const char* address = "127.0.0.1", int port = 0);
    ~deaf_listener();
    [[nodiscard]] int port() const { return port_; }

private:
    std::vector<int> descriptors_;
    int port_ = 0;
};

/// Reads up to a blank line; empty when the peer ends before.
[[nodiscard]] std::string read_head(int descriptor);
/// Writes all of it, without a signal.
bool write_all(int descriptor, std::string_view bytes);
/// Carries bytes both ways between the connection and a port of this machine, until one side ends.
void tunnel(int descriptor, int port);
