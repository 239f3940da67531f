#include <pyaichat/policy/any_http_transport.hpp>

namespace ai = pyaichat;

namespace {

// [archetype]
struct archetype {
    archetype(archetype&&) = default;
    archetype& operator=(archetype&&) = delete;
    ai::result<ai::http_response> send(const ai::http_request&, const ai::cancel_token&);
    ai::result<ai::http_response> stream(const ai::http_request&, const ai::http_body_sink&, const ai::cancel_token&);
};
static_assert(ai::http_transport<archetype>);
// [/archetype]

struct cannot_be_cancelled {
    ai::result<ai::http_response> send(const ai::http_request&);
    ai::result<ai::http_response> stream(const ai::http_request&, const ai::http_body_sink&);
};
static_assert(!ai::http_transport<cannot_be_cancelled>);

struct cannot_stream {
    ai::result<ai::http_response> send(const ai::http_request&, const ai::cancel_token&);
};
static_assert(!ai::http_transport<cannot_stream>);

struct returns_bare {
    ai::http_response send(const ai::http_request&, const ai::cancel_token&);
    ai::http_response stream(const ai::http_request&, const ai::http_body_sink&, const ai::cancel_token&);
};
static_assert(!ai::http_transport<returns_bare>);

static_assert(ai::http_transport<ai::any_http_transport>);
static_assert(std::is_constructible_v<ai::any_http_transport, archetype>);
static_assert(!std::is_constructible_v<ai::any_http_transport, cannot_stream>);

}  // namespace
