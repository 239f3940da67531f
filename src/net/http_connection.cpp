#include "net/http_connection.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

http_connection::http_connection(std::unique_ptr<tcp_socket> socket, read_buffers& buffers, user& owner)
    : buffers_(buffers), user_(&owner), socket_(std::move(socket)) {
    socket_->set_user(*this);
}

http_connection::~http_connection() {
    if (tls_ != nullptr) {
        tls_->close();
        static_cast<void>(flush());
    }
}

/// Returns false if nothing can be received now.
bool http_connection::feed_tls() {
    if (!socket_->readable) {
        return false;
    }
    const std::ptrdiff_t count = socket_->receive(buffers_.received.data(), buffers_.received.size());
    if (count == tcp_socket::would_block) {
        return false;
    }
    if (count > 0) {
        tls_->feed({buffers_.received.data(), static_cast<std::size_t>(count)});
    } else {
        tls_->end_of_input();
    }
    return true;
}

http_connection::state http_connection::flush() {
    std::string& output = tls_->output();
    while (flushed_ < output.size()) {
        if (!socket_->writable) {
            return state::blocked;
        }
        const std::ptrdiff_t count = socket_->send(std::string_view(output).substr(flushed_));
        if (count < 0) {
            return count == tcp_socket::would_block ? state::blocked : state::broken;
        }
        flushed_ += static_cast<std::size_t>(count);
    }
    flushed_ = 0;
    std::string().swap(output);  // also gives the memory back: connections wait much longer than they send
    return state::done;
}

http_connection::state http_connection::shake_hands() {
    for (;;) {
        const tls_session::state now = tls_->shake_hands();
        const state sent = flush();
        if (now == tls_session::state::done) {
            return state::done;
        }
        if (now != tls_session::state::wants_input || sent == state::broken) {
            return state::broken;
        }
        if (!feed_tls()) {
            return state::blocked;
        }
    }
}

http_connection::state http_connection::send(std::string_view& first, std::string_view& second) {
    constexpr std::size_t record = std::size_t{16} << 10;
    if (tls_ != nullptr) {
        for (;;) {
            while (tls_->output().size() < record && !(first.empty() && second.empty())) {
                std::string_view& next = first.empty() ? second : first;
                const std::string_view part = next.substr(0, record);
                if (!tls_->encrypt(part)) {
                    return state::broken;
                }
                next.remove_prefix(part.size());
            }
            if (const state sent = flush(); sent != state::done || (first.empty() && second.empty())) {
                return sent;
            }
        }
    }
    while (!first.empty() || !second.empty()) {
        if (!socket_->writable) {
            return state::blocked;
        }
        const std::ptrdiff_t count = first.empty() ? socket_->send(second) : socket_->send(first, second);
        if (count < 0) {
            return count == tcp_socket::would_block ? state::blocked : state::broken;
        }
        const std::size_t of_first = std::min(static_cast<std::size_t>(count), first.size());
        first.remove_prefix(of_first);
        second.remove_prefix(static_cast<std::size_t>(count) - of_first);
    }
    return state::done;
}

http_connection::state http_connection::receive(std::string_view& bytes) {
    if (tls_ == nullptr) {
        const std::ptrdiff_t count =
            socket_->readable ? socket_->receive(buffers_.received.data(), buffers_.received.size()) : tcp_socket::would_block;
        if (count <= 0) {
            return count == 0 ? state::closed : count == tcp_socket::would_block ? state::blocked : state::broken;
        }
        bytes = {buffers_.received.data(), static_cast<std::size_t>(count)};
        return state::done;
    }
    for (;;) {
        std::size_t size = buffers_.decrypted.size();
        const tls_session::state now = tls_->decrypt(buffers_.decrypted.data(), size);
        static_cast<void>(flush());  // such as the response to a key update
        switch (now) {
            case tls_session::state::done: bytes = {buffers_.decrypted.data(), size}; return state::done;
            case tls_session::state::closed: return state::closed;
            case tls_session::state::broken: return state::broken;
            case tls_session::state::wants_input: break;
        }
        if (!feed_tls()) {
            return state::blocked;
        }
    }
}

bool http_connection::idle() {
    socket_->readable = true;  // nobody may have waited for events since
    if (tls_ == nullptr) {
        char byte = 0;
        return socket_->receive(&byte, 1) == tcp_socket::would_block;
    }
    std::string_view unread;
    return receive(unread) == state::blocked;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
