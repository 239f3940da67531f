#pragma once
/// An HTTP server in a process of its own, for thousands of connections, so that only the client's work is in the figures.
#include <chrono>
#include <string>
#include <vector>

namespace turns {

struct peer_options {
    std::vector<std::string> responses = {};    ///< complete; each connection gets them in turn, over and over. None = never answers
    std::chrono::milliseconds delay = {};       ///< between a request and its response
    std::size_t cut_after = std::string::npos;  ///< sends that many bytes of each response, and no more
    bool tls = false;
    bool greets = true;  ///< false: accepts connections, and neither reads nor writes
};

class peer {
public:
    explicit peer(peer_options options);
    peer(const peer&) = delete;
    peer& operator=(const peer&) = delete;
    ~peer();

    [[nodiscard]] int port() const noexcept { return port_; }
    /// The certificate of a TLS server, as a PEM file that goes away with the peer.
    [[nodiscard]] const std::string& ca_file() const noexcept { return ca_file_; }
    /// How many requests have arrived.
    [[nodiscard]] int requests() const noexcept;

private:
    int port_ = 0;
    int process_ = 0;
    volatile int* requests_ = nullptr;  ///< in memory that both processes share
    std::string ca_file_ = {};
};

}  // namespace turns
