#pragma once
/// An adapter over libcurl 7.68 or later. It is compiled in the host, with the host's copy of the library: no library of the SDK contains
/// or needs it. POSIX. Link `pyaichat::net` and libcurl.
#include <pyaichat/net/adapter/idle_pool.hpp>
#include <pyaichat/net/adapter/incoming_body.hpp>
#include <pyaichat/net/adapter/name_lookup.hpp>
#include <pyaichat/net/adapter/outgoing_request.hpp>
#include <pyaichat/net/adapter/pipe_signal_guard.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <curl/curl.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

struct curl_options {
    std::string ca_file = {};  ///< PEM; empty = the CA certificates of libcurl
    /// Called for each request, after the transport has set its options: for a proxy, a client certificate, or tracing. It must leave alone
    /// callbacks, body, headers, redirects, protocols and timeouts, which belong to the transport.
    std::function<void(CURL*)> configure = {};
};

/// An HTTP client over the host's libcurl: HTTP/2, and the trust and the proxies of the system. Satisfies `http_transport`. Thread-safe.
///
/// The host must call `curl_global_init` before the first request, and `curl_global_cleanup`, if at all, after the destruction.
///
/// Names are looked up on detached threads before libcurl is asked, since removing a handle waits for libcurl's own lookup. With a proxy,
/// libcurl looks up the proxy's name, and a cancellation waits for that: give an address. `http://` requests use no proxy. SIGPIPE is
/// blocked in the calling thread during the exchange.
///
/// libcurl repeats a request by itself if a kept connection breaks before the response. The transport hands it the body of a request that
/// is not `repeatable` in a form that cannot be sent twice, and such a request without a body gets a new connection. The sink must not
/// throw.
class curl_transport {
public:
    explicit curl_transport(curl_options options = {}) : state_(std::make_unique<state>()) { state_->options = std::move(options); }

    /// See `http_transport`.
    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel) {
        return state_->perform(request, nullptr, cancel);
    }
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel) {
        return state_->perform(request, &sink, cancel);
    }

private:
    struct easy_deleter {
        void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
    };
    struct list_deleter {
        void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
    };
    using easy_handle = std::unique_ptr<CURL, easy_deleter>;
    using text_list = std::unique_ptr<curl_slist, list_deleter>;

    /// A handle of libcurl that keeps the connection of one exchange for the next.
    struct client {
        struct multi_deleter {
            void operator()(CURLM* handle) const noexcept {
                const adapter::pipe_signal_guard no_signal;  // it takes leave of a TLS peer that may be gone
                curl_multi_cleanup(handle);
            }
        };
        std::unique_ptr<CURLM, multi_deleter> multi{curl_multi_init()};

        [[nodiscard]] static bool reusable() noexcept { return true; }  // libcurl looks at the connection itself
    };

    /// What the callbacks of libcurl use.
    struct transfer {
        adapter::incoming_body body;
        http_response response = {};
        std::size_t head_bytes = 0;
        bool head_complete = false;
        bool head_too_large = false;
        std::string_view unsent = {};

        static std::size_t take_header(char* data, std::size_t size, std::size_t count, void* self) noexcept;
        static std::size_t take_body(char* data, std::size_t size, std::size_t count, void* self) noexcept;
        static std::size_t give_body(char* to, std::size_t size, std::size_t count, void* self) noexcept;
        static int refuse_to_rewind(void*, curl_off_t, int) noexcept { return CURL_SEEKFUNC_FAIL; }
    };

    struct state {
        curl_options options;
        adapter::name_lookup names;
        adapter::idle_pool<client> pool;

        [[nodiscard]] result<http_response> perform(const http_request& request, const http_body_sink* sink, const cancel_token& cancel);
        void configure(CURL* easy, const http_request& request, const url& target, transfer& into) const;
    };

    static void append(text_list& list, const std::string& text) {
        curl_slist* const before = list.release();
        curl_slist* const longer = curl_slist_append(before, text.c_str());
        list.reset(longer != nullptr ? longer : before);
    }
    static text_list header_list(const http_request& request, const url& target, bool streams);
    static text_list address_list(const url& target, const std::vector<std::string>& addresses);
    static CURLcode run(CURLM* multi, CURL* easy, const adapter::exchange_limits& limits, const cancel_token& cancel);
    static failure explain(CURLcode error, const std::string& origin);

    std::unique_ptr<state> state_;
};

