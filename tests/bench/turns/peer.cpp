#include "peer.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>

namespace turns {

namespace {

using clock = std::chrono::steady_clock;

struct certificate {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* subject = X509_new();

    certificate() {
        X509_set_version(subject, 2);
        ASN1_INTEGER_set(X509_get_serialNumber(subject), 1);
        X509_gmtime_adj(X509_getm_notBefore(subject), -3600);
        X509_gmtime_adj(X509_getm_notAfter(subject), 3600);
        X509_set_pubkey(subject, key);
        X509_NAME* name = X509_get_subject_name(subject);
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("bench"), -1, -1, 0);
        X509_set_issuer_name(subject, name);
        X509V3_CTX context;
        X509V3_set_ctx(&context, subject, subject, nullptr, nullptr, 0);
        X509_EXTENSION* names = X509V3_EXT_conf_nid(nullptr, &context, NID_subject_alt_name, "IP:127.0.0.1");
        X509_add_ext(subject, names, -1);
        X509_EXTENSION_free(names);
        X509_sign(subject, key, EVP_sha256());
    }
    certificate(const certificate&) = delete;
    certificate& operator=(const certificate&) = delete;
    ~certificate() {
        X509_free(subject);
        EVP_PKEY_free(key);
    }

    [[nodiscard]] std::string save() const {
        std::string path = (std::filesystem::temp_directory_path() / "pyaichat-bench-XXXXXX").string();
        FILE* file = ::fdopen(::mkstemp(path.data()), "w");
        PEM_write_X509(file, subject);
        std::fclose(file);
        return path;
    }
};

class server {
public:
    server(int listener, const peer_options& options, const certificate* identity, volatile int& requests)
        : listener_(listener), options_(options), requests_(requests) {
        if (identity != nullptr) {
            context_ = SSL_CTX_new(TLS_server_method());
            SSL_CTX_use_certificate(context_, identity->subject);
            SSL_CTX_use_PrivateKey(context_, identity->key);
            SSL_CTX_set_mode(context_, SSL_MODE_RELEASE_BUFFERS);
        }
    }

    [[noreturn]] void serve() {
        watch(listener_);
        for (;;) {
            epoll_event events[256];
            const int count = ::epoll_wait(poller_, events, 256, wait_ms());
            for (int i = 0; i < count; ++i) {
                events[i].data.fd == listener_ ? accept_all() : receive(events[i].data.fd);
            }
            while (!due_.empty() && due_.front().at <= clock::now()) {
                respond(due_.front().socket);
                due_.pop_front();
            }
        }
    }

private:
    struct connection {
        SSL* session = nullptr;
        std::string received = {};
        std::size_t answered = 0;
    };
    struct response_time {
        clock::time_point at;
        int socket;
    };

    [[nodiscard]] int wait_ms() const {
        if (due_.empty()) {
            return -1;
        }
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(due_.front().at - clock::now()).count();
        return static_cast<int>(std::max<std::int64_t>(left, 0));
    }

    void watch(int socket) const {
        epoll_event wanted = {};
        wanted.events = EPOLLIN;
        wanted.data.fd = socket;
        ::epoll_ctl(poller_, EPOLL_CTL_ADD, socket, &wanted);
    }

    void accept_all() {
        for (int socket = 0; (socket = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
            const int on = 1;
            ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            connection fresh;
            if (context_ != nullptr) {
                fresh.session = SSL_new(context_);
                SSL_set_fd(fresh.session, socket);
                SSL_set_accept_state(fresh.session);
            }
            connections_[socket] = std::move(fresh);
            if (options_.greets) {
                watch(socket);
            }
        }
    }

    void receive(int socket) {
        connection& from = connections_[socket];
        char piece[16'384];
        for (;;) {
            const ssize_t count =
                from.session != nullptr ? SSL_read(from.session, piece, sizeof piece) : ::recv(socket, piece, sizeof piece, 0);
            if (count <= 0) {
                const bool later = from.session != nullptr ? SSL_get_error(from.session, static_cast<int>(count)) == SSL_ERROR_WANT_READ
                                                           : count < 0 && errno == EAGAIN;
                return later ? void() : drop(socket);
            }
            from.received.append(piece, static_cast<std::size_t>(count));
            take_requests(socket, from);
        }
    }

    void take_requests(int socket, connection& from) {
        constexpr std::string_view length = "Content-Length: ";
        for (std::size_t head = 0; (head = from.received.find("\r\n\r\n")) != std::string::npos;) {
            const std::size_t at = from.received.find(length);
            const std::size_t body = at < head ? std::strtoul(from.received.c_str() + at + length.size(), nullptr, 10) : 0;
            if (from.received.size() < head + 4 + body) {
                return;
            }
            from.received.erase(0, head + 4 + body);
            requests_ = requests_ + 1;
            if (options_.delay.count() == 0) {
                respond(socket);
            } else {
                due_.push_back({clock::now() + options_.delay, socket});
            }
        }
    }

    void respond(int socket) {
        const auto found = connections_.find(socket);
        if (options_.responses.empty() || found == connections_.end()) {
            return;
        }
        connection& to = found->second;
        const std::string& whole = options_.responses[to.answered++ % options_.responses.size()];
        const std::string_view bytes = std::string_view(whole).substr(0, options_.cut_after);
        if (to.session != nullptr) {
            SSL_write(to.session, bytes.data(), static_cast<int>(bytes.size()));
        } else {
            static_cast<void>(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL));
        }
    }

    void drop(int socket) {
        SSL_free(connections_[socket].session);
        connections_.erase(socket);
        ::close(socket);
    }

    int listener_;
    const peer_options& options_;
    volatile int& requests_;
    SSL_CTX* context_ = nullptr;
    int poller_ = ::epoll_create1(EPOLL_CLOEXEC);
    std::map<int, connection> connections_ = {};
    std::deque<response_time> due_ = {};
};

}  // namespace

peer::peer(peer_options options) {
    std::unique_ptr<certificate> identity;
    if (options.tls) {
        identity = std::make_unique<certificate>();
        ca_file_ = identity->save();
    }
    requests_ = static_cast<volatile int*>(::mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener, 4096) != 0 ||
        ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        std::perror("the peer cannot listen");
        std::exit(1);
    }
    port_ = ntohs(address.sin_port);
    process_ = ::fork();
    if (process_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::signal(SIGPIPE, SIG_IGN);
        server(listener, options, identity.get(), *requests_).serve();
    }
    ::close(listener);
}

peer::~peer() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    ::munmap(const_cast<int*>(requests_), sizeof(int));
    if (!ca_file_.empty()) {
        std::filesystem::remove(ca_file_);
    }
}

int peer::requests() const noexcept {
    return *requests_;
}

}  // namespace turns
