#include "bare_httplib.hpp"

#include "net/httplib_shim.hpp"

struct bench::bare_httplib::state {
    explicit state(int port) : client("127.0.0.1", port) {
        client.set_keep_alive(true);
        client.set_tcp_nodelay(true);
    }
    httplib::Client client;
};

bench::bare_httplib::bare_httplib(int port) : state_(std::make_unique<state>(port)) {}
bench::bare_httplib::~bare_httplib() = default;

std::string bench::bare_httplib::post(const pyaichat::http_request& like, const std::string& body) {
    httplib::Headers headers;
    for (const pyaichat::http_header& one : like.headers) {
        headers.emplace(one.name, one.value);
    }
    const httplib::Result response = state_->client.Post(like.url.substr(like.url.find('/', 8)), headers, body, "application/json");
    return response ? response->body : std::string();
}