inline std::size_t curl_transport::transfer::take_header(char* data, std::size_t size, std::size_t count, void* self) noexcept {
    transfer& into = *static_cast<transfer*>(self);
    constexpr std::size_t largest_head = 64'000;
    std::string_view line(data, size * count);
    into.head_bytes += line.size();
    if (into.head_bytes > largest_head) {
        into.head_too_large = true;
        return 0;
    }
    if (into.head_complete) {
        return size * count;  // a trailer field
    }
    line = pyaichat::detail::trimmed(line);
    if (line.starts_with("HTTP/")) {
        into.response = {};  // another response after an interim one
        const std::size_t space = line.find(' ');
        for (const char digit : space == std::string_view::npos ? std::string_view() : line.substr(space + 1, 3)) {
            into.response.status = pyaichat::detail::is_digit(digit) ? into.response.status * 10 + (digit - '0') : 0;
        }
    } else if (line.empty()) {
        into.head_complete = into.response.status >= 200;
        if (into.head_complete) {
            into.body.begin(into.response.status);
        }
    } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
        into.response.headers.push_back(
            {std::string(line.substr(0, colon)), std::string(pyaichat::detail::trimmed(line.substr(colon + 1)))});
    }
    return size * count;
}

inline std::size_t curl_transport::transfer::take_body(char* data, std::size_t size, std::size_t count, void* self) noexcept {
    return static_cast<transfer*>(self)->body.take({data, size * count}) ? size * count : 0;
}

inline std::size_t curl_transport::transfer::give_body(char* to, std::size_t size, std::size_t count, void* self) noexcept {
    std::string_view& unsent = static_cast<transfer*>(self)->unsent;
    const std::size_t given = std::min(unsent.size(), size * count);
    std::copy_n(unsent.begin(), given, to);
    unsent.remove_prefix(given);
    return given;
}

inline curl_transport::text_list curl_transport::header_list(const http_request& request, const url& target, bool streams) {
    const bool inflates = (curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_LIBZ) != 0;
    text_list list;
    for (const http_header& header : adapter::headers_to_send(request, target, inflates && !streams ? "gzip, deflate" : "identity")) {
        append(list, header.value.empty() ? header.name + ";" : header.name + ": " + header.value);  // "name:" would remove it
    }
    for (const char* added_by_library : {"Expect", "Content-Type"}) {
        if (!adapter::has_header(request, added_by_library)) {
            append(list, std::string(added_by_library) + ":");
        }
    }
    return list;
}

/// Returns the addresses of the host in the form of CURLOPT_RESOLVE, which has none for a numeric address.
inline curl_transport::text_list curl_transport::address_list(const url& target, const std::vector<std::string>& addresses) {
    if (addresses.size() == 1 && addresses[0] == target.host) {
        return {};
    }
    std::string entry = target.host + ":" + std::to_string(target.port) + ":";
    for (const std::string& address : addresses) {
        entry += (entry.ends_with(':') ? "" : ",") + (address.find(':') != std::string::npos ? "[" + address + "]" : address);
    }
    text_list list;
    append(list, entry);
    return list;
}

inline void curl_transport::state::configure(CURL* easy, const http_request& request, const url& target, transfer& into) const {
    curl_easy_setopt(easy, CURLOPT_URL, (target.scheme + "://" + target.authority() + target.target).c_str());
    curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, target.scheme.c_str());
#else
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS, target.scheme == "https" ? CURLPROTO_HTTPS : CURLPROTO_HTTP);
#endif
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
    curl_easy_setopt(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");  // what is decoded; the header is ours
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &transfer::take_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &into);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &transfer::take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &into);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                     static_cast<long>(std::chrono::duration_cast<std::chrono::milliseconds>(longest_wait).count()));
    if (target.scheme == "http") {
        curl_easy_setopt(easy, CURLOPT_PROXY, "");
    }
    if (!options.ca_file.empty()) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, options.ca_file.c_str());
    }
    const bool has_body = !request.body.empty() || request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
    const bool repeatable = adapter::is_repeatable(request);
    if (has_body) {
        curl_easy_setopt(easy, CURLOPT_POST, 1L);
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
        if (repeatable || request.body.empty()) {
            curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.c_str());
        } else {
            into.unsent = request.body;
            curl_easy_setopt(easy, CURLOPT_READFUNCTION, &transfer::give_body);
            curl_easy_setopt(easy, CURLOPT_READDATA, &into);
            curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, &transfer::refuse_to_rewind);
        }
    }
    if (request.method == "HEAD") {
        curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    } else if (request.method != "GET" || has_body) {
        curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
    }
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, !repeatable && request.body.empty() ? 1L : 0L);
    if (options.configure) {
        options.configure(easy);
    }
}

