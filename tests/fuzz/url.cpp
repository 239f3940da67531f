// The URL parser: what it accepts has usable parts and says the same when it is written out and read again.
#include <pyaichat/net/url.hpp>

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace net = pyaichat::net;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto parsed = net::parse_url({reinterpret_cast<const char*>(data), size});
    if (!parsed) {
        return 0;
    }
    const auto again = net::parse_url(parsed->scheme + "://" + parsed->authority() + parsed->target);
    const bool same = again && again->scheme == parsed->scheme && again->host == parsed->host && again->port == parsed->port &&
                      again->target == parsed->target && again->loopback() == parsed->loopback();
    const bool usable = !parsed->host.empty() && parsed->port > 0 && parsed->port < 65536 && parsed->target.starts_with('/') &&
                        parsed->host.find_first_of("@/?#\\ \r\n") == std::string::npos;
    if (!same || !usable) {
        std::abort();
    }
    return 0;
}
