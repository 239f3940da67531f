#include "tls_server.hpp"

#include <pyaichat/core/detail/quiet_thread.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>
#include <vector>

struct tls_server::state {
    tls_server_options options;
    SSL_CTX* context = nullptr;
    std::string ca_file;
    int listener = -1;
    int port = 0;
    std::mutex mutex;
    std::vector<int> descriptors;
    std::vector<std::thread> threads;
    std::thread acceptor;
    std::atomic<int> accepted = 0;
    std::atomic<int> resumed = 0;
    std::atomic<std::size_t> received = 0;
    bool stopping = false;

    void make_certificate();
    void serve(int descriptor);
};

void tls_server::state::make_certificate() {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -7200);
    X509_gmtime_adj(X509_getm_notAfter(certificate), options.expired ? -3600 : 3600);
    X509_set_pubkey(certificate, key);
    X509_NAME* name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    X509V3_CTX extension_context;
    X509V3_set_ctx(&extension_context, certificate, certificate, nullptr, nullptr, 0);
    X509_EXTENSION* names = X509V3_EXT_conf_nid(nullptr, &extension_context, NID_subject_alt_name, options.names.c_str());
    X509_add_ext(certificate, names, -1);
    X509_EXTENSION_free(names);
    X509_sign(certificate, key, EVP_sha256());

    std::string path = (std::filesystem::temp_directory_path() / "pyaichat-tls-XXXXXX").string();
    FILE* file = fdopen(mkstemp(path.data()), "w");
    PEM_write_X509(file, certificate);
    fclose(file);
    ca_file = path;

    context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_certificate(context, certificate);
    SSL_CTX_use_PrivateKey(context, key);
    if (options.demands_certificate) {
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    }
    if (options.highest_version != 0) {
        SSL_CTX_set_security_level(context, 0);
        SSL_CTX_set_min_proto_version(context, 0);
        SSL_CTX_set_max_proto_version(context, options.highest_version);
    }
    X509_free(certificate);
    EVP_PKEY_free(key);
}

void tls_server::state::serve(int descriptor) {
    SSL* session = SSL_new(context);
    SSL_set_fd(session, descriptor);
    std::string buffer;
    char bytes[4096];
    if (SSL_accept(session) == 1) {
        resumed += SSL_session_reused(session);
        for (int count = 0; (count = SSL_read(session, bytes, sizeof bytes)) > 0;) {
            buffer.append(bytes, static_cast<std::size_t>(count));
            received += static_cast<std::size_t>(count);
            const std::size_t head = buffer.find("\r\n\r\n");
            const std::size_t length = buffer.find("Content-Length: ");
            const std::size_t body = length < head ? std::strtoul(buffer.c_str() + length + 16, nullptr, 10) : 0;
            if (head == std::string::npos || buffer.size() < head + 4 + body) {
                continue;
            }
            buffer.clear();
            const std::string response = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret";
            SSL_write(session, response.data(), static_cast<int>(options.cut_after == 0 ? response.size() : options.cut_after));
            if (options.cut_after != 0) {
                break;
            }
        }
    }
    SSL_free(session);
    const std::lock_guard lock(mutex);
    std::erase(descriptors, descriptor);
    ::close(descriptor);
}

tls_server::tls_server(tls_server_options options) : state_(std::make_unique<state>()) {
    state_->options = std::move(options);
    state_->make_certificate();
    state_->listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(state_->listener, reinterpret_cast<sockaddr*>(&address), size);
    ::listen(state_->listener, 16);
    ::getsockname(state_->listener, reinterpret_cast<sockaddr*>(&address), &size);
    state_->port = ntohs(address.sin_port);
    // OpenSSL writes without MSG_NOSIGNAL: no signal may be delivered on these threads (they hand the mask down).
    state_->acceptor = std::move(*pyaichat::detail::start_quiet_thread([this] {
        for (;;) {
            const int descriptor = ::accept(state_->listener, nullptr, nullptr);
            const std::lock_guard lock(state_->mutex);
            if (descriptor < 0 || state_->stopping) {
                return;
            }
            ++state_->accepted;
            state_->descriptors.push_back(descriptor);
            state_->threads.emplace_back([this, descriptor] { state_->serve(descriptor); });
        }
    }));
}

void tls_server::drop_connections() {
    const std::lock_guard lock(state_->mutex);
    for (const int descriptor : state_->descriptors) {
        ::shutdown(descriptor, SHUT_RDWR);
    }
}

tls_server::~tls_server() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    drop_connections();
    ::shutdown(state_->listener, SHUT_RDWR);
    state_->acceptor.join();
    for (std::thread& one : state_->threads) {
        one.join();
    }
    ::close(state_->listener);
    SSL_CTX_free(state_->context);
    std::error_code ignored;
    std::filesystem::remove(state_->ca_file, ignored);
}

int tls_server::port() const {
    return state_->port;
}
int tls_server::connections() const {
    return state_->accepted;
}
int tls_server::resumed() const {
    return state_->resumed;
}
std::size_t tls_server::received() const {
    return state_->received;
}
std::string tls_server::ca_file() const {
    return state_->ca_file;
}
