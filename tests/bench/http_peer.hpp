#pragma once
/// An HTTP server in a process of its own, so that only the client's CPU is in the figures.
#include <string>
#include <vector>

namespace bench {

class http_peer {
public:
    /// Answers each request with the next of these bodies, over and over, whatever is asked.
    explicit http_peer(const std::vector<std::string>& bodies);
    http_peer(const http_peer&) = delete;
    http_peer& operator=(const http_peer&) = delete;
    ~http_peer();

    [[nodiscard]] int port() const noexcept { return port_; }

private:
    int port_ = 0;
    int process_ = 0;
};

/// A connection to 127.0.0.1 without anything around it: sends the bytes, reads one response. Empty when that failed.
class bare_socket {
public:
    explicit bare_socket(int port);
    bare_socket(const bare_socket&) = delete;
    bare_socket& operator=(const bare_socket&) = delete;
    ~bare_socket();

    [[nodiscard]] std::string exchange(const std::string& request);

private:
    int socket_ = -1;
};

}  // namespace bench
