#include "net/request_rules.hpp"

#include "net/request_head.hpp"

namespace pyaichat::inline PYAICHAT_ABI::net {

result<void> check_request(const http_request& request, const url& target) {
    if (result<void> head = check_head(request); !head) {
        return head;
    }
    if (target.scheme == "http" && !target.loopback()) {
        return failure{.code = errc::invalid_argument,
                       .message = "http:// is not allowed for " + target.host + ", which is not a loopback address",
                       .hint = "Use https://. Plain http:// is accepted for loopback addresses only."};
    }
    return {};
}

bool may_be_repeated(const http_request& request) noexcept {
    return request.repeatable || request.method == "GET" || request.method == "HEAD";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
