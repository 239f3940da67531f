#pragma once
#include <pyaichat/policy/http_transport.hpp>

#include <memory>
#include <string>

namespace bench {

/// cpp-httplib as anybody would use it: one connection, kept alive, without Nagle's delay.
class bare_httplib {
public:
    explicit bare_httplib(int port);
    ~bare_httplib();

    /// Sends `body` to the path of `like`, with its headers. The body of the response; empty when there was none.
    [[nodiscard]] std::string post(const pyaichat::http_request& like, const std::string& body);

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace bench