/// Makes the transfer until it ends or the limits are exceeded. Returns libcurl's result, or `CURLE_ABORTED_BY_CALLBACK`.
inline CURLcode curl_transport::run(CURLM* multi, CURL* easy, const adapter::exchange_limits& limits, const cancel_token& cancel) {
    using clock = adapter::exchange_limits::clock;
    const adapter::pipe_signal_guard no_signal;
    const std::stop_callback wake(cancel, [multi] { curl_multi_wakeup(multi); });
    CURLcode ended = CURLE_ABORTED_BY_CALLBACK;
    curl_multi_add_handle(multi, easy);
    for (int running = 1; running > 0 && !limits.exceeded();) {
        if (curl_multi_perform(multi, &running) != CURLM_OK) {
            ended = CURLE_FAILED_INIT;
            break;
        }
        int waiting = 0;
        while (const CURLMsg* message = curl_multi_info_read(multi, &waiting)) {
            if (message->msg == CURLMSG_DONE) {
                ended = message->data.result;
            }
        }
        if (running > 0 && !limits.exceeded()) {
            constexpr auto longest_poll = std::chrono::milliseconds(1'000);
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(limits.deadline() - clock::now());
            curl_multi_poll(multi, nullptr, 0, static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), longest_poll).count()),
                            nullptr);
        }
    }
    curl_multi_remove_handle(multi, easy);
    return ended;
}

inline failure curl_transport::explain(CURLcode error, const std::string& origin) {
    const std::string why = std::string(" (") + curl_easy_strerror(error) + ")";
    switch (error) {
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_CERTPROBLEM:
        case CURLE_SSL_ISSUER_ERROR:
        case CURLE_UNSUPPORTED_PROTOCOL:  // also: no HTTP
        case CURLE_WEIRD_SERVER_REPLY:
        case CURLE_COULDNT_RESOLVE_PROXY:
            return {.code = errc::unreachable,
                    .message = origin + " cannot be reached" + why,
                    .hint = "The service cannot be reached in this setup. Check the address, the certificates and the proxy."};
        default:
            return {.code = errc::connection_failed,
                    .message = "the exchange with " + origin + " failed" + why,
                    .hint = "The service could not be reached, or the connection broke."};
    }
}

inline result<http_response> curl_transport::state::perform(const http_request& request, const http_body_sink* sink,
                                                            const cancel_token& cancel) {
    const result<url> target = adapter::check_request(request);
    if (!target) {
        return target.error();
    }
    const adapter::exchange_limits limits(request, *target, cancel);
    if (limits.exceeded()) {
        return limits.explain({});
    }
    const result<std::vector<std::string>> addresses = names.find(target->host, limits.deadline(), cancel);
    if (!addresses) {
        return limits.explain(addresses.error());
    }
    std::unique_ptr<client> with = pool.take(limits.origin());
    if (with == nullptr) {
        with = std::make_unique<client>();
    }
    transfer made{.body = adapter::incoming_body(request, sink)};
    const text_list headers = header_list(request, *target, sink != nullptr);
    const text_list resolved = address_list(*target, *addresses);
    const easy_handle easy(curl_easy_init());
    if (with->multi == nullptr || easy == nullptr) {
        return failure{.code = errc::internal, .message = "libcurl could not be initialized", .hint = "Call curl_global_init first."};
    }
    configure(easy.get(), request, *target, made);
    curl_easy_setopt(easy.get(), CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(easy.get(), CURLOPT_RESOLVE, resolved.get());
    const CURLcode ended = run(with->multi.get(), easy.get(), limits, cancel);
    if (made.body.refused()) {
        return made.body.refusal(limits.origin());
    }
    if (made.head_too_large) {
        return failure{.code = errc::too_large,
                       .message = "the head of the response from " + limits.origin() + " is too large",
                       .hint = "The service's response was too large."};
    }
    if (ended != CURLE_OK) {
        return limits.explain(explain(ended, limits.origin()));
    }
    if (!made.head_complete) {  // for libcurl, a connection that closes within the head ends a response
        return limits.explain({.code = errc::connection_failed,
                               .message = "the response from " + limits.origin() + " was cut off in its head",
                               .hint = "The service's response was cut off."});
    }
    pool.give_back(limits.origin(), std::move(with));
    made.response.body = made.body.take_collected();
    return std::move(made.response);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
