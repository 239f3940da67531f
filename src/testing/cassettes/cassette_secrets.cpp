#include "testing/cassettes/cassette_secrets.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::string_view blank = "***";
constexpr std::size_t min_secret_length = 4;  // a shorter secret would match inside ordinary words

constexpr std::array<std::string_view, 7> secret_headers = {"x-goog-api-key", "authorization", "proxy-authorization", "x-api-key",
                                                            "api-key",        "cookie",        "set-cookie"};
constexpr std::array<std::string_view, 4> secret_parameters = {"key", "api_key", "access_token", "token"};
/// Headers that depend on the client or the connection, not on the exchange.
constexpr std::array<std::string_view, 9> volatile_headers = {
    "host", "connection", "content-length", "accept", "accept-encoding", "user-agent", "x-goog-api-client", "x-server-timeout", "date"};
constexpr std::array<std::string_view, 4> response_headers = {"content-type", "retry-after", "content-disposition",
                                                              "x-gemini-service-tier"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view name) {
    return std::find(words.begin(), words.end(), detail::ascii_lower(name)) != words.end();
}

}  // namespace

cassette_secrets::cassette_secrets(const std::vector<std::string>& known) {
    for (const std::string& secret : known) {
        add(secret);
    }
}

void cassette_secrets::add(std::string_view secret) {
    if (secret.size() < min_secret_length || std::find(secrets_.begin(), secrets_.end(), secret) != secrets_.end()) {
        return;
    }
    secrets_.emplace_back(secret);
    if (const std::string in_json = dump_json(json(std::string(secret))); in_json.size() != secret.size() + 2) {
        secrets_.push_back(in_json.substr(1, in_json.size() - 2));  // the escaped form in a JSON body
    }
    std::stable_sort(secrets_.begin(), secrets_.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

void cassette_secrets::learn(const http_request& request) {
    for (const http_header& header : request.headers) {
        if (is_one_of(secret_headers, header.name)) {
            const std::size_t scheme = header.value.find(' ');  // "Bearer ...": the scheme is not secret
            add(std::string_view(header.value).substr(scheme == std::string::npos ? 0 : scheme + 1));
        }
    }
    std::string_view query = std::string_view(request.url).substr(std::min(request.url.find('?'), request.url.size()));
    while (!query.empty()) {
        query.remove_prefix(1);  // the ? or &
        const std::string_view parameter = query.substr(0, query.find('&'));
        query.remove_prefix(parameter.size());
        const std::size_t equals = parameter.find('=');
        if (equals != std::string_view::npos && is_one_of(secret_parameters, parameter.substr(0, equals))) {
            add(parameter.substr(equals + 1));
            add(detail::percent_decoded(parameter.substr(equals + 1)));
        }
    }
}

std::string cassette_secrets::clean(std::string_view text, std::vector<std::size_t>* boundaries) const {
    std::string out;
    std::size_t moved = 0;  // the number of boundaries that are updated
    const auto move_boundaries = [&](std::size_t upto) {
        while (boundaries != nullptr && moved < boundaries->size() && (*boundaries)[moved] <= upto) {
            (*boundaries)[moved++] = out.size();
        }
    };
    for (std::size_t at = 0; at < text.size();) {
        const auto secret =
            std::find_if(secrets_.begin(), secrets_.end(), [&](const std::string& known) { return text.substr(at).starts_with(known); });
        const bool found = secret != secrets_.end();
        move_boundaries(at);
        out += found ? blank : text.substr(at, 1);
        at += found ? secret->size() : 1;
        if (found) {
            move_boundaries(at);  // boundaries inside the secret
        }
    }
    move_boundaries(text.size());
    return out;
}

std::vector<http_header> cassette_secrets::clean_request_headers(const std::vector<http_header>& headers) const {
    std::vector<http_header> out;
    for (const http_header& header : headers) {
        if (is_one_of(secret_headers, header.name)) {
            out.push_back({detail::ascii_lower(header.name), std::string(blank)});
        } else if (!is_one_of(volatile_headers, header.name)) {
            out.push_back({detail::ascii_lower(header.name), clean(header.value)});
        }
    }
    return out;
}

std::vector<http_header> cassette_secrets::clean_response_headers(const std::vector<http_header>& headers) const {
    std::vector<http_header> out;
    for (const http_header& header : headers) {
        if (is_one_of(response_headers, header.name)) {
            out.push_back({detail::ascii_lower(header.name), clean(header.value)});
        }
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
