#include "net/connect_race.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

bool is_v6(const std::string& address) {
    return address.find(':') != std::string::npos;
}

/// Lets the families alternate, beginning with that of the first address. The order within a family stays.
std::vector<std::string> alternating(std::vector<std::string> addresses) {
    for (std::size_t place = 1; place < addresses.size(); ++place) {
        const bool wanted = !is_v6(addresses[place - 1]);
        const auto from = addresses.begin() + static_cast<std::ptrdiff_t>(place);
        const auto other = std::find_if(from, addresses.end(), [&](const std::string& address) { return is_v6(address) == wanted; });
        if (other != addresses.end()) {
            std::rotate(from, other, other + 1);
        }
    }
    return addresses;
}

}  // namespace

connect_race::connect_race(reactor& loop, std::vector<std::string> addresses, int port, user& owner)
    : loop_(loop), addresses_(alternating(std::move(addresses))), port_(port), user_(owner), next_start_(loop.timers(), [this] {
          try_next();
      }) {
    addresses_.resize(std::min(addresses_.size(), addresses_tried));
}

void connect_race::try_next() {
    next_start_.cancel();
    std::string why = "no address";
    while (next_ < addresses_.size()) {
        const std::string& address = addresses_[next_++];
        result<std::unique_ptr<tcp_socket>> socket = tcp_socket::connect(loop_, address, port_, *this);
        if (socket) {
            attempts_.push_back({address, std::move(*socket)});
            if (next_ < addresses_.size()) {
                next_start_.set(loop_.now() + head_start);
            }
            return;
        }
        why = std::move(socket).error().message;
    }
    if (attempts_.empty()) {
        user_.not_connected(addresses_.empty() ? std::string() : addresses_.back(), why);
    }
}

void connect_race::socket_ready(tcp_socket& socket) {
    if (!socket.connect_ended()) {
        return;
    }
    const auto ended = std::find_if(attempts_.begin(), attempts_.end(), [&](const attempt& one) { return one.socket.get() == &socket; });
    const std::string why = socket.connect_failure();
    if (why.empty()) {
        std::unique_ptr<tcp_socket> winner = std::move(ended->socket);
        attempts_.clear();
        next_start_.cancel();
        return user_.connected(std::move(winner));
    }
    const std::string address = std::move(ended->address);
    attempts_.erase(ended);  // destroys the socket: nothing of it is used below
    if (next_ < addresses_.size()) {
        try_next();
    } else if (attempts_.empty()) {
        user_.not_connected(address, why);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
